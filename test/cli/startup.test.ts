import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, onTestFinished, test } from 'vitest'
import { packagesOf } from '../../bin/docs/notices.js'
import { binary, launchBinary, runBinary } from '../support/commands/binary.ts'
import { runCommand } from '../support/commands/command.ts'
import { fails, prints, untilStderr } from '../support/commands/launched.ts'
import { startSandboxCommand } from '../support/commands/running-sandbox.ts'

/** Says the URL of each module that is loaded, on standard error. */
const hooks = `
  import { writeSync } from 'node:fs'
  export async function load(url, context, next) {
    writeSync(2, 'loaded ' + url + '\\n')
    return next(url, context)
  }`
const dataUrl = (source: string) => `data:text/javascript,${encodeURIComponent(source)}`
const spy = dataUrl(`import { register } from 'node:module'; register(${JSON.stringify(dataUrl(hooks))})`)

/** What each file of dist/ was made from. */
const sources = new Map(inject('sourcesOfFiles'))

/** Packages whose code is in these files of dist/. */
function packagesIn(files: readonly string[]): Set<string> {
  const folders = packagesOf(files.flatMap((file) => sources.get(file) ?? []))
  return new Set(folders.map((folder) => folder.replace(/^.*node_modules\//, '')))
}

/** Packages that a command loads until it ends. */
async function packagesLoaded(args: readonly string[], cwd: string): Promise<Set<string>> {
  const { code, stderr } = await runBinary(args, { cwd, env: { NODE_OPTIONS: `--import=${spy}` } })
  expect(code).toBe(0)
  const files = [...stderr.matchAll(/^loaded file:.*\/dist\/(.*)$/gm)].map(([, file]) => String(file))
  expect(files).toContain('cli/main.js')
  return packagesIn(files)
}

const heavy = [
  '@modelcontextprotocol/server',
  'hono',
  '@hono/node-server',
  'lowdb',
  '@inquirer/confirm',
  'selfsigned',
  'eventsource-parser',
  'yaml',
  'pg',
  'prom-client',
]

test('the build has every heavy package, so that their absence below means something', () => {
  for (const name of heavy) expect(packagesIn([...sources.keys()])).toContain(name)
})

test('a sale loads neither the sandbox nor the prompt nor tables, and help no schemas either', async () => {
  const { cwd } = await startSandboxCommand()
  const sale = await packagesLoaded(['sale', '--amount', '10.00', '--no-wait', '--json'], cwd)
  const help = await packagesLoaded(['--help'], cwd)
  for (const name of ['@oclif/core', 'valibot']) expect(sale).toContain(name)
  for (const name of heavy) expect(sale).not.toContain(name)
  for (const name of [...heavy, 'valibot']) expect(help).not.toContain(name)
})

test('a sale over HTTP loads no TLS, and nothing of what web pages use', async () => {
  const { cwd } = await startSandboxCommand()
  const list = dataUrl(`process.on('exit', () => process._rawDebug(process.moduleLoadList.join('\\n')))`)
  const env = { NODE_OPTIONS: `--import=${list}`, NODE_EXTRA_CA_CERTS: '' }
  const { stderr } = await runBinary(['sale', '--amount', '10.00', '--no-wait', '--json'], { cwd, env })
  expect(stderr).toMatch(/^NativeModule http$/m)
  for (const name of ['internal/deps/undici/undici', 'tls', 'https', 'internal/webstreams/readablestream'])
    expect(stderr.split('\n')).not.toContain(`NativeModule ${name}`)
})

test('--version prints the versions of tillbox and Node, and DEBUG shows what oclif does', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const { platform, arch } = process
  const { stdout, stderr } = await runBinary('--version', { env: { DEBUG: 'oclif:config' } })
  expect(stdout).toBe(`tillbox/${version} ${platform}-${arch} node-${process.version}\n`)
  expect(stderr).toContain('oclif:config')
  await prints(runCommand('--version'))
})

/** Runs it with a standard output that nobody reads any more. */
async function unread(args: readonly string[], cwd: string) {
  const child = spawn(process.execPath, [binary, ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: cwd },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk
  })
  child.stdout.destroy()
  const [code, signal] = await once(child, 'close')
  return { code, signal, stderr }
}

/** Runs a script of bash in which $0 and $1 are the binary. */
const inBash = (script: string, cwd: string) =>
  promisify(execFile)('bash', ['-c', script, process.execPath, binary], {
    ...{ cwd, env: { PATH: process.env.PATH ?? '', HOME: cwd } },
  })

test('a reader that goes away causes no crash, and does not change the exit code', async () => {
  const { cwd } = await startSandboxCommand()
  const quiet = { signal: null, stderr: '' }
  expect(await unread(['sandbox', 'status', '--json'], cwd)).toEqual({ code: 0, ...quiet })
  expect(await unread(['sale', '--amount', '98.23'], cwd)).toMatchObject({ code: 4, signal: null })
  const failingScenario = 'steps:\n  - sale: { amount: 10.00 USD }\n    expect: { status: declined }\n'
  writeFileSync(join(cwd, 'failing.yaml'), failingScenario)
  expect(await unread(['test', 'failing.yaml'], cwd)).toMatchObject({ code: 1, signal: null })
  const failing = ['coverage', '--', process.execPath, '-e', 'process.exit(7)']
  expect(await unread(failing, cwd)).toMatchObject({ code: 7, signal: null })
})

test('a reader that goes away ends logs tail --follow and listen, and nothing else: a refund is made', async () => {
  const sandbox = await startSandboxCommand()
  const following = [unread(['logs', 'tail', '--follow'], sandbox.cwd), unread(['listen'], sandbox.cwd)]
  let ended = false
  const all = Promise.all(following).finally(() => {
    ended = true
  })
  await expect
    .poll(async () => {
      if (!ended) await sandbox.json('sale --amount 10.00')
      return ended
    })
    .toBe(true)
  for (const each of await all) expect(each).toMatchObject({ code: 0, signal: null })
  await sandbox.json('sale --amount 10.00')
  const script = '"$0" "$1" refund @last --amount 1.00 --json 2> >(exec true) >answer.json; echo "ended $?"'
  expect((await inBash(script, sandbox.cwd)).stdout).toBe('ended 0\n')
  expect(JSON.parse(readFileSync(join(sandbox.cwd, 'answer.json'), 'utf8'))).toHaveProperty('amount')
})

test.skipIf(!existsSync('/dev/full'))('listen to a full disk ends with 3, and not as a bug', async () => {
  const sandbox = await startSandboxCommand()
  const listener = launchBinary('listen', { cwd: sandbox.cwd, before: 'exec >/dev/full' })
  await untilStderr(listener, /Listening/)
  await sandbox.json('sale --amount 10.00')
  await fails(listener.ended(), 3, /Standard output cannot be written: ENOSPC/, /^ +do +\S/m)
})
