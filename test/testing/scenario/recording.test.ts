import { EventEmitter, once } from 'node:events'
import type { RequestListener } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { createSandbox } from '../../../src/library/create-sandbox.ts'
import type { TestSandbox } from '../../../src/library/index.ts'
import { readScenario } from '../../../src/testing/scenario/file/read-scenario.ts'
import { recordScenario } from '../../../src/testing/scenario/recording/record-scenario.ts'
import { startRecordingProxy } from '../../../src/testing/scenario/recording/recording-proxy.ts'
import { runSuite, scenarioRunsOf } from '../../../src/testing/scenario/suite.ts'
import { fileWith } from '../../support/commands/scratch.ts'
import { foreignServer } from '../../support/network/foreign.ts'
import { openTestSandbox } from '../../support/service/test-sandbox.ts'

const dollars = (amount: number) => ({ amount, priceCurrency: 'USD' })

const open = () => openTestSandbox({ retries: 'fast' })

const addressOf = ({ url: baseUrl, apiKey }: TestSandbox) => ({ baseUrl, apiKey })

/** Records what was done, runs it in a new sandbox, and returns the text. */
async function recordAndRun(sandbox: TestSandbox, since = 0) {
  const recording = await recordScenario(addressOf(sandbox), since, 'Recorded')
  const path = fileWith('recorded.yaml', recording.text)
  const results = await runSuite(scenarioRunsOf([await readScenario(path)]), {
    start: createSandbox,
    workers: 1,
    bail: false,
  })
  const [result] = results
  expect(result?.failure?.message ?? result?.outcome, recording.text).toBe('passed')
  return recording
}

test('amounts inside lists and settings are recorded with their currency', async () => {
  const sandbox = await open()
  const { client, payments } = sandbox
  const signatureConfig = { useHostConfig: false, entryLocation: 'ON_SCREEN', threshold: 5000 } as const
  const { transactionId } = await client.sale({ ...dollars(6000), signatureConfig })
  await payments.waitFor(transactionId)
  await client.createSession({ ...dollars(900), productList: [{ name: 'Coffee', amount: 450, num: 2 }] })
  const { text } = await recordAndRun(sandbox)
  expect(text).toContain('threshold: 50.00 USD')
  expect(text).toContain('amount: 4.50 USD')
})

test('a recording of payments passes when it is run', async () => {
  const sandbox = await open()
  const { client, payments } = sandbox
  const auth = await client.auth(dollars(5000))
  await payments.waitFor(auth.transactionId)
  const capture = await client.postAuth({ originalTransactionId: auth.transactionId, ...dollars(4500) })
  await payments.waitFor(capture.transactionId)
  const declined = await client.sale(dollars(9734))
  await payments.waitFor(declined.transactionId, 'FAIL')
  await client.refund({ originalTransactionId: declined.transactionId, amount: 1 }).catch(() => undefined)
  const named = await client.sale(dollars(1000), { outcome: 'expired-card' })
  await payments.waitFor(named.transactionId, 'FAIL')
  await sandbox.terminal().queue('lost-card')
  const queued = await client.sale(dollars(1100))
  await payments.waitFor(queued.transactionId, 'FAIL')
  const sale = await client.sale({ ...dollars(3000), referenceOrderId: 'TABLE-7' })
  await payments.waitFor(sale.transactionId)
  await client.tipAdjust({ originalTransactionId: sale.transactionId, tipAmount: 300 })
  const refund = await client.refund({ originalTransactionRequestId: sale.transactionRequestId, amount: 500 })
  await payments.waitFor(refund.transactionId)
  await client.batchClose({})
  const { text, leftOut } = await recordAndRun(sandbox)
  expect(leftOut).toBe(1)
  expect(text).toContain('  # left out: refund (refused: SBX_NOT_ALLOWED)\n')
  expect(text).toContain('  - auth: { terminal: TBX-AUTO-001, amount: 50.00 USD }\n    as: auth\n')
  expect(text).toContain('  - post-auth: { original: $auth, amount: 45.00 USD }\n')
  expect(text).toContain('expect: { status: declined, record: { transactionResultCode: "051" } }')
  expect(text).toContain('  - sale: { terminal: TBX-AUTO-001, amount: 11.00 USD }\n    outcome: lost-card\n')
  expect(text).toContain('referenceOrderId: TABLE-7')
  expect(text).toContain('  - tip-adjust: { original: $sale4, tipAmount: { minor: 300 } }\n')
  expect(text).toContain('originalTransactionRequestId: $sale4')
  expect(text.match(/- refund/g)).toHaveLength(1) // the other was refused
  expect(text).toContain('  - batch close:\n')
  expect(text).not.toContain(sale.transactionId)
})

