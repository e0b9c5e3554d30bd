import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const source = resolve(import.meta.dirname, '../../src')
const filesIn = (folder: string): string[] =>
  readdirSync(resolve(source, '..', folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.\w+$/.test(name),
  )
const everyFile = filesIn('src')
const testFiles = filesIn('test').map((name) => join('test', name))
const files = everyFile.filter((name) => /\.tsx?$/.test(name))

/**
 * The folders of src, and what each may import of ours beside itself; type imports count. A file directly in src stands
 * by its name. The order is from the bottom up: no folder imports one below it in this list.
 */
const allowed = {
  'is-object.ts': [],
  'named-error.ts': [],
  'timers.ts': [],
  'package-root.ts': [],
  'undo-all.ts': [],
  text: [],
  contract: ['text', 'named-error.ts', 'is-object.ts'],
  transport: ['contract', 'timers.ts', 'named-error.ts'],
  openapi: ['contract', 'package-root.ts'],
  'fixtures.ts': ['contract'],
  'fixture-files': ['contract', 'text', 'fixtures.ts', 'named-error.ts', 'is-object.ts'],
  presentation: ['contract', 'text'],
  files: ['package-root.ts', 'timers.ts', 'named-error.ts', 'is-object.ts'],
  access: ['files', 'contract', 'timers.ts'],
  signature: ['contract', 'text'],
  wallet: ['contract', 'fixtures.ts', 'is-object.ts'],
  domain: ['contract', 'text', 'fixtures.ts', 'timers.ts'],
  records: ['domain', 'contract', 'fixtures.ts'],
  store: [
    'access',
    'domain',
    'files',
    'transport',
    'contract',
    'text',
    'fixtures.ts',
    'package-root.ts',
    'timers.ts',
    'undo-all.ts',
    'named-error.ts',
  ],
  engine: ['store', 'domain', 'contract', 'fixtures.ts', 'timers.ts'],
  http: ['engine', 'access', 'contract', 'timers.ts', 'is-object.ts'],
  faults: ['engine', 'contract', 'timers.ts'],
  webhooks: [
    'faults',
    'http',
    'engine',
    'store',
    'records',
    'domain',
    'signature',
    'files',
    'contract',
    'text',
    'fixtures.ts',
    'timers.ts',
    'transport',
    'named-error.ts',
  ],
  views: ['webhooks', 'engine', 'records', 'domain', 'contract', 'text', 'timers.ts'],
  'request-log': [
    'webhooks',
    'http',
    'engine',
    'store',
    'domain',
    'presentation',
    'contract',
    'timers.ts',
    'is-object.ts',
  ],
  answering: ['request-log', 'http', 'engine', 'contract', 'timers.ts'],
  service: [
    'answering',
    'request-log',
    'faults',
    'webhooks',
    'http',
    'engine',
    'records',
    'domain',
    'wallet',
    'contract',
    'text',
    'fixtures.ts',
    'timers.ts',
  ],
  control: [
    'answering',
    'openapi',
    'request-log',
    'faults',
    'views',
    'webhooks',
    'http',
    'engine',
    'access',
    'store',
    'records',
    'domain',
    'signature',
    'contract',
    'text',
    'fixtures.ts',
    'package-root.ts',
    'timers.ts',
  ],
  pages: [
    'control',
    'answering',
    'wallet',
    'openapi',
    'request-log',
    'views',
    'webhooks',
    'http',
    'engine',
    'records',
    'domain',
    'presentation',
    'signature',
    'contract',
    'text',
    'fixtures.ts',
    'package-root.ts',
    'timers.ts',
  ],
  sandbox: [
    'fixture-files',
    'faults',
    'pages',
    'control',
    'service',
    'answering',
    'request-log',
    'views',
    'webhooks',
    'http',
    'engine',
    'store',
    'access',
    'domain',
    'signature',
    'files',
    'contract',
    'fixtures.ts',
    'timers.ts',
    'named-error.ts',
    'undo-all.ts',
  ],
  server: [
    'access',
    'sandbox',
    'pages',
    'fixture-files',
    'control',
    'views',
    'webhooks',
    'http',
    'engine',
    'store',
    'domain',
    'files',
    'transport',
    'contract',
    'text',
    'fixtures.ts',
    'timers.ts',
    'package-root.ts',
    'undo-all.ts',
    'named-error.ts',
  ],
  client: ['files', 'transport', 'contract', 'timers.ts', 'named-error.ts', 'is-object.ts'],
  library: [
    'server',
    'sandbox',
    'fixture-files',
    'client',
    'signature',
    'files',
    'contract',
    'text',
    'package-root.ts',
    'timers.ts',
    'named-error.ts',
  ],
  scenario: [
    'library',
    'client',
    'fixture-files',
    'transport',
    'contract',
    'text',
    'timers.ts',
    'named-error.ts',
    'is-object.ts',
  ],
  seed: ['scenario', 'fixture-files', 'library', 'server', 'sandbox', 'files', 'named-error.ts'],
  cli: [
    'scenario',
    'client',
    'signature',
    'presentation',
    'files',
    'transport',
    'contract',
    'text',
    'fixtures.ts',
    'package-root.ts',
    'named-error.ts',
    'is-object.ts',
  ],
  hooks: ['cli', 'text'],
  commands: [
    'seed',
    'scenario',
    'server',
    'openapi',
    'fixture-files',
    'store',
    'files',
    'cli',
    'client',
    'wallet',
    'signature',
    'transport',
    'contract',
    'text',
    'fixtures.ts',
    'is-object.ts',
  ],
  'main.ts': ['cli'],
  'index.ts': ['seed', 'library', 'server', 'client', 'fixture-files', 'contract'],
  'vitest.ts': ['index.ts'],
  'jest.ts': ['index.ts'],
  'node-test.ts': ['index.ts'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** The same for what lies inside the large folders. */
const allowedInside: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  cli: {
    'browser.ts': [],
    hints: [],
    'json-times.ts': [],
    'parent-process.ts': [],
    start: [],
    'interruption.ts': ['parent-process.ts'],
    output: ['hints'],
    access: ['output', 'hints'],
    'answer-format.ts': ['output'],
    errors: ['output', 'hints'],
    'answer-members.ts': ['errors'],
    help: ['errors', 'output'],
    init: ['errors', 'output'],
    input: ['errors', 'output', 'hints'],
    'base-command.ts': [
      'input',
      'answer-members.ts',
      'errors',
      'answer-format.ts',
      'output',
      'json-times.ts',
      'hints',
    ],
    settings: ['input', 'errors'],
    tty: ['input', 'errors', 'output', 'hints'],
    connection: ['settings', 'input', 'errors', 'output'],
    listing: ['connection', 'base-command.ts', 'output', 'hints'],
    profile: ['connection', 'settings', 'input', 'errors', 'output'],
    request: ['connection', 'input', 'errors', 'output', 'hints'],
    'server-command.ts': ['connection', 'base-command.ts'],
    webhook: ['connection', 'tty', 'input', 'errors', 'output', 'hints'],
    sandbox: ['listing', 'connection', 'settings', 'input', 'errors', 'output', 'hints'],
    'sandbox-command.ts': ['webhook', 'connection', 'base-command.ts'],
    terminal: ['webhook', 'connection', 'tty', 'base-command.ts', 'input', 'errors', 'output', 'hints'],
    doctor: ['sandbox', 'connection', 'settings', 'errors', 'output', 'hints'],
    lifecycle: ['sandbox', 'connection', 'errors', 'output', 'interruption.ts', 'parent-process.ts', 'hints'],
    operation: [
      'terminal',
      'webhook',
      'request',
      'connection',
      'base-command.ts',
      'input',
      'errors',
      'output',
      'hints',
    ],
    scenario: ['operation', 'connection', 'errors', 'output', 'hints'],
    answers: ['scenario', 'lifecycle', 'doctor', 'profile', 'init', 'help', 'errors'],
    completion: ['scenario', 'profile', 'connection', 'output'],
  },
  pages: {
    jsx: [],
    components: ['jsx'],
    frame: ['components', 'jsx'],
    masthead: ['frame', 'components', 'jsx'],
    document: ['masthead', 'frame', 'components'],
    serving: ['document', 'masthead', 'frame', 'components', 'jsx'],
    checkout: ['serving', 'frame', 'components', 'jsx'],
    terminal: ['serving', 'document', 'masthead', 'frame', 'components', 'jsx'],
    browser: ['checkout', 'components'],
    dashboard: ['terminal', 'checkout', 'serving', 'document', 'masthead', 'frame', 'components', 'jsx'],
    'routes.ts': ['dashboard', 'terminal', 'checkout', 'serving', 'frame'],
  },
  store: {
    'ask-holder.ts': [],
    'forwarded-position.ts': [],
    'group-queue.ts': [],
    'lost-state.ts': [],
    'mendable-error.ts': [],
    'space-list.ts': [],
    'store.ts': [],
    'lock.ts': ['ask-holder.ts'],
    file: ['store.ts', 'lock.ts', 'lost-state.ts', 'group-queue.ts', 'space-list.ts'],
    storage: ['file', 'store.ts', 'lost-state.ts', 'forwarded-position.ts'],
    postgres: [
      'storage',
      'file',
      'store.ts',
      'mendable-error.ts',
      'lost-state.ts',
      'group-queue.ts',
      'forwarded-position.ts',
    ],
  },
}

/** Files directly in a folder, at most: what does not fit wants a folder of its own. */
const mostLooseFiles = 16

/** The files that may import each package; oclif may be imported anywhere. */
const importersOf: Readonly<Record<string, RegExp>> = {
  chalk: /^cli\/output\/theme\.ts$/,
  'cli-table3': /^cli\/output\//,
  '@inquirer/prompts': /^cli\/input\/prompt\.ts$/,
  lowdb: /^(store|sandbox)\//,
  hono: /^(http|service|control|pages|sandbox)\//,
  '@hono/node-server': /^(http|sandbox)\//,
  valibot:
    /^(contract|access|wallet|domain|store|fixture-files)\/|^cli\/(operation\/operation-flags|settings\/.*)\.ts$|^library\/(sandbox-options|request-types)\.ts$|^scenario\/file\/(scenario-schema|read-scenario|scenario-sandbox)\.ts$/,
  yaml: /^fixture-files\/(yaml|source-lines)\.ts$/,
  pg: /^store\/postgres\/connection\/connection\.ts$/,
  tinyqueue: /^(engine|domain\/model)\//,
  selfsigned: /^server\//,
  'eventsource-parser': /^client\/server-sent-events\.ts$/,
  'fast-wrap-ansi': /^text\/wrap\.ts$/,
  'fast-string-width': /^text\/display-width\.ts$/,
  'fastest-levenshtein': /^text\/suggest\.ts$/,
  'htmx-ext-sse': /^pages\/browser\/htmx\.ts$/,
  vitest: /^vitest\.ts$/,
  'htmx.org': /^pages\/browser\/htmx\.ts$/,
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

const own = imports
  .filter(({ what }) => what.startsWith('.') && !what.endsWith('.json'))
  .map(({ from, what }) => ({ from, to: relative(source, resolve(source, dirname(from), what)) }))

describe.each(Object.entries({ '': allowed, ...allowedInside }))('layers of src/%s', (folder, table) => {
  const place = folder === '' ? [] : [folder]
  const isInside = (path: string) => folder === '' || path.startsWith(`${folder}/`)
  const partOf = (path: string) => path.split('/')[place.length] as string
  const imported = own
    .filter(({ from, to }) => isInside(from) && isInside(to))
    .map(({ from, to }) => ({ from, to, edge: `${partOf(from)} -> ${partOf(to)}` }))
    .filter(({ from, to }) => partOf(from) !== partOf(to))
  const order = Object.keys(table)
  const edges = Object.entries(table).flatMap(([from, all]) => all.map((to) => `${from} -> ${to}`))

  test('a part imports only what the table allows', () => {
    expect(imported.filter(({ edge }) => !edges.includes(edge))).toEqual([])
  })

  test('the table covers every part and names no other', () => {
    expect([...order].sort()).toEqual([...new Set(files.filter(isInside).map(partOf))].sort())
  })

  test('every edge of the table is used', () => {
    const used = new Set(imported.map(({ edge }) => edge))
    expect(edges.filter((edge) => !used.has(edge))).toEqual([])
  })

  test('the table goes from the bottom up', () => {
    const up = edges.filter((edge) => {
      const [from = '', to = ''] = edge.split(' -> ')
      return order.indexOf(to) >= order.indexOf(from)
    })
    expect(up).toEqual([])
  })
})

describe('imports', () => {
  test.each([
    ['file', (from: string, to: string) => [from, to]],
    ['folder', foldersBetween],
  ] as const)('no import leads back to its own %s', (_, edgeOf) => {
    const edges = new Map<string, Set<string>>()
    for (const { from, to } of own) {
      const [one, other] = edgeOf(from, to) as [string, string]
      if (one !== other) edges.set(one, (edges.get(one) ?? new Set()).add(other))
    }
    expect(cyclesIn(edges)).toEqual([])
  })

  test('no folder has too many loose files', () => {
    const counts = new Map<string, number>()
    const sourceFiles = everyFile.filter((file) => !file.startsWith('commands/')) // there the path of a file is its command
    for (const file of [...sourceFiles, ...testFiles])
      counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
    expect([...counts].filter(([, count]) => count > mostLooseFiles)).toEqual([])
  })

  test('each package is imported only by the files that its row names', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(source, '../package.json'), 'utf8'))
    const wrong = imports
      .map(({ from, what }) => ({ from, name: /^(@[^/]+\/)?[^/]+/.exec(what)?.[0] ?? '' }))
      .filter(({ name }) => name in devDependencies && name !== '@oclif/core')
      .filter(({ from, name }) => importersOf[name]?.test(from) !== true)
    expect(wrong).toEqual([])
  })

  test('hono/jsx is imported for its types alone, because its renderer slows every later request', () => {
    const wrong = imports.filter(
      ({ from, what }) => /^hono\/(jsx|html)/.test(what) && !isTypeOnly(from, what),
    )
    expect(wrong).toEqual([])
  })

  test('commands load the sandbox only when it is started', () => {
    const wrong = imports.filter(
      ({ from, what, lazy }) =>
        from.startsWith('commands/') &&
        /\/(seed|scenario|server|sandbox|store|fixture-files)\//.test(what) &&
        !what.includes('/cli/') &&
        !what.includes('/contract/') &&
        !lazy &&
        !isTypeOnly(from, what),
    )
    expect(wrong).toEqual([])
  })

  test('every class of errors extends NamedError, by which instanceof knows it in both copies of the package', () => {
    const heads = files
      .filter((name) => name !== 'named-error.ts')
      .flatMap((name) => classesIn(readFileSync(join(source, name), 'utf8')))
    const isNamed = (name: string): boolean =>
      name === 'NamedError' || heads.some((each) => each.name === name && isNamed(each.base))
    expect(heads.filter(({ base }) => /^\w*Error$/.test(base) && !isNamed(base))).toEqual([])
    const named = heads.filter(({ name }) => isNamed(name))
    const ownName = /^ {2}static override readonly name(?:: string)? = '(\w+)'$/
    expect(named.filter(({ name, first }) => ownName.exec(first)?.[1] !== name)).toEqual([])
    expect(named.length).toBeGreaterThan(30)
  })

  test.each([
    'class Closed extends Error {}',
    'export class Closed<T extends object> extends Error implements Named {}',
    'class Closed extends Error {\n}',
    'class Closed extends Error {\n  code = 1\n}',
  ])('%j counts as a class of errors', (text) =>
    expect(classesIn(text)).toMatchObject([{ name: 'Closed', base: 'Error' }]),
  )

  test('the domain uses no clock, no randomness and no I/O', () => {
    const impure = /\b(Date\.now|Math\.random|performance\.|process\.|setTimeout|fetch\()|from 'node:/
    const wrong = files.filter(
      (name) => name.startsWith('domain/') && impure.test(readFileSync(join(source, name), 'utf8')),
    )
    expect(wrong).toEqual([])
  })

  test('the server side looks up fixtures in the catalogue of its sandbox, never in the built-in tables', () => {
    const tables =
      /import (?!type)\{[^}]*\b(builtIn|applications|cards|outcomes)\b[^}]*\} from '[^']*fixtures\.ts'/
    const naming = files.filter((name) => tables.test(readFileSync(join(source, name), 'utf8')))
    expect(naming.filter((name) => !/^(cli|commands)\//.test(name)).sort()).toEqual([
      'fixture-files/read-fixtures.ts',
      'sandbox/options.ts',
      'server/catalogue.ts',
      'store/file/repair.ts',
      'store/file/verify.ts',
    ])
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
  ])('%s counts as a timer or clock from elsewhere', (text) => expect(takesGlobalTime(text)).toBe(true))

  test.each(["import { setTimeout } from './timers.ts'\nsetTimeout(run, 5)", 'new Date(at)'])(
    '%s does not count as a timer or clock from elsewhere',
    (text) => expect(takesGlobalTime(text)).toBe(false),
  )
})

