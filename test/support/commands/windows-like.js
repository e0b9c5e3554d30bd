// Makes a process behave as on Windows, as far as that can be had elsewhere. For --import.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

Object.defineProperty(process, 'platform', { value: 'win32' })
process.getuid = undefined
process.umask(0) // all files are everybody's, as the modes of Windows say

const real = { ...fs }
const failure = (code, path) => Object.assign(new Error(`${code}: as on Windows, '${path}'`), { code, path })
const open = new Map()

fs.openSync = (path, flags, _mode) => {
  if (String(path).startsWith('/proc/')) throw failure('ENOENT', path)
  const file = real.openSync(path, flags)
  open.set(file, real.realpathSync(path))
  return file
}
fs.closeSync = (file) => {
  open.delete(file)
  real.closeSync(file)
}
fs.readFileSync = (path, ...more) => {
  if (String(path).startsWith('/proc/')) throw failure('ENOENT', path)
  return real.readFileSync(path, ...more)
}
fs.readlinkSync = (path, ...more) => {
  if (String(path).startsWith('/proc/')) throw failure('ENOENT', path)
  return real.readlinkSync(path, ...more)
}
fs.mkdirSync = (path, options) => real.mkdirSync(path, { recursive: options?.recursive ?? false })
fs.fchmodSync = () => undefined
fs.chmodSync = () => undefined
fs.fsyncSync = (file) => {
  if (real.fstatSync(file).isDirectory()) throw failure('EPERM', open.get(file))
  real.fsyncSync(file)
}
fs.renameSync = (from, to) => {
  if (real.existsSync(to) && [...open.values()].includes(real.realpathSync(to))) throw failure('EPERM', to)
  real.renameSync(from, to)
}
syncBuiltinESMExports()

const kill = process.kill.bind(process)
process.kill = (pid, signal) => kill(pid, signal === 0 || pid === process.pid ? signal : 'SIGKILL') // there are no others