test('acts at terminals and pages, and moves of the clock, are steps of a recording', async () => {
  const sandbox = await open()
  const { client, payments, clock } = sandbox
  const terminal = sandbox.terminal('TBX-ATTENDED-001')
  const tipConfig = { onScreenTip: true }
  const sale = await client.sale({ ...dollars(2000), terminalSn: terminal.terminalSn, tipConfig })
  await terminal.present('visa-chip-pin')
  await terminal.tip(300)
  await terminal.pin({ correct: false })
  await terminal.pin()
  await payments.waitFor(sale.transactionId)
  const late = await client.sale(dollars(1000), { outcome: 'late-approval' })
  await clock.advance('1m')
  await payments.waitFor(late.transactionId)
  await terminal.offline()
  const waiting = await client.sale({ ...dollars(1200), terminalSn: terminal.terminalSn })
  await client.abort({ originalTransactionRequestId: waiting.transactionRequestId })
  await terminal.online()
  const other = sandbox.terminal('TBX-TIP20-001')
  await other.offline()
  const later = await client.sale({ ...dollars(1300), terminalSn: other.terminalSn })
  await other.online()
  await payments.waitFor(later.transactionId)
  const page = await client.createSession(dollars(2490))
  const paid = await sandbox.checkout(page.sessionId).pay()
  const refund = await client.onlineRefund({ originalTransactionId: paid.transactionId, amount: 490 })
  await payments.waitFor(refund.transactionId)
  const left = await client.sale({ ...dollars(100), terminalSn: terminal.terminalSn })
  expect((await payments.get(left.transactionId)).status).not.toBe('SUCCESS')
  const { text } = await recordAndRun(sandbox)
  expect(text).toContain(
    '  - sale: { terminal: TBX-ATTENDED-001, amount: 20.00 USD, tipConfig: { onScreenTip: true } }\n' +
      '    as: sale\n    wait: false\n' +
      '  - terminal present: { terminal: TBX-ATTENDED-001, card: visa-chip-pin }\n' +
      '  - terminal tip: { terminal: TBX-ATTENDED-001, tipAmount: 3.00 USD }\n' +
      '  - terminal pin: { terminal: TBX-ATTENDED-001, correct: false }\n' +
      '  - terminal pin: { terminal: TBX-ATTENDED-001 }\n' +
      '  - wait until: { payment: $sale, status: approved }\n',
  )
  const moved = '  - clock: { advance: 1m }\n  - wait until: { payment: $sale2, status: approved }\n'
  expect(text).toContain(moved)
  expect(text).toContain('  - abort: { originalTransactionRequestId: $sale3 }\n')
  expect(text).toContain('  - wait until: { payment: $sale3, status: closed }\n')
  expect(text).toContain(
    '  - terminal online: { terminal: TBX-TIP20-001 }\n  - wait until: { payment: $sale4, status: approved }\n',
  )
  expect(text).toContain('  - terminal offline: { terminal: TBX-ATTENDED-001 }\n')
  const paying = '  - checkout pay: { session: $page, card: visa-contactless }\n    as: checkout-pay\n'
  expect(text).toContain(paying)
  expect(text).toContain('  - checkout refund: { original: $checkout-pay, amount: { minor: 490 } }\n')
  expect(text).toMatch(/ {2}- sale: \{ .*amount: 1\.00 USD \}\n {4}wait: false\n$/)
})

