import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../package-root.ts'

/** Frameworks for which there is a webhook handler. */
export const frameworks = ['express', 'fastify', 'hono', 'node'] as const
export type Framework = (typeof frameworks)[number]

/** Packages that the handler of each framework imports. */
export const packagesOf: Readonly<Record<Framework, readonly string[]>> = {
  express: ['express'],
  fastify: ['fastify'],
  hono: ['hono', '@hono/node-server'],
  node: [],
}

/** Test runners for which tests are written. */
export const testRunners = ['vitest', 'jest', 'node'] as const
export type TestRunner = (typeof testRunners)[number]

/** What `init` can write. */
export const parts = ['config', 'webhook', 'smoke', 'ci', 'gitignore'] as const
export type TemplatePart = (typeof parts)[number]

/** A file of a project. `path`: from the folder of the project, with slashes. */
export interface GeneratedFile {
  readonly path: string
  readonly text: string
}

/** Where the templates are, as files of this package. */
const folder = join(packageRoot, 'fixtures/init')

/** A template, the parts that need it, and its target path; `:framework` stands for the chosen one. */
const templates: readonly (readonly [needed: readonly TemplatePart[], template: string, path: string])[] = [
  [['config'], 'tillbox.config.json', 'tillbox.config.json'],
  [['webhook'], 'handlers/:framework.mjs', 'tillbox/webhook.mjs'],
  [['webhook'], 'tillbox/verify-webhook.mjs', 'tillbox/verify-webhook.mjs'],
  [['webhook'], 'tillbox/handle-webhook.mjs', 'tillbox/handle-webhook.mjs'],
  [['webhook'], 'tillbox/webhook.test.mjs', 'tillbox/webhook.test.mjs'],
  [['smoke'], 'tillbox/smoke.test.mjs', 'tillbox/smoke.test.mjs'],
  [['ci'], 'tillbox.yml', '.github/workflows/tillbox.yml'],
]

/** jest accepts ES modules only with this flag of Node, and `.mjs` files only if configured. */
const jestCommand = 'node --experimental-vm-modules node_modules/jest/bin/jest.js'

/** Adapts a template with tests, written for Node's test runner, to each test runner. */
const inRunner: Readonly<Record<TestRunner, (text: string) => string>> = {
  node: (text) => text,
  vitest: (text) =>
    withCommand(text, 'npx vitest run')
      .replace("import { test } from 'node:test'\n", '')
      .replace("import { useSandbox } from 'tillbox/node-test'", "import { test } from 'tillbox/vitest'")
      .replace('const sandbox = useSandbox()\n\n', '')
      .replace(/^(test\(.*, async )\(\)/gm, '$1({ sandbox })'),
  jest: (text) =>
    withCommand(text, jestCommand)
      .replace("from 'node:test'", "from '@jest/globals'")
      .replace("'tillbox/node-test'", "'tillbox/jest'"),
}

const withCommand = (text: string, command: string): string => text.replaceAll('node --test', command)

/** The command that runs the tests. */
export const testCommands: Readonly<Record<TestRunner, string>> = {
  node: 'node --test tillbox/*.test.mjs',
  vitest: 'npx vitest run tillbox/',
  jest: `${jestCommand} --testMatch '**/tillbox/*.test.mjs'`,
}

/** The files of some parts. */
export const templateFiles = (
  chosen: readonly TemplatePart[],
  framework: Framework,
  runner: TestRunner,
): readonly GeneratedFile[] =>
  templates
    .filter(([needed]) => needed.some((part) => chosen.includes(part)))
    .map(([, template, path]) => ({
      path,
      text: inRunner[runner](
        readFileSync(join(folder, template.replace(':framework', framework)), 'utf8').replace(
          /^( *- run: )node --test .*$/m,
          `$1${testCommands[runner]}`,
        ),
      ),
    }))
