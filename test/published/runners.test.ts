import { execFile } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { folderWith } from '../support/commands/scratch.ts'
import { openTestSandbox } from '../support/service/test-sandbox.ts'

/** Runs test files with vitest, in a folder and with an environment of their own; resolves to what it says. */
async function suite(files: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) {
  const folder = folderWith(files)
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  // Threads start sooner than processes, and the machine may be busy.
  const flags = ['--no-cache', '--no-color', '--pool=threads', '--testTimeout=60000']
  const args = [resolve('node_modules/vitest/vitest.mjs'), 'run', '--root', folder, ...flags]
  const { PATH = '', HOME = '' } = process.env
  return new Promise<{ readonly stdout: string }>((done) =>
    execFile(process.execPath, args, { cwd: folder, env: { PATH, HOME, ...env } }, (_, stdout, stderr) =>
      done({ stdout: stdout + stderr }),
    ),
  )
}

const failure = (concurrent: string, options: string) => `
import { sandboxTest } from ${JSON.stringify(resolve('dist/vitest.js'))}
sandboxTest(${options})${concurrent}('two at once', async ({ sandbox, expect }) => {
  await sandbox.client.sale({ amount: 1000, priceCurrency: 'USD' })
  expect(await sandbox.payments.list()).toHaveLength(1)
})
`
test('concurrent tests are refused with advice in a sandbox that is reset', async () => {
  const { stdout } = await suite({ 'a.test.ts': failure('.concurrent', '') })
  expect(stdout).toContain("'two at once' is concurrent, and the sandbox of a file is reset before each test")
  expect(stdout).toContain('newMerchant()')
})

test('concurrent tests of several files have a merchant each in the sandbox of the environment', async () => {
  const shared = await openTestSandbox({ token: 'token-of-16-chars' })
  const files = Object.fromEntries(
    ['a', 'b', 'c'].map((name) => [`${name}.test.ts`, failure('.concurrent', "{ connect: 'env' }")]),
  )
  expect((await suite(files, shared.env)).stdout).toMatch(/Tests {2}3 passed/)
  expect(await shared.payments.list()).toHaveLength(3)
})

/** What `node --test` prints of a file of tests; it exits with another code than 0 where one fails. */
async function runTests(extension: string, text: string) {
  const name = `sale.test.${extension}`
  const file = join(folderWith({ [name]: text }), name)
  const { NODE_OPTIONS: _, ...env } = process.env
  return promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap', file], { env })
}

const text = `
const sandbox = useSandbox({ retries: 'fast' })
test('a sale', async () => {
  const { transactionId } = await sandbox.client.sale({ amount: 1000, priceCurrency: 'USD' })
  assert.equal((await sandbox.payments.waitFor(transactionId)).status, 'SUCCESS')
})
test('as new', async () => assert.deepEqual(await sandbox.payments.list(), []))
`

test.each([
  [
    'cjs',
    (path: string) =>
      `const { useSandbox } = require('${path}.cjs'), test = require('node:test'), assert = require('node:assert')`,
  ],
  [
    'mjs',
    (path: string) =>
      `import { useSandbox } from '${path}.js'; import test from 'node:test'; import assert from 'node:assert'`,
  ],
] as const)('node --test passes a file of tests in %s', async (extension, head) => {
  expect((await runTests(extension, head(resolve('dist/node-test')) + text)).stdout).toMatch(/^# pass 2$/m)
})

const ownHook = `
import { before, describe, test } from 'node:test'
import { useSandbox } from '${resolve('dist/node-test.js')}'
const tests = () => {
  const sandbox = useSandbox()
  let url
  before(() => { url = sandbox.url })
  test('the sandbox answers there', async () => { await (await fetch(url)).text() })
}
`

test('node --test gives the sandbox to a before hook inside a describe; at the top of a file, which runs at once, an error with the remedy', async () => {
  expect((await runTests('mjs', `${ownHook}describe('payments', tests)`)).stdout).toMatch(/^# pass 1$/m)
  await expect(runTests('mjs', `${ownHook}tests()`)).rejects.toMatchObject({
    stdout: expect.stringContaining('move your before into a describe'),
  })
})