test('a follow-up of an older payment is left out with a comment, and nothing is recorded after a reset', async () => {
  const sandbox = await open()
  const { client, payments } = sandbox
  const old = await client.sale(dollars(1000))
  await payments.waitFor(old.transactionId)
  const { at } = (await sandbox.requests.list()).at(-1) ?? { at: 0 }
  await expect.poll(() => Date.now()).toBeGreaterThan(at)
  const since = Date.now()
  await client.void({ originalTransactionId: old.transactionId })
  await payments.waitFor((await client.sale(dollars(1100))).transactionId)
  const { text, steps, leftOut } = await recordAndRun(sandbox, since)
  expect([steps, leftOut]).toEqual([1, 1])
  expect(text).toContain(`  # left out: void of ${old.transactionId} (no step of this recording opened it)\n`)
  await sandbox.reset()
  expect((await recordScenario(addressOf(sandbox), 0, 'Recorded')).steps).toBe(0)
})

test('a request without a step and a request of another merchant are left out with a comment', async () => {
  const sandbox = await open()
  const other = await sandbox.newMerchant({ merchantId: 'M-OTHER' })
  await sandbox.payments.waitFor((await other.client.sale(dollars(2000))).transactionId)
  await sandbox.payments.waitFor((await sandbox.client.sale(dollars(1000))).transactionId)
  await sandbox.webhooks.hold()
  const { text, leftOut } = await recordAndRun(sandbox)
  expect(leftOut).toBe(3)
  expect(text).toContain('  # left out: hold-webhooks (webhooks are not recorded)\n')
  expect(text).toContain('  # left out: sale for the merchant M-OTHER\n')
  expect(text).toContain('  # left out: add-merchant (there is no step for it)\n')
})

test('a text that a scenario reads as a reference is left out with its request', async () => {
  const sandbox = await open()
  for (const attach of ['$sale', 'for $' + '{customer}', '$5 off'])
    await sandbox.client.sale({ ...dollars(1000), attach })
  const { text, steps } = await recordAndRun(sandbox)
  expect(steps).toBe(1)
  expect(text).toContain('# left out: sale (a scenario reads $sale in attach as a reference)\n')
  expect(text).toContain('# left out: sale (a scenario reads $customer in attach as a reference)\n')
})

const proxyTo = async (answer: RequestListener) => {
  const proxy = await startRecordingProxy({ baseUrl: await foreignServer(answer), ca: undefined }, 0)
  onTestFinished(proxy.close)
  return proxy
}

test('the recording proxy passes on bytes and cookies as they are, and keeps no card number', async () => {
  const proxy = await proxyTo(async (incoming, outgoing) => {
    outgoing.setHeader('Set-Cookie', ['a=1; Expires=Wed, 25 Nov 2026 10:00:00 GMT', 'b=2'])
    outgoing.end(await buffer(incoming))
  })
  const sent = gzipSync('{"amount": 1000}')
  const answer = await fetch(proxy.url, { method: 'POST', body: sent })
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(sent)
  expect(answer.headers.getSetCookie()).toEqual(['a=1; Expires=Wed, 25 Nov 2026 10:00:00 GMT', 'b=2'])
  await fetch(proxy.url, { method: 'POST', body: '{"description": "card 4111 1111 1111 1111"}' })
  await expect.poll(() => proxy.exchanges).toHaveLength(2)
  expect(JSON.stringify(proxy.exchanges[1])).not.toContain('1111')
})

test('a recording proxy that is closed waits for no answer', async () => {
  const events = new EventEmitter()
  const proxy = await proxyTo((incoming, outgoing) => {
    outgoing.on('close', () => events.emit('gone'))
    incoming.resume()
    events.emit('asked')
  })
  const gone = once(events, 'gone')
  const asked = once(events, 'asked')
  const refused = expect(fetch(proxy.url)).rejects.toThrow()
  await asked
  proxy.close()
  await Promise.all([refused, gone])
})
