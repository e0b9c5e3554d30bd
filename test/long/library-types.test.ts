import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectRoot } from '../support/project.ts'

const compilerOptions = {
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  module: 'nodenext',
  target: 'es2022',
  lib: ['es2022', 'esnext.disposable'],
  types: [],
}

const program = `
const sandbox: TestSandbox = await createSandbox({ retries: ['1s', 50], clock: 'frozen', notifyUrl: undefined })
const { transactionId } = await sandbox.client.sale({ amount: 1000, priceCurrency: 'USD' })
const story = await sandbox.payments.waitFor(transactionId, 'SUCCESS', { timeout: 10 })
const total: number = story.record.transactionAmount
const status: 'INITIAL' | 'PROCESSING' | 'SUCCESS' | 'FAIL' | 'CLOSED' = story.status
const record = await sandbox.client.query({ transactionId })
const pan: string | null = record.maskedPan
const found = await sandbox.webhooks.waitFor((delivery) => delivery.transactionId === transactionId)
const url: string = found.url
await sandbox.client.batchClose({ channelCode: '0001' })
const { sessionId } = await sandbox.client.createSession({ amount: { orderAmount: 500, priceCurrency: 'USD' } })
const paid: SessionView = await sandbox.checkout(sessionId).pay('visa-contactless')
const again: Story = await sandbox.payments.waitFor(transactionId, 'approved')
const letter: StatusLetter = again.record.transactionStatus
const error: Error & { readonly option: string } = new InvalidOption('retries', 'is wrong')
await sandbox[Symbol.asyncDispose]()
// @ts-expect-error no such option
await createSandbox({ retires: 'fast' })
// @ts-expect-error an amount is a number
await sandbox.client.sale({ amount: 'ten' })
// @ts-expect-error a sale names its currency
await sandbox.client.sale({ amount: 1000 })
await sandbox.client.refund({ originalTransactionId: transactionId, amount: 1000 })
const request: SaleRequest = { amount: 1000, priceCurrency: 'USD' }
await sandbox.client.sale(request)
await sandbox.client.refund({ originalTransactionRequestId: 'R1', amount: 1000 })
await sandbox.client.refund({ amount: 1000, priceCurrency: 'USD' })
// @ts-expect-error a refund names its original, or the currency of one without
await sandbox.client.refund({ amount: 1000 })
await sandbox.client.expireSession({ sessionId })
// @ts-expect-error an online payment names its currency, too
await sandbox.client.directPayment({ amount: 1000, wallet: {} })
await sandbox.faults.add('latency=100-500')
await sandbox.client.sale(request, { fault: 'http-503' })
await sandbox.clock.advance('90s')
// @ts-expect-error no such fault
await sandbox.faults.add('lost-anser')
// @ts-expect-error no such fault of a request
await sandbox.client.sale(request, { fault: 'time-out' })
await sandbox.terminal().queue('fraud-check')
// @ts-expect-error no such outcome
await sandbox.terminal().queue('insufficient-fund')
// @ts-expect-error no such card
await sandbox.terminal().present('visa-contactles')
// @ts-expect-error no such unit
await sandbox.clock.advance('90 seconds')
// @ts-expect-error no such screen
await sandbox.terminal().waitForScreen('home')
export { error, letter, paid, pan, status, total, url }
`

describe('the types of the package', () => {
  let folder = ''
  let library = ''
  beforeAll(() => {
    execFileSync(process.execPath, [join(projectRoot, 'bin/build.js'), '--release'])
    library = readFileSync(join(projectRoot, 'dist/index.d.cts'), 'utf8')
    folder = mkdtempSync(join(tmpdir(), 'tillbox-types-'))
    mkdirSync(join(folder, 'node_modules/tillbox'), { recursive: true })
    for (const name of ['package.json', 'dist'])
      symlinkSync(join(projectRoot, name), join(folder, 'node_modules/tillbox', name))
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['module.mts', 'common.cts'] }),
    )
    const imports =
      "import { createSandbox, InvalidOption, type SaleRequest, type SessionView, type StatusLetter, type Story, type TestSandbox } from 'tillbox'\n" +
      "declare module 'tillbox' { interface FixtureNames { outcomes: 'fraud-check' } }\n"
    const jest =
      "import { useSandbox } from 'tillbox/jest'\nexport const same: TestSandbox = useSandbox({ pace: '1s' })\n"
    writeFileSync(join(folder, 'module.mts'), imports + jest + program)
    writeFileSync(
      join(folder, 'common.cts'),
      `${imports}${jest}export async function run() {${program.replace(/^export .*$/m, 'return { error, letter, paid, pan, status, total, url }')}}\n`,
    )
  }, 300_000)
  afterAll(() => rmSync(folder, { recursive: true }))

  test('the types need no other package', () => expect(library).not.toMatch(/^import .*from '(?!node:)/m))

  test.each(['typescript-oldest', 'typescript'])(
    '%s compiles the types in strict mode, as ESM and CommonJS',
    (compiler) => {
      const tsc = join(projectRoot, 'node_modules', compiler, 'bin/tsc')
      const compile = () => execFileSync(process.execPath, [tsc, '--project', folder], { encoding: 'utf8' })
      expect(compile()).toBe('')
    },
  )
})
