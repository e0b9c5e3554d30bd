import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createSandbox, type TestSandbox } from '../../../src/library/index.ts'
import { makeCaller } from '../../../src/testing/helpers/caller.ts'
import { operateWith } from '../../../src/testing/helpers/service-client.ts'
import { readScenario } from '../../../src/testing/scenario/file/read-scenario.ts'
import { differenceTexts, runScenario, type ScenarioResult } from '../../../src/testing/scenario/run.ts'
import { type InboxReceiver, startReceiver } from '../../../src/testing/scenario/steps/receiver.ts'
import type { Done } from '../../../src/testing/scenario/steps/run-context.ts'
import { fileWith } from '../../support/commands/scratch.ts'

let sandbox: TestSandbox
let receiver: InboxReceiver
beforeAll(async () => {
  sandbox = await createSandbox({ retries: 'fast' })
  receiver = await startReceiver()
})
beforeEach(() => sandbox.reset({ everything: true }))
afterAll(async () => {
  await sandbox.close()
  await receiver.close()
})

interface Ran extends ScenarioResult {
  readonly done: readonly Done[]
}

/** Runs a scenario; waits are short, for those that are in vain. */
async function run(text: string, waitMs = 400, inbox = receiver.open()): Promise<Ran> {
  const path = fileWith('shop.yaml', text)
  const scenario = await readScenario(path, 'shop.yaml')
  const { url: baseUrl, apiKey, client } = sandbox
  const service = { operate: operateWith(client), call: makeCaller({ baseUrl, apiKey }) }
  const done: Done[] = []
  const result = await runScenario(scenario, scenario.cases?.[0], service, {
    waitMs,
    inbox,
    done: (each) => done.push(each),
  })
  return { ...result, done }
}

const steps = (...lines: string[]) => `steps:\n${lines.map((line) => `  ${line}\n`).join('')}`

test('what is held until the end of a drive arrives then, the newest first', async () => {
  const inbox = receiver.open()
  const sells = ['- sale: { amount: 10.00 USD }', '- sale: { amount: 20.00 USD }']
  await run(`server: { url: ${inbox.url} }\n${steps('- webhook hold:', ...sells)}`, undefined, inbox)
  expect(inbox.posts.map(({ body }) => body.orderAmount)).toEqual([2000, 1000])
})

