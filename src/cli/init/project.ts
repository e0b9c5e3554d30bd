import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve, sep } from 'node:path'
import { packageRoot } from '../../shared/package-root.ts'
import { readOr } from '../../shared/read-or.ts'
import { decodeText } from '../../shared/text/decode-text.ts'
import { shellQuote } from '../../shared/text/shell-quote.ts'

/**
 * What init does with a file. `kept`: it leaves a different text unchanged; `extended`: it appends to it;
 * `left-out`: it cannot be written.
 */
export type FileState = 'created' | 'replaced' | 'extended' | 'unchanged' | 'kept' | 'left-out'

/** A file, and what init does with it. `why`: it is left out. */
export interface PlannedFile extends GeneratedFile {
  readonly state: FileState
  readonly why?: string
}

/** Compares the files with the folder. `force`: existing files are replaced. */
export const planFiles = (folder: string, files: readonly GeneratedFile[], force: boolean): PlannedFile[] =>
  files.map((file) =>
    planned(folder, file, (there) => {
      if (there === file.text) return { ...file, state: 'unchanged' }
      return { ...file, state: force ? 'replaced' : 'kept' }
    }),
  )

/** A new file, or what becomes of the text that is there, whose other parts keep mark and line ends. */
function planned(folder: string, file: GeneratedFile, change: (there: string) => PlannedFile): PlannedFile {
  const why = whyUnwritable(folder, file.path)
  if (why !== undefined) return { ...file, state: 'left-out', why }
  const at = join(folder, file.path)
  if (!existsSync(at)) return { ...file, state: 'created' }
  const there = readOr(undefined, () => decodeText(readFileSync(at), true))
  if (there === undefined) return { ...file, state: 'left-out', why: 'it cannot be read as UTF-8' }
  const [, mark = '', body = ''] = /^(\ufeff?)(.*)$/s.exec(there) ?? []
  const plan = change(body.replaceAll('\r\n', '\n'))
  return { ...plan, text: mark + withLinesOf(body, plan.text) }
}

/** The text: unchanged lines at its ends as they were, the others with the line end of most. */
function withLinesOf(there: string, text: string): string {
  const [before, after] = [there.split(/(?<=\n)/), text.split(/(?<=\n)/)]
  const most = Math.min(before.length, after.length)
  const isSame = (index: number) => before.at(index)?.replace('\r\n', '\n') === after.at(index)
  let [first, last] = [0, 0]
  while (first < most && isSame(first)) first++
  while (last < most - first && isSame(-1 - last)) last++
  const end = before.filter((line) => line.endsWith('\r\n')).length * 2 > before.length ? '\r\n' : '\n'
  const written = after.slice(first, after.length - last).map((line) => line.replace('\n', end))
  return [...before.slice(0, first), ...written, ...before.slice(before.length - last)].join('')
}

/** Undefined for a file, or a path that is free. A link may lead out of the project. */
function whyUnwritable(folder: string, path: string): string | undefined {
  const parents = path.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'))
  for (const part of parents) {
    const stats = lstatSync(join(folder, part), { throwIfNoEntry: false })
    if (stats === undefined) return undefined
    if (stats.isSymbolicLink()) return `${part} is a link`
    if (part === path ? !stats.isFile() : !stats.isDirectory())
      return `${part} is no ${part === path ? 'file' : 'folder'}`
  }
  return undefined
}

/** Writes new and replaced files. A file that was created meanwhile is not overwritten. */
export function writeFiles(folder: string, files: readonly PlannedFile[]): void {
  for (const { path, text, state } of files) {
    if (['unchanged', 'kept', 'left-out'].includes(state) || whyUnwritable(folder, path) !== undefined)
      continue
    const at = join(folder, path)
    mkdirSync(dirname(at), { recursive: true })
    if (state !== 'created') rmSync(at) // what it links to, or is linked to, keeps its text
    writeFileSync(at, text, { flag: 'wx' })
  }
}

/** The data of the folder's package.json; undefined when it is missing or unreadable. */
export function readPackageJson(folder: string): { readonly names: readonly string[] } | undefined {
  try {
    const { dependencies, devDependencies } = JSON.parse(
      decodeText(readFileSync(resolve(folder, 'package.json'))),
    )
    return { names: Object.keys({ ...dependencies, ...devDependencies }) }
  } catch {
    return undefined // a project without it can be begun as well
  }
}

/** What a package manager adds: the package, or the folder that this program runs from, as a clone does. */
export const packageToAdd = (): string =>
  packageRoot.split(sep).includes('node_modules') ? 'tillbox' : shellQuote(packageRoot)

/** True when the project can import tillbox: `npm link` and workspaces leave package.json as it is. */
export function isInstalled(folder: string): boolean {
  try {
    return createRequire(join(folder, 'package.json')).resolve('tillbox/package.json') !== ''
  } catch {
    return false
  }
}

/** How a package manager adds packages, installs its lock file, and runs a dependency's command. */
interface PackageManager {
  readonly name: string
  readonly add: string
  readonly ci: string
  readonly run: string
}

