import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test as plain } from 'vitest'
import { Unreachable, useSandbox } from '../../src/index.ts'
import { sandboxTest, test } from '../../src/vitest.ts'

const frozen = sandboxTest({ clock: 'frozen' }) // vitest wants it at the top of the file

const dollars = { amount: 1000, priceCurrency: 'USD' }

describe('tillbox/vitest', () => {
  let url = ''

  test('a test is given a sandbox', async ({ sandbox }) => {
    url = sandbox.url
    const { transactionId } = await sandbox.client.sale(dollars)
    expect((await sandbox.payments.waitFor(transactionId)).status).toBe('SUCCESS')
    await sandbox.terminal().offline()
  })

  test('the next one the same, as new', async ({ sandbox }) => {
    expect(sandbox.url).toBe(url)
    expect(await sandbox.payments.list()).toEqual([])
    expect((await sandbox.terminal().screen()).online).toBe(true)
  })

  frozen('with options', async ({ sandbox }) => {
    expect(await sandbox.clock.now()).toEqual(await sandbox.clock.now())
    await sandbox.clock.resume()
  })
})

describe('useSandbox', () => {
  plain('makes the sandbox as new before each test, and says when it is used too early', async () => {
    const hooks: Record<string, () => Promise<void>> = {}
    const keep = (name: string) => (act: () => Promise<void>) => {
      hooks[name] = act
    }
    const sandbox = useSandbox({
      beforeAll: keep('beforeAll'),
      beforeEach: keep('beforeEach'),
      afterAll: keep('afterAll'),
    })
    expect(() => sandbox.url).toThrow('The sandbox has not started yet. Use it inside a test or a hook.')
    await hooks.beforeAll?.()
    await sandbox.client.sale(dollars)
    await hooks.beforeEach?.()
    expect(await sandbox.payments.list()).toEqual([])
    await hooks.afterAll?.()
    await expect(sandbox.state()).rejects.toBeInstanceOf(Unreachable)
  })
})

/** What `node --test` prints of a file of tests; it exits with another code than 0 where one fails. */
async function runTests(extension: string, text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'tillbox-runner-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, `sale.test.${extension}`)
  writeFileSync(file, text)
  const { NODE_OPTIONS: _, ...env } = process.env
  return promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap', file], { env })
}

describe('the built library', () => {
  const text = `
const sandbox = useSandbox({ retries: 'fast' })
test('a sale', async () => {
  const { transactionId } = await sandbox.client.sale({ amount: 1000, priceCurrency: 'USD' })
  assert.equal((await sandbox.payments.waitFor(transactionId)).status, 'SUCCESS')
})
test('as new', async () => assert.deepEqual(await sandbox.payments.list(), []))
`

  plain.each([
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
  ] as const)('node --test, %s', async (extension, head) => {
    const { stdout } = await runTests(extension, head(resolve('dist/node-test')) + text)
    expect(stdout).toMatch(/^# pass 2$/m)
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

  plain("node --test: a before of one's own sees the sandbox inside a describe", async () => {
    const { stdout } = await runTests('mjs', `${ownHook}describe('payments', tests)`)
    expect(stdout).toMatch(/^# pass 1$/m)
  })

  plain(
    'node --test: a before at the top of a file, which Node runs at once, gets an error that says what to do',
    async () => {
      await expect(runTests('mjs', `${ownHook}tests()`)).rejects.toMatchObject({
        stdout: expect.stringContaining('move your before into a describe'),
      })
    },
  )
})
