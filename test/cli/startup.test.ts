import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { packagesOf } from '../../bin/docs/notices.js'
import { binary, launchBinary, runBinary } from '../support/commands/binary.ts'
import { untilStderr } from '../support/commands/launched.ts'
import { startSandboxCommand } from '../support/commands/running-sandbox.ts'
import { scratchFolder } from '../support/commands/scratch.ts'

const dist = fileURLToPath(new URL('../../dist/', import.meta.url))

/** Says the URL of each module that is loaded, each file that is read, and each use of a collator or a segmenter, on standard error. */
const hooks = `
  import { writeSync } from 'node:fs'
  export async function load(url, context, next) {
    writeSync(2, 'loaded ' + url + '\\n')
    return next(url, context)
  }`
const dataUrl = (source: string) => `data:text/javascript,${encodeURIComponent(source)}`
const spy = dataUrl(`
  import fs from 'node:fs'
  import { register } from 'node:module'
  const say = (text) => fs.writeSync(2, text + '\\n')
  const { readFileSync } = fs
  fs.readFileSync = (path, ...rest) => {
    say('read ' + path)
    return readFileSync(path, ...rest)
  }
  const { localeCompare } = String.prototype
  String.prototype.localeCompare = function (...rest) {
    say('compared')
    return localeCompare.call(this, ...rest)
  }
  Intl.Segmenter = class extends Intl.Segmenter {
    constructor(...rest) {
      super(...rest)
      say('segmented')
    }
  }
  register(${JSON.stringify(dataUrl(hooks))})`)

/** What each file of dist/ was made from. */
const sources = new Map(inject('sourcesOfFiles'))

/** Packages whose code is in these files of dist/; files that the build wrote by hand have none. */
const packagesIn = (files: readonly string[]): Set<string> =>
  new Set(
    packagesOf(files.flatMap((file) => sources.get(relative(dist, file)) ?? [])).map((folder) =>
      folder.replace(/^.*node_modules\//, ''),
    ),
  )

/** What a command does until it ends, as the spy says it. */
async function traceOf(args: readonly string[], cwd: string) {
  const { code, stderr } = await runBinary(args, { cwd, env: { NODE_OPTIONS: `--import=${spy}` } })
  expect(code).toBe(0)
  const urls = [...stderr.matchAll(/^loaded (.*)$/gm)].map(([, url]) => String(url))
  const read = [...stderr.matchAll(/^read (.*)$/gm)].map(([, path]) => String(path))
  const files = read.filter((file) => file.startsWith(dist) && file.endsWith('.cjs'))
  expect(files).toContain(join(dist, 'main.cjs'))
  return {
    files,
    packages: packagesIn(files),
    builtins: urls.filter((url) => url.startsWith('node:')),
    read: read.map((path) => basename(path)),
    compares: /^compared$/m.test(stderr),
    segments: /^segmented$/m.test(stderr),
  }
}

let traced: ReturnType<typeof traceAll> | undefined

/** What the commands do that are looked at: each is started once. */
function traces(): ReturnType<typeof traceAll> {
  traced ??= traceAll()
  return traced
}

async function traceAll() {
  const { cwd } = await startSandboxCommand()
  return {
    help: await traceOf(['--help'], cwd),
    sale: await traceOf(aSale, cwd),
    helpOfSale: await traceOf(['sale', '--help'], cwd),
  }
}

const heavy = [
  'hono',
  '@hono/node-server',
  'lowdb',
  '@inquirer/prompts',
  '@inquirer/confirm',
  'selfsigned',
  'eventsource-parser',
]

/** What @oclif/core would load, and the build puts something shorter in its place. */
const replaced = [
  'ejs',
  'minimatch',
  'tinyglobby',
  'lilconfig',
  'wsl-utils',
  'wrap-ansi',
  'string-width',
  'cli-spinners',
]

const aSale = ['sale', '--amount', '10.00', '--no-wait', '--json']

describe('the files that a start loads', () => {
  test('the build has every heavy package, so that their absence below means something', () => {
    const names = readdirSync(dist, { recursive: true, encoding: 'utf8' })
    const all = packagesIn(names.filter((name) => /\.c?js$/.test(name)).map((name) => join(dist, name)))
    for (const name of heavy.filter((each) => each !== '@inquirer/prompts')) // the build takes only its confirm
      expect(all).toContain(name)
  })

  test('tillbox --help and a sale load neither the sandbox nor the prompt', async () => {
    const { help, sale } = await traces()
    expect(sale.packages).toContain('@oclif/core')
    expect(sale.packages).toContain('valibot')
    for (const name of [...heavy, ...replaced]) {
      expect(help.packages).not.toContain(name)
      expect(sale.packages).not.toContain(name)
    }
    expect(help.packages).not.toContain('valibot')
    expect(help.packages).not.toContain('cli-table3')
    for (const name of ['cli-table3', 'chalk']) expect(sale.packages).not.toContain(name)
  })

  test('tillbox --help and a sale load few files, and modules of Node without a second one of each', async () => {
    const { help, sale } = await traces()
    expect(help.files.length).toBeLessThanOrEqual(10)
    expect(sale.files.length).toBeLessThanOrEqual(13)
    expect([...help.builtins, ...sale.builtins]).toEqual([])
  })

  test('tillbox --help and a sale read the index of the commands, not the manifest, and need no collator and no segmenter', async () => {
    const { help, sale, helpOfSale } = await traces()
    for (const { read, compares, segments } of [help, sale]) {
      expect(read).toContain('command-index.json')
      expect(read).not.toContain('oclif.manifest.json')
      expect([compares, segments]).toEqual([false, false])
    }
    expect(helpOfSale.read).toContain('oclif.manifest.json')
  })
})

describe('the server side', () => {
  test('the server side loads without the fetch of Node, which is loaded when the sandbox listens', () => {
    const script = `require(${JSON.stringify(join(dist, 'server.cjs'))}); console.log(JSON.stringify(process.moduleLoadList))`
    const loaded = (source: string): string[] =>
      JSON.parse(execFileSync(process.execPath, ['--eval', source], { encoding: 'utf8' }))
    const fetchOf = (list: readonly string[]) => list.filter((name) => name.includes('undici'))
    expect(fetchOf(loaded(`Response; ${script}`))).not.toEqual([])
    expect(fetchOf(loaded(script))).toEqual([])
  })
})

describe('the version and the debug output', () => {
  test('--version prints the versions of tillbox and Node', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    const { platform, arch } = process
    expect((await runBinary(['--version'])).stdout).toBe(
      `tillbox/${version} ${platform}-${arch} node-${process.version}\n`,
    )
  })

  test('DEBUG shows what oclif does', async () => {
    const { stderr } = await runBinary(['--version'], { env: { DEBUG: 'oclif:config' } })
    expect(stderr).toContain('oclif:config')
    expect((await runBinary(['--version'])).stderr).toBe('')
  })
})