const npm: PackageManager = { name: 'npm', add: 'npm install', ci: 'npm ci', run: 'npx' }
const bun = { ...npm, run: 'bunx' }

/** Package managers by their lock files; npm is the default. */
const managers: readonly (readonly [lockFile: string, PackageManager])[] = [
  [
    'pnpm-lock.yaml',
    { name: 'pnpm', add: 'pnpm add', ci: 'pnpm install --frozen-lockfile', run: 'pnpm exec' },
  ],
  ['yarn.lock', { name: 'yarn', add: 'yarn add', ci: 'yarn install --frozen-lockfile', run: 'yarn' }],
  ['bun.lock', bun],
  ['bun.lockb', bun],
]

/** The package manager of the project, by the lock file in its folder. */
export const packageManagerOf = (folder: string): PackageManager =>
  managers.find(([lockFile]) => existsSync(join(folder, lockFile)))?.[1] ?? npm

/** The CI job with a package manager's commands. GitHub's machines have pnpm and each yarn by corepack. */
const inManager = (text: string, { name, ci }: PackageManager): string =>
  name === npm.name
    ? text
    : text
        .replace(/^ *- uses: actions\/setup-node/m, '      - run: corepack enable\n$&')
        .replace('cache: npm', `cache: ${name}`)
        .replaceAll(npm.ci, ci)

/** The test runner that the project depends on; Node's own where none is known. */
export const testRunnerOf = (folder: string): TestRunner =>
  testRunners.find((name) => readPackageJson(folder)?.names.includes(name)) ?? 'node'

const ignoredLine = '.tillbox/'

/** .gitignore with that line: a new file, or the existing one with the line appended. */
export function planGitignore(folder: string): PlannedFile {
  const path = '.gitignore'
  return planned(folder, { path, text: `${ignoredLine}\n` }, (there) => {
    if (/^\/?\.tillbox\/?$/m.test(there)) return { path, text: there, state: 'unchanged' }
    const gap = there === '' || there.endsWith('\n') ? '' : '\n'
    return { path, text: `${there}${gap}${ignoredLine}\n`, state: 'extended' }
  })
}

const [sectionBegin, sectionEnd] = ['<!-- tillbox -->', '<!-- /tillbox -->']

/**
 * AGENTS.md with a section about tillbox, which has the text of SKILL.md: a new file, or the existing one
 * with the section appended. Another text of the section is kept, or with `force` replaced.
 */
export function planAgents(folder: string, force: boolean): PlannedFile {
  const path = 'AGENTS.md'
  const skill = readFileSync(join(packageRoot, 'SKILL.md'), 'utf8')
    .replace(/^---\n[\s\S]*?\n---\n+/, '')
    .replace('npx tillbox', `${packageManagerOf(folder).run} tillbox`)
  const section = `${sectionBegin}\n${skill.replace(/^#/gm, '##').trimEnd()}\n${sectionEnd}\n`
  return planned(folder, { path, text: section }, (there) => {
    const [begin, end] = [there.indexOf(sectionBegin), there.indexOf(sectionEnd)]
    const gap = there === '' || there.endsWith('\n\n') ? '' : there.endsWith('\n') ? '\n' : '\n\n'
    if (begin === -1 || end < begin) return { path, text: `${there}${gap}${section}`, state: 'extended' }
    const text = there.slice(0, begin) + section.trimEnd() + there.slice(end + sectionEnd.length)
    return { path, text, state: text === there ? 'unchanged' : force ? 'replaced' : 'kept' }
  })
}

/** The framework that the project depends on; undefined when none is known. */
export const findFramework = (folder: string): Framework | undefined =>
  frameworks.find((name) => readPackageJson(folder)?.names.includes(name))

/** Frameworks for which there is a webhook handler. */
export const frameworks = ['express', 'fastify', 'hono', 'next', 'node'] as const
export type Framework = (typeof frameworks)[number]

const packagesFor: Readonly<Record<Framework, readonly string[]>> = {
  express: ['express'],
  fastify: ['fastify'],
  hono: ['hono', '@hono/node-server'],
  next: ['next'],
  node: [],
}

/** Test runners for which tests are written. */
export const testRunners = ['vitest', 'jest', 'node'] as const
export type TestRunner = (typeof testRunners)[number]

/** What `init` can write. */
export const parts = ['config', 'webhook', 'smoke', 'ci', 'gitignore', 'agents'] as const
export type TemplatePart = (typeof parts)[number]

/** A file of a project. `path`: from the folder of the project, with slashes. */
interface GeneratedFile {
  readonly path: string
  readonly text: string
}

/** What init writes: its parts and files, and the lines that say what to do next. */
export interface Project {
  readonly parts: readonly TemplatePart[]
  readonly files: readonly GeneratedFile[]
  readonly steps: readonly string[]
}

const sources = join(packageRoot, 'fixtures/init')

const nextRoute = 'app/webhooks/route.js'

/** Next.js ignores `src/app` once there is an `app`, and refuses an `app` beside `src/pages`. */
const isInSrc = (folder: string): boolean =>
  ['app', 'pages'].some((name) => existsSync(join(folder, 'src', name)) && !existsSync(join(folder, name)))

