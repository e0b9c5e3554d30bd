import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../support/commands/command.ts'
import { scratchFolder } from '../support/commands/scratch.ts'
import { projectRoot } from '../support/project.ts'

/** A project that has tillbox and some other packages of ours installed, with what `tillbox init` writes. */
async function initialised(packages: readonly string[], ...flags: string[]): Promise<string> {
  const cwd = scratchFolder()
  const modules = join(cwd, 'node_modules')
  mkdirSync(join(modules, '@hono'), { recursive: true })
  symlinkSync(projectRoot, join(modules, 'tillbox'))
  for (const name of packages) symlinkSync(join(projectRoot, 'node_modules', name), join(modules, name))
  expect(await runCommand(['init', ...flags, '--yes'], { cwd })).toMatchObject({ code: 0 })
  return cwd
}

/** Runs the tests that were written, as the CI job does. Errors: what they printed. */
const runTests = (cwd: string, ...args: string[]): string =>
  execFileSync(process.execPath, args, {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: cwd },
    encoding: 'utf8',
  })

test.each([
  ['node', []],
  ['hono', ['hono', '@hono/node-server']],
])('the tests of a project with %s pass against a sandbox', async (framework, packages) => {
  const cwd = await initialised(packages, '--framework', framework)
  const tests = ['tillbox/webhook.test.mjs', ...(framework === 'node' ? ['tillbox/smoke.test.mjs'] : [])]
  const output = runTests(cwd, '--test', '--test-reporter=tap', ...tests)
  expect(output).toMatch(/^# fail 0$/m)
  expect(output).toContain('a webhook with a wrong signature, or with none, is refused')
})

test('the tests of a project with vitest pass', async () => {
  const cwd = await initialised(['vitest'], '--tests', 'vitest', '--framework', 'node')
  const vitest = join(projectRoot, 'node_modules/vitest/vitest.mjs')
  const flags = ['--no-cache', '--no-color', '--testTimeout=60000']
  expect(runTests(cwd, vitest, 'run', '--root', cwd, ...flags)).toMatch(/Test Files {2}2 passed/)
})

test('a strict TypeScript project that checks JavaScript compiles what was written, and imports the webhook modules with their types', async () => {
  const cwd = await initialised(['@types'], '--framework', 'node')
  writeFileSync(
    join(cwd, 'shop.mts'),
    `import { type Notification, handleWebhook } from './tillbox/handle-webhook.mjs'
import { webhookReceiver } from './tillbox/verify-webhook.mjs'
const receive = webhookReceiver(process.env.TILLBOX_WEBHOOK_SECRET, (given: Notification) => handleWebhook(given))
export const status: Promise<200 | 400 | 401 | 500> = receive({ 'x-signature': 'none' }, Buffer.from('{}'))
// @ts-expect-error no such member
export const wrong = (given: Notification) => given.transactionID
`,
  )
  const compilerOptions = {
    allowJs: true,
    checkJs: true,
    rootDir: '/',
    paths: { 'tillbox/node-test': [join(projectRoot, 'src/library/node-test.ts')] },
  }
  const settings = {
    extends: join(projectRoot, 'tsconfig.json'),
    compilerOptions,
    include: ['shop.mts', 'tillbox'],
  }
  writeFileSync(join(cwd, 'tsconfig.json'), JSON.stringify(settings))
  const compiler = join(projectRoot, 'node_modules/.bin/tsc')
  expect(() => execFileSync(compiler, ['-p', cwd], { cwd, encoding: 'utf8' })).not.toThrow()
})