describe('a reader that goes away', () => {
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

  test('a reader that goes away causes no crash', async () => {
    const sandbox = await startSandboxCommand()
    const quiet = { code: 0, signal: null, stderr: '' }
    expect(await unread(['--help'], sandbox.cwd)).toEqual(quiet)
    expect(await unread(['sale', '--amount', '10.00'], sandbox.cwd)).toEqual(quiet)
    expect(await unread(['sandbox', 'status', '--json'], sandbox.cwd)).toEqual(quiet)
  })

  test('a reader that goes away does not change the exit code', async () => {
    const sandbox = await startSandboxCommand()
    expect((await unread(['sale', '--amount', '9823'], sandbox.cwd)).code).toBe(4)
  })

  test('tillbox --help | head -1 ends without an error', async () => {
    const cwd = scratchFolder()
    const script = 'set -o pipefail; "$0" "$1" --help | head -1; echo "ended $?"'
    const child = spawn('bash', ['-c', script, process.execPath, binary], {
      cwd,
      env: { PATH: process.env.PATH ?? '', HOME: cwd },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const output = { stdout: '', stderr: '' }
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].setEncoding('utf8').on('data', (chunk: string) => {
        output[stream] += chunk
      })
    await once(child, 'close')
    expect(output.stderr).toBe('')
    expect(output.stdout).toContain('Every operation of a payment service as a command')
    expect(output.stdout).toContain('ended 0')
  })
})

test.skipIf(!existsSync('/dev/full'))(
  'listen with standard output on a full disk ends with 2, and not as a bug',
  async () => {
    const sandbox = await startSandboxCommand()
    const listener = launchBinary(['listen'], { cwd: sandbox.cwd, before: 'exec >/dev/full' })
    await untilStderr(listener, /Listening/)
    await sandbox.json(['sale', '--amount', '10.00'])
    const { code, stderr } = await listener.ended()
    expect(code).toBe(2)
    expect(stderr).toMatch(/Standard output cannot be written: ENOSPC/)
    expect(stderr).toMatch(/^ +do +\S/m)
    expect(stderr).not.toContain('bug in tillbox')
  },
)

describe('compiled code', () => {
  /** Names of what is kept in a home folder, below the folder of the build. */
  function cachedNames(home: string): string[] {
    const folder = join(home, process.platform === 'darwin' ? 'Library/Caches' : '.cache', 'tillbox')
    return existsSync(folder) ? readdirSync(folder).flatMap((build) => readdirSync(join(folder, build))) : []
  }

  /** The usual folder of the home folder, not that of all tests. */
  const usualFolder = { XDG_CACHE_HOME: '' }

  /** Starts it as a user does. */
  const start = (args: readonly string[], cwd: string, env = {}) =>
    runBinary(args, { cwd, env: { ...usualFolder, ...env } })

  test('compiled code is kept for each command that succeeds, and the next start behaves the same', async () => {
    const { cwd } = await startSandboxCommand()
    const first = await start(['whoami'], cwd)
    expect(first.code).toBe(0)
    expect(cachedNames(cwd)).toEqual(['whoami'])
    expect(await start(['whoami'], cwd)).toEqual(first)
    expect((await start(['sale', '--amount', 'x'], cwd)).code).toBe(2)
    expect((await start(['--help'], cwd)).code).toBe(0)
    expect(cachedNames(cwd).sort()).toEqual(['other', 'whoami'])
  })

  test('a sandbox keeps its compiled code at a stop, and uses it at a start', async () => {
    const cwd = scratchFolder()
    for (const round of [1, 2]) {
      const sandbox = launchBinary(['sandbox', 'start', '--port', '0', '--json'], {
        cwd,
        env: usualFolder,
      })
      expect(JSON.parse(await sandbox.until(/\n/)).url, `start ${round}`).toMatch(/^http/)
      expect((await sandbox.stop('SIGTERM')).code).toBe(0)
      expect(cachedNames(cwd)).toEqual(['sandbox.start'])
    }
  })

  test('compiled code is not kept where nothing can be written, nor with NODE_DISABLE_COMPILE_CACHE', async () => {
    const cwd = scratchFolder()
    const usual = await start(['--help'], cwd, { NODE_DISABLE_COMPILE_CACHE: '1' })
    expect(usual.code).toBe(0)
    expect(readdirSync(cwd)).toEqual([])
    writeFileSync(join(cwd, 'cache'), 'a file in place of the folder')
    expect(await start(['--help'], cwd, { XDG_CACHE_HOME: join(cwd, 'cache') })).toEqual(usual)
    expect(readdirSync(cwd)).toEqual(['cache'])
  })
})