/** The route of Next.js below `src`, and what names it. */
const intoSrc = ({ path, text }: GeneratedFile): GeneratedFile => ({
  path: path === nextRoute ? `src/${path}` : path,
  text: text.replaceAll("'../../tillbox/", "'../../../tillbox/").replaceAll(nextRoute, `src/${nextRoute}`),
})

/** A template, the parts that need it, and its target path; `:framework` stands for the chosen one. */
const templates: readonly (readonly [needed: readonly TemplatePart[], template: string, path: string])[] = [
  [['config'], 'tillbox.config.json', 'tillbox.config.json'],
  [['webhook'], 'handlers/:framework.mjs', 'tillbox/webhook.mjs'],
  [['webhook'], 'handlers/:framework-route.mjs', nextRoute], // of Next.js alone
  [['webhook'], 'tillbox/verify-webhook.mjs', 'tillbox/verify-webhook.mjs'],
  [['webhook'], 'tillbox/handle-webhook.mjs', 'tillbox/handle-webhook.mjs'],
  [['webhook'], 'tillbox/webhook.test.mjs', 'tillbox/webhook.test.mjs'],
  [['smoke'], 'tillbox/smoke.test.mjs', 'tillbox/smoke.test.mjs'],
  [['ci'], 'tillbox.yml', '.github/workflows/tillbox.yml'],
]

/** jest accepts ES modules only with this flag of Node, and `.mjs` files only if configured. */
const jestCommand = 'npx --node-options=--experimental-vm-modules jest'

/** Time limit of a test that starts a sandbox and a handler: Vitest and Jest allow 5 s. Milliseconds. */
const patience = '30_000'

/** Adapts a template with tests, written for Node's test runner, to each test runner. */
const inRunner: Readonly<Record<TestRunner, (text: string) => string>> = {
  node: (text) => text,
  vitest: (text) =>
    text
      .replaceAll('node --test', 'npx vitest run')
      .replace("import { test } from 'node:test'\n", '')
      .replace(
        "import { useSandbox } from 'tillbox/node-test'",
        "import { test } from 'tillbox/vitest'\nimport { vi } from 'vitest'",
      )
      .replace('const sandbox = useSandbox()', `vi.setConfig({ testTimeout: ${patience} })`)
      .replace(/^(test\(.*, async )\(\)/gm, '$1({ sandbox })'),
  jest: (text) =>
    text
      .replace(/node --test (\S+)/g, `${jestCommand} --testMatch '**/$1'`)
      .replace("import { test } from 'node:test'", "import { jest, test } from '@jest/globals'")
      .replace('const sandbox = useSandbox()', `jest.setTimeout(${patience})\n$&`)
      .replace("'tillbox/node-test'", "'tillbox/jest'"),
}

const testCommands: Readonly<Record<TestRunner, string>> = {
  node: 'node --test tillbox/*.test.mjs',
  vitest: 'npx vitest run tillbox/',
  jest: `${jestCommand} --testMatch '**/tillbox/*.test.mjs'`,
}

/** What is written in JavaScript. */
export function javaScriptProject(
  folder: string,
  parts: readonly TemplatePart[],
  framework: Framework,
  runner: TestRunner,
): Project {
  const manager = packageManagerOf(folder)
  const files = templates
    .filter(([needed]) => needed.some((part) => parts.includes(part)))
    .map(([, template, path]) => ({ path, source: join(sources, template.replace(':framework', framework)) }))
    .filter(({ source }) => existsSync(source))
    .map(({ path, source }) => ({
      path,
      text: inManager(
        inRunner[runner](
          readFileSync(source, 'utf8').replace(/^( *- run: )node --test .*$/m, `$1${testCommands[runner]}`),
        ),
        manager,
      ),
    }))
    .map((file) => (isInSrc(folder) ? intoSrc(file) : file))
  const dependencies = readPackageJson(folder)?.names ?? []
  const hasHandler = parts.includes('webhook')
  const missing = hasHandler ? packagesFor[framework].filter((name) => !dependencies.includes(name)) : []
  const hasTests = hasHandler || parts.includes('smoke')
  const isRunnerMissing = hasTests && runner !== 'node' && !dependencies.includes(runner)
  const steps = [
    ...(missing.length === 0 ? [] : [`${manager.add} ${missing.join(' ')}`]),
    ...(isRunnerMissing ? [`${manager.add} -D ${runner}`] : []),
    ...(hasTests ? [testCommands[runner]] : []),
    ...(hasHandler
      ? handlerSteps(framework === 'next' ? 'npx next dev' : 'node tillbox/webhook.mjs')
      : ['npx tillbox sandbox start']),
  ]
  return { parts, files, steps }
}

/** How a webhook handler is tried. `run`: the command that runs it. */
export const handlerSteps = (run: string): readonly string[] => [
  'npx tillbox sandbox start --notify-url http://127.0.0.1:3000/webhooks   # in another window',
  `TILLBOX_WEBHOOK_SECRET=$(npx tillbox webhook secret) ${run}   # in another`,
  'npx tillbox doctor',
]