test.each(
  Object.entries<readonly [steps: readonly string[], ...lines: readonly string[]]>({
    'a payment is waited for, and approved': [['sale', 'SUCCESS'], '- sale: { amount: 10.00 USD }'],
    'one that is not waited for': [['sale'], '- sale: { amount: 10.00 USD }', '  wait: false'],
    'a decline that is expected': [
      ['sale', 'FAIL'],
      '- { sale: { amount: 97.34 USD }, expect: { status: F, record: { transactionResultCode: "051" } } }',
    ],
    'a refusal that is expected': [
      ['sale'],
      '- { sale: { amount: { minor: -1 } }, expect: { code: C17, error: { field: amount } } }',
    ],
    'a lost answer that is expected; its id is captured': [
      ['sale', 'SUCCESS', 'query'],
      '- sale: { amount: 10.00 USD, transactionRequestId: own-id }',
      '  as: sale',
      '  fault: lost-answer',
      '  expect: { lost: true }',
      '- wait until: { payment: $sale }',
      '- { query: { transactionRequestId: $sale }, expect: { record: { transactionRequestId: own-id } } }',
    ],
    'held webhooks are sent, the newest first': [
      ['hold-webhooks', 'sale', 'SUCCESS', 'refund', 'SUCCESS'],
      '- webhook hold:',
      '- { sale: { amount: 10.00 USD }, as: sale }',
      '- { refund: { original: $sale, amount: 10.00 USD }, as: back }',
      '- webhook release:',
      '- webhook: { order: [$back, $sale] }',
    ],
    'a hosted page that is named by its URL': [
      ['checkout create', 'pay-session', 'session'],
      '- { checkout create: { amount: 10.00 USD }, as: page }',
      '- checkout pay: { session: $page.checkoutUrl }',
      '- { checkout show: { session: $page.sessionId }, expect: { answer: { state: paid } } }',
    ],
    'acts at the terminal of the payment before': [
      ['sale', 'screen', 'cancel-at-terminal', 'CLOSED'],
      '- sale: { amount: 10.00 USD, terminal: TBX-ATTENDED-001 }',
      '  as: sale',
      '  wait: false',
      '- terminal show:',
      '  expect: { answer: { screen: present-card } }',
      '- terminal cancel:',
      '- wait until: { payment: $sale, status: closed }',
    ],
    'an act that is refused, as expected': [
      ['queue-outcome'],
      '- terminal queue: { terminal: TBX-AUTO-001, outcome: none-of-these }',
      '  expect: { code: { not: "0" } }',
    ],
    'terminal events in their order': [
      ['sale', 'SUCCESS'],
      '- { sale: { amount: 10.00 USD }, as: sale }',
      '- webhook: { of: $sale, event: terminal, count: { gt: 2 }, signature: valid }',
      '- webhook: { of: $sale, event: TRANSACTION_ENDED, count: 1 }',
    ],
    'a terminal that is offline': [
      ['set-terminal', 'sale', 'INITIAL', 'set-terminal', 'SUCCESS'],
      '- terminal offline: TBX-AUTO-001',
      '- sale: { amount: 10.00 USD, terminal: TBX-AUTO-001 }',
      '  as: sale',
      '  expect: { status: pending }',
      '- terminal online:',
      '- wait until: { payment: $sale }',
    ],
    'an injected fault, and none': [
      ['add-fault', 'sale', 'clear-faults', 'sale', 'SUCCESS'],
      '- fault: { kind: http-503, operation: sale, always: true }',
      '- { sale: { amount: 1.00 USD }, expect: { code: SBX_INJECTED } }',
      '- fault: none',
      '- sale: { amount: 1.00 USD }',
    ],
  }),
)('a scenario passes: %s', async (_, [wanted, ...lines]) => {
  const { failure, outcome, done } = await run(steps(...lines), 5_000)
  expect(failure).toBeUndefined()
  expect(outcome).toBe('passed')
  expect(done.map(({ step }) => step)).toEqual(wanted)
})

test('setup, steps and teardown run with the values of a case', async () => {
  const { outcome, name, done } = await run(
    'name: Shop\ncases: [{ name: small, amount: 1.00 USD }]\nsetup: [{ sale: { amount: $case.amount }, as: sale }]\n' +
      'steps: [{ query: $sale, expect: { record: { transactionAmount: $case.amount } } }]\nteardown: [{ void: $sale }]\n',
    5_000,
  )
  expect([outcome, name]).toEqual(['passed', 'Shop: small'])
  expect(done.map(({ step }) => step)).toEqual(['sale', 'SUCCESS', 'query', 'void', 'SUCCESS'])
})

