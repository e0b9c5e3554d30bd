import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const source = resolve(import.meta.dirname, '../../src')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.tsx?$/.test(name),
)

/** What a room may import of ours; rooms that are files stand by their name. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  api: ['api'],
  'fixtures.ts': [],
  'package-root.ts': [],
  files: ['files', 'package-root.ts'],
  webhook: ['webhook', 'api'],
  wallet: ['wallet', 'api', 'fixtures.ts'],
  domain: ['domain', 'api', 'fixtures.ts'],
  sandbox: ['sandbox', 'domain', 'wallet', 'webhook', 'files', 'api', 'fixtures.ts', 'package-root.ts'],
  client: ['client', 'files', 'api'],
  cli: ['cli', 'client', 'webhook', 'files', 'api', 'fixtures.ts', 'package-root.ts'],
  hooks: ['cli', 'api'],
  commands: ['cli', 'client', 'api', 'wallet', 'webhook', 'sandbox'],
  'main.ts': ['cli'],
  'index.ts': ['sandbox', 'api'],
}

/** Packages that one room alone may import, and where. */
const single: Readonly<Record<string, RegExp>> = {
  chalk: /^cli\/theme\.ts$/,
  'cli-table3': /^cli\/render\//,
  '@inquirer/prompts': /^cli\/prompt\.ts$/,
  lowdb: /^sandbox\//,
  hono: /^sandbox\//,
  '@hono/node-server': /^sandbox\//,
  valibot:
    /^(api\/|wallet\/|cli\/operation-flags\.ts$|sandbox\/(settings|store\/(manifest|listeners)|webhooks\/forwarded)\.ts$)/,
  tinyqueue: /^sandbox\//,
  selfsigned: /^sandbox\//,
}

interface Import {
  readonly from: string
  readonly what: string
  readonly lazy: boolean
}

const imports: Import[] = files.flatMap((from) =>
  [...readFileSync(join(source, from), 'utf8').matchAll(/(?:from|import)\s*(\()?\s*'([^']+)'/g)].map(
    ([, lazy, what]) => ({
      from,
      what: what as string,
      lazy: lazy !== undefined,
    }),
  ),
)

const roomOf = (path: string): string => path.split('/')[0] as string

describe('layers', () => {
  test('a room imports only the rooms below it', () => {
    const wrong = imports
      .filter(({ what }) => what.startsWith('.') && !what.endsWith('.json'))
      .map(({ from, what }) => ({ from, to: relative(source, resolve(source, dirname(from), what)) }))
      .filter(({ from, to }) => !allowed[roomOf(from)]?.includes(roomOf(to)))
    expect(wrong).toEqual([])
  })

  test('a heavy package has one importer', () => {
    const wrong = imports
      .filter(({ what }) => !what.startsWith('.') && !what.startsWith('node:'))
      .map(({ from, what }) => ({
        from,
        name: what
          .split('/')
          .slice(0, what.startsWith('@') ? 2 : 1)
          .join('/'),
      }))
      .filter(({ from, name }) => single[name] !== undefined && !single[name].test(from))
    expect(wrong).toEqual([])
  })

  test('commands load the sandbox only when it is started', () => {
    const wrong = imports.filter(
      ({ from, what, lazy }) =>
        from.startsWith('commands/') && what.includes('/sandbox/') && !lazy && !isTypeOnly(from, what),
    )
    expect(wrong).toEqual([])
  })

  test('the domain knows no clock, no chance and no I/O', () => {
    const impure = /\b(Date\.now|Math\.random|performance\.|process\.|setTimeout|fetch\()|from 'node:/
    const wrong = files.filter(
      (name) => name.startsWith('domain/') && impure.test(readFileSync(join(source, name), 'utf8')),
    )
    expect(wrong).toEqual([])
  })

  test('the server takes timers and clocks from one module', () => {
    const wrong = files.filter(
      (name) => ofServer.test(name) && takesGlobalTime(readFileSync(join(source, name), 'utf8')),
    )
    expect(wrong).toEqual([])
  })

  test.each([
    'Date.now()',
    'performance.now()',
    'new Date()',
    'setTimeout(run, 5)',
    'new Promise(setImmediate)',
    'queueMicrotask(run)',
    'globalThis.setInterval(run, 5)',
    "import { setTimeout as sleep } from 'node:timers/promises'",
  ])('%s counts as taken from elsewhere', (text) => expect(takesGlobalTime(text)).toBe(true))

  test.each(["import { setTimeout } from './timers.ts'\nsetTimeout(run, 5)", 'new Date(at)'])(
    '%s does not',
    (text) => expect(takesGlobalTime(text)).toBe(false),
  )
})

/** What runs in the process of the sandbox; browsers have timers of their own. */
const ofServer = /^(webhook|sandbox(?!\/(timers\.ts|pages\/(browser|assets)\/)))\//

/** True for a text that uses a timer or a clock which it did not import from the module of timers. */
function takesGlobalTime(text: string): boolean {
  const clocks = /\b(Date\.now|performance\.now|queueMicrotask|nextTick|node:timers)\b|new Date\(\)/
  if (clocks.test(text)) return true
  const [, own = ''] = /import \{([^}]*)\} from '[^']*\/timers\.ts'/.exec(text) ?? []
  const used = text.match(/\b(set|clear)(Timeout|Interval|Immediate)\b/g) ?? []
  return /globalThis\.(set|clear)/.test(text) || used.some((name) => !own.split(/[,\s]+/).includes(name))
}

const isTypeOnly = (from: string, what: string): boolean =>
  new RegExp(`import type \\{[^}]*\\} from '${what.replaceAll('.', '\\.')}'`).test(
    readFileSync(join(source, from), 'utf8'),
  )