/** The folders of two files below the last one that holds both, or that one for a file that lies in it; of `src` itself the files. */
function foldersBetween(from: string, to: string): [string, string] {
  const [one, other] = [from.split('/'), to.split('/')]
  const shared = one.findIndex((name, level) => name !== other[level])
  const folderPath = (path: readonly string[]) =>
    path.slice(0, path.length > shared + 1 || shared === 0 ? shared + 1 : shared).join('/')
  return [folderPath(one), folderPath(other)]
}

/**
 * The imports that form cycles, and those between cycles: an import from a folder that nothing imports, or of one that
 * imports nothing, is left out again and again.
 */
function cyclesIn(edges: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  let left = [...edges].flatMap(([from, all]) => [...all].map((to) => ({ from, to })))
  for (let before = -1; before !== left.length; ) {
    before = left.length
    const [importers, imported] = [new Set(left.map(({ from }) => from)), new Set(left.map(({ to }) => to))]
    left = left.filter(({ from, to }) => importers.has(to) && imported.has(from))
  }
  return left.map(({ from, to }) => `${from} -> ${to}`)
}

/** Classes that extend another one, and the first line of each body; none where the body is on the line of the class. */
const classesIn = (text: string): { name: string; base: string; first: string }[] =>
  [...text.matchAll(/class (\w+)(?:<[^>]*>)? extends (\w+)[^{\n]*\{(?:\n(.*))?/g)].map(
    ([, name = '', base = '', first = '']) => ({ name, base, first }),
  )

/** What runs in the process of the sandbox; browsers have timers of their own. */
const ofServer =
  /^(access|transport|store|engine|http|webhooks|views|request-log|answering|service|control|sandbox|pages(?!\/browser))\//

/** True for a text that uses a timer or a clock which it did not import from the module of timers. */
function takesGlobalTime(text: string): boolean {
  const clocks = /\b(Date\.now|performance\.now|queueMicrotask|node:timers)\b|new Date\(\)/
  if (clocks.test(text)) return true
  const [, own = ''] = /import \{([^}]*)\} from '[^']*\/timers\.ts'/.exec(text) ?? []
  const used = text.match(/\b((set|clear)(Timeout|Interval|Immediate)|nextTick)\b/g) ?? []
  return /globalThis\.(set|clear)/.test(text) || used.some((name) => !own.split(/[,\s]+/).includes(name))
}

const isTypeOnly = (from: string, what: string): boolean =>
  new RegExp(`import type \\{[^}]*\\} from '${what.replaceAll('.', '\\.')}'`).test(
    readFileSync(join(source, from), 'utf8'),
  )