test.each(
  Object.entries<readonly [failure: RegExp, differences: readonly object[], ...lines: readonly string[]]>({
    'a decline that nobody expects': [
      /^2:5 Payment \d+ is declined, not approved$/,
      [{ path: '', expected: 'approved', actual: expect.stringMatching(/^declined \(FAIL\): 051 /) }],
      '- sale: { amount: 97.34 USD }',
    ],
    'an approval where a decline is expected': [
      /^3:15 .*is approved, not declined/,
      [{ path: 'expect.status', expected: 'declined', actual: 'approved (SUCCESS)' }],
      '- sale: { amount: 10.00 USD }',
      '  expect: { status: declined }',
    ],
    'members of a record': [
      /^3:25 2 values are not what is expected$/,
      [
        { path: 'expect.record.transactionAmount', expected: '"11.00 USD"', actual: '"10.00 USD"' },
        { path: 'expect.record.tipAmount.gt', expected: '> 0', actual: '0' },
      ],
      '- sale: { amount: 10.00 USD }',
      '  expect: { record: { transactionAmount: 11.00 USD, tipAmount: { gt: 0 } } }',
    ],
    'a refusal that nobody expects': [
      /^2:5 It was refused: C17 /,
      [{ expected: 'accepted', actual: expect.stringContaining('"C17"') }],
      '- sale: { amount: { minor: -1 } }',
    ],
    'another code': [
      /^3:15 It was refused: C17 /,
      [{ path: 'expect.code', expected: '"SBX_DUP_TXN_ID"' }],
      '- sale: { amount: { minor: -1 } }',
      '  expect: { code: SBX_DUP_TXN_ID }',
    ],
    'accepted where a refusal is expected': [
      /^3:15 It was accepted$/,
      [{ path: 'expect.code', expected: '"C17"' }],
      '- sale: { amount: 1.00 USD }',
      '  expect: { code: C17 }',
    ],
    'a refusal that has no record': [
      /^3:26 2 values are not/,
      [
        { path: 'expect.status', expected: '"declined"', actual: 'absent' },
        { path: 'expect.record', actual: 'absent' },
      ],
      '- sale: { amount: { minor: -1 } }',
      '  expect: { code: C17, status: declined, record: { tipAmount: 0 } }',
    ],
    'a tip in another currency than that of its payment': [
      /^3:5 the amounts are in EUR and USD: use one currency$/,
      [],
      '- { sale: { amount: 10.00 USD }, as: sale }',
      '- tip-adjust: { original: $sale, tipAmount: 2.00 EUR }',
    ],
    'a tip at a terminal in another currency': [
      /^5:5 the amounts are in EUR and USD: use one currency$/,
      [],
      '- sale: { amount: 10.00 USD, terminal: TBX-ATTENDED-001, tipConfig: { onScreenTip: true } }',
      '  wait: false',
      '- terminal present: visa-contactless',
      '- terminal tip: 2.00 EUR',
    ],
    'a lost answer that nobody expects': [
      /^2:5 No usable answer came: /,
      [],
      '- sale: { amount: 1.00 USD }',
      '  fault: lost-answer',
    ],
    'an answer where none is expected': [
      /^3:15 An answer came: 0 /,
      [{ path: 'expect.lost', expected: 'no usable answer' }],
      '- sale: { amount: 1.00 USD }',
      '  expect: { lost: true }',
    ],
    'members of an answer': [
      /^3:38 The result does not match/,
      [{ path: 'expect.answer.batchList.length', expected: 'length 2', actual: '0' }],
      '- batch query:',
      '  expect: { answer: { batchList: { length: 2 } } }',
    ],
    'a payment that does not end in time': [
      /^2:5 Payment \d+ is still pending after 0\.1 s, not approved: it waits for a person at TBX-ATTENDED-001$/,
      [{ expected: 'approved', actual: 'pending (PROCESSING)' }],
      '- { sale: { amount: 1.00 USD, terminal: TBX-ATTENDED-001 }, wait: 100ms }',
    ],
    'a screen that does not come': [
      /^2:47 Waited 0\.05 s in vain$/,
      [{ path: 'wait until.screen', expected: 'pin', actual: 'idle' }],
      '- wait until: { terminal: TBX-ATTENDED-001, screen: pin, within: 50ms }',
    ],
    'a hosted page that is not paid': [
      /^3:19 Waited 0\.05 s in vain$/,
      [{ expected: 'paid', actual: 'open' }],
      '- checkout create: { amount: 1.00 USD }',
      '- wait until: { state: paid, within: 50ms }',
    ],
    'a member that nothing captured': [
      /^4:5 \$open has no transactionId; it has batchList$/,
      [],
      '- batch query:',
      '  as: open',
      '- void: $open.transactionId',
    ],
    'a payment that there is none of': [
      /^2:5 It was refused: SBX_TXN_UNKNOWN /,
      [],
      '- wait until: { payment: "1" }',
    ],
    'a list that is compared with a text': [
      /^3:38 2 values are not/,
      [{ expected: 'matches 5' }, { expected: 'matches 6', actual: 'absent' }],
      '- batch query:',
      '  expect: { answer: { batchList: { matches: 5 }, none: { matches: 6 } } }',
    ],
    'an act at no terminal': [
      /^2:5 No terminal is named, and no step before had one: add terminal:$/,
      [],
      '- terminal present: visa-contactless',
    ],
    'a webhook that nobody sends': [
      /^3:5 Waited 0\.1 s in vain\. Arrived: payment of \$sale, status S/,
      [{ path: 'webhook', expected: '≥ 1', actual: '0 arrived' }],
      '- { sale: { amount: 1.00 USD }, as: sale }',
      '- webhook: { of: $sale, status: declined, within: 100ms }',
    ],
    'a webhook with another body, and rightly signed': [
      /^3:44 2 values are not/,
      [
        { path: 'webhook.body.transactionAmount', expected: '"2.00 USD"', actual: '"1.00 USD"' },
        { path: 'webhook.signature', expected: 'invalid', actual: 'valid' },
      ],
      '- sale: { amount: 1.00 USD }',
      '- webhook: { signature: invalid, body: { transactionAmount: 2.00 USD } }',
    ],
    'a webhook with a wrong signature': [
      /^4:16 The result does not match/,
      [{ path: 'webhook.signature', expected: 'valid', actual: expect.stringMatching(/^invalid: /) }],
      '- fault: bad-signature',
      '- sale: { amount: 1.00 USD }',
      '- webhook: { signature: valid }',
    ],
    'another order': [
      /^5:16 Waited 0\.1 s in vain/,
      [{ path: 'webhook.order', expected: '$two, $one', actual: '$one, $two' }],
      '- { sale: { amount: 1.00 USD }, as: one }',
      '- webhook: { of: $one }',
      '- { sale: { amount: 2.00 USD }, as: two }',
      '- webhook: { order: [$two, $one], within: 100ms }',
    ],
  }),
)('a scenario fails with its place and values: %s', async (_, [wanted, expected, ...lines]) => {
  const { outcome, failure } = await run(steps(...lines))
  const { file, line, column } = failure?.position ?? {}
  expect([outcome, file]).toEqual(['failed', 'shop.yaml'])
  expect(`${line}:${column} ${failure?.message}`).toMatch(wanted)
  expect(failure?.differences).toMatchObject(expected)
  expect(failure?.differences).toHaveLength(expected.length)
})

