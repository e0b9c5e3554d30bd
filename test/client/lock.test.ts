import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readLock } from '../../src/client/sandbox-lock.ts'
import { pidSpace } from '../../src/shared/files/live-process.ts'
import { scratchFolder } from '../support/commands/scratch.ts'
import { deadPid, folderWithLock, lockText } from '../support/store/locks.ts'

const good = { pid: process.pid, id: '0f3b6c1e-7d1a-4a51-9a55-2f8f6f0c1d11', url: 'http://127.0.0.1:18598' }

test('a lock that a running sandbox of this user wrote is used', () => {
  const folder = folderWithLock({ ...good, token: 'a-token-of-the-test' })
  expect(readLock(folder)).toEqual({
    path: `${folder}/lock.json`,
    stateFolder: folder,
    baseUrl: good.url,
    id: good.id,
    ca: undefined,
    certificate: undefined,
    isFreePort: false,
    lacksPassword: false,
    token: 'a-token-of-the-test',
    process: { pid: good.pid, began: undefined },
    start: undefined,
    from: undefined,
  })
})

test.each([
  ['others may read it', 'mode is 0644', good, 0o644],
  ['the group may write it', 'mode is 0620', good, 0o620],
  ['it names a host elsewhere', '"http://192.0.2.1:80" is not', { ...good, url: 'http://192.0.2.1:80' }],
  ['its host only begins as loopback does', 'is not', { ...good, url: 'http://127.0.0.1.evil.test:80' }],
  ['loopback stands before an @', 'is not', { ...good, url: 'http://127.0.0.1@evil.test' }],
  ['it is not a service', 'is not', { ...good, url: 'file://127.0.0.1/etc/passwd' }],
  ['it has no id', 'no id', { ...good, id: undefined }],
  ['its id is a number', 'no id', { ...good, id: 5 }],
  ['its pid means every process', 'pid -1', { ...good, pid: -1 }],
  ['its pid is half of one', 'pid 1.5', { ...good, pid: 1.5 }],
  ['its pid is a text', 'pid "1"', { ...good, pid: '1' }],
  ['its token ends a header', 'token', { ...good, token: 'a\r\nX-Other: b' }],
])('a lock is refused with the reason: %s', (_, reason, lock, mode = 0o600) => {
  const folder = folderWithLock(lock, { mode })
  expect(() => readLock(folder)).toThrow(`${folder}/lock.json was not used: `)
  expect(() => readLock(folder)).toThrow(reason)
})

test('a lock that is a link is refused, even if the link leads to a good one', () => {
  const [folder, other] = [scratchFolder(), folderWithLock(good)]
  symlinkSync(join(other, 'lock.json'), join(folder, 'lock.json'))
  expect(() => readLock(folder)).toThrow('it is a link')
})

test.runIf(process.getuid?.() === 0)('a lock that belongs to another user is refused', () => {
  const folder = folderWithLock(good)
  chownSync(join(folder, 'lock.json'), 12_345, 12_345)
  expect(() => readLock(folder)).toThrow('it belongs to another user')
})

test('a lock of a dead process is ignored, whatever else is wrong with it', () => {
  const pid = deadPid()
  expect(readLock(folderWithLock({ ...good, pid }))).toBeUndefined()
  expect(readLock(folderWithLock({ ...good, pid, url: 'http://192.0.2.1' }, { mode: 0o644 }))).toBeUndefined()
})

test.runIf(process.platform === 'linux')('a lock whose pid belongs to another process is ignored', () => {
  expect(readLock(folderWithLock({ ...good, began: '1' }))).toBeUndefined()
})

test.runIf(process.platform === 'linux')('a lock of a zombie process is ignored', async () => {
  // It ends once bash, which would wait for it, is cat.
  const child = spawn('bash', ['-c', 'sleep 0.3 & echo $!; exec cat'], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.stdin.end())
  const [output] = await once(child.stdout, 'data')
  const pid = Number(output)
  await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /)
  expect(process.kill(pid, 0)).toBe(true)
  expect(readLock(folderWithLock({ ...good, pid }))).toBeUndefined()
})

test.each(['', '{', 'null', '[]', '{"pid":1}', '{"pid":1,"url":5}', '{"pid":1,"url":"x"}'])(
  'a lock with the text %j is ignored',
  (text) => {
    const folder = scratchFolder()
    writeFileSync(join(folder, 'lock.json'), text, { mode: 0o600 })
    expect(readLock(folder)).toBeUndefined()
  },
)

test('a lock that is a folder, a pipe without a writer, huge or missing is ignored', () => {
  const [folder, pipe, none] = [scratchFolder(), scratchFolder(), scratchFolder()]
  mkdirSync(join(folder, 'lock.json'))
  spawnSync('bash', ['-c', 'mkfifo "$0"/lock.json', pipe])
  const huge = folderWithLock({ ...good, more: 'x'.repeat(100_000) })
  for (const each of [folder, pipe, none, huge, join(huge, 'lock.json')])
    expect(readLock(each)).toBeUndefined()
})

test('a lock of another container is used, whatever its pid is', () => {
  const elsewhere = { ...good, pid: deadPid(), space: `${pidSpace()} of another` }
  expect(readLock(folderWithLock(elsewhere))?.baseUrl).toBe(good.url)
})

const at = (folder: string, certificate: string) => {
  const lock = { ...good, url: 'https://127.0.0.1:1', certificate }
  writeFileSync(join(folder, 'lock.json'), lockText(folder, lock), { mode: 0o600 })
  return readLock(folder)?.ca
}

test('the certificate is read when it is in the state folder, however the folder was named', () => {
  const folder = scratchFolder()
  const path = join(realpathSync(folder), 'tls-cert.pem')
  writeFileSync(path, 'PEM')
  expect(at(folder, path)).toBe('PEM')
  const alias = join(scratchFolder(), 'alias')
  symlinkSync(folder, alias)
  expect(readLock(alias)?.ca).toBe('PEM')
})

test('the certificate is not used when it is elsewhere, a link, a folder, or missing', () => {
  const [folder, other] = [scratchFolder(), scratchFolder()]
  const path = join(folder, 'tls-cert.pem')
  writeFileSync(join(other, 'tls-cert.pem'), 'PEM')
  expect(at(folder, join(other, 'tls-cert.pem'))).toBeUndefined()
  expect(at(folder, path)).toBeUndefined()
  symlinkSync(join(other, 'tls-cert.pem'), path)
  expect(at(folder, path)).toBeUndefined()
  rmSync(path)
  mkdirSync(path)
  expect(at(folder, path)).toBeUndefined()
})