test('a scenario fails when a further webhook arrives within the quiet time', async () => {
  const { failure } = await run(
    steps(
      '- receiver: { status: 500, times: 1 }',
      '- sale: { amount: 1.00 USD }',
      '- webhook: { count: { gte: 1 }, nothingElseWithin: 1s }',
    ),
    5_000,
  )
  expect(failure?.message).toBe('1 further webhooks arrived')
  expect(failure?.differences).toMatchObject([{ path: 'webhook.nothingElseWithin' }])
})

test('a failure has the timeline of the payment and the title of the step', async () => {
  const { failure } = await run(steps('- sale: { amount: 97.34 USD }', '  title: the first payment'))
  expect(failure?.step).toBe('the first payment')
  expect(failure?.story?.record.transactionResultCode).toBe('051')
  expect(failure?.story?.timeline.map(({ what }) => what)).toContain('declined')
})

test('only the teardown runs after a failure, whose own failure does not hide the first, and alone fails the scenario', async () => {
  const ending = await run(
    'steps:\n  - sale: { amount: 97.34 USD }\n  - batch query:\nteardown:\n  - batch list:\n  - void: "1"\n',
  )
  expect(ending.failure?.position.line).toBe(2)
  expect(ending.done.map(({ step }) => step)).toEqual(['sale', 'batch list'])
  expect(ending.steps).toBe(1)
  expect((await run('steps:\n  - batch query:\nteardown:\n  - void: "1"\n')).failure?.position.line).toBe(4)
})

test('a difference of an answer as a whole is told without a path', () => {
  const position = { file: 'a.yaml', line: 1, column: 1 }
  const differences = [{ position, path: '', expected: 'approved', actual: 'declined' }]
  const failure = { position, step: 'sale', message: 'It failed', differences, story: undefined }
  expect(differenceTexts(failure)).toEqual(['expected approved, actual declined'])
})
