import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createSandbox, type TestSandbox } from '../../src/index.ts'
import { callerOf } from '../../src/library/caller.ts'
import { readScenario } from '../../src/scenario/file/read-scenario.ts'
import { runScenario, type ScenarioResult } from '../../src/scenario/run.ts'
import { type InboxReceiver, startReceiver } from '../../src/scenario/steps/receiver.ts'
import type { Done } from '../../src/scenario/steps/run-context.ts'
import { fileWith } from '../support/commands/scratch.ts'

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
  const service = { client, call: callerOf({ baseUrl, apiKey }) }
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

test.each([
  ['a payment is waited for, and approved', ['- sale: { amount: 10.00 USD }'], ['sale', 'SUCCESS']],
  ['one that is not waited for', ['- sale: { amount: 10.00 USD }', '  wait: false'], ['sale']],
  [
    'a decline that is expected',
    ['- sale: { amount: 97.34 USD }', '  expect: { status: F, record: { transactionResultCode: "051" } }'],
    ['sale', 'FAIL'],
  ],
  [
    'a refusal that is expected',
    ['- sale: { amount: { minor: -1 } }', '  expect: { code: C17, error: { field: amount } }'],
    ['sale'],
  ],
  [
    'an error that is expected, whatever its code',
    ['- sale: { amount: { minor: -1 } }', '  expect: { error: { field: amount } }'],
    ['sale'],
  ],
  [
    'a lost answer that is expected; its id is captured',
    [
      '- sale: { amount: 10.00 USD, transactionRequestId: own-id }',
      '  as: sale',
      '  fault: lost-answer',
      '  expect: { lost: true }',
      '- wait until: { payment: $sale }',
      '- query: { transactionRequestId: $sale }',
      '  expect: { record: { transactionRequestId: own-id } }',
    ],
    ['sale', 'SUCCESS', 'query'],
  ],
  [
    'held webhooks are sent, the newest first',
    [
      '- webhook hold:',
      '- sale: { amount: 10.00 USD }',
      '  as: sale',
      '- refund: { original: $sale, amount: 10.00 USD }',
      '  as: back',
      '- webhook release:',
      '- webhook: { order: [$back, $sale] }',
    ],
    ['hold-webhooks', 'sale', 'SUCCESS', 'refund', 'SUCCESS'],
  ],
  [
    'a hosted page that is named by its URL',
    [
      '- checkout create: { amount: 10.00 USD }',
      '  as: page',
      '- checkout pay: { session: $page.checkoutUrl }',
      '- checkout show: { session: $page.sessionId }',
      '  expect: { answer: { state: paid } }',
    ],
    ['checkout create', 'pay-session', 'session'],
  ],
  [
    'acts at the terminal of the payment before',
    [
      '- sale: { amount: 10.00 USD, terminal: TBX-ATTENDED-001 }',
      '  as: sale',
      '  wait: false',
      '- terminal show:',
      '  expect: { answer: { screen: present-card } }',
      '- terminal cancel:',
      '- wait until: { payment: $sale, status: closed }',
    ],
    ['sale', 'screen', 'cancel-at-terminal', 'CLOSED'],
  ],
  [
    'an act that is refused, as expected',
    [
      '- terminal queue: { terminal: TBX-AUTO-001, outcome: none-of-these }',
      '  expect: { code: { not: "0" } }',
    ],
    ['queue-outcome'],
  ],
  [
    'terminal events in their order',
    [
      '- sale: { amount: 10.00 USD }',
      '  as: sale',
      '- webhook: { of: $sale, event: terminal, count: { gt: 2 }, signature: valid }',
      '- webhook: { of: $sale, event: TRANSACTION_ENDED, count: 1 }',
    ],
    ['sale', 'SUCCESS'],
  ],
  [
    'a terminal that is offline',
    [
      '- terminal offline: TBX-AUTO-001',
      '- sale: { amount: 10.00 USD, terminal: TBX-AUTO-001 }',
      '  as: sale',
      '  expect: { status: pending }',
      '- terminal online:',
      '- wait until: { payment: $sale }',
    ],
    ['set-terminal', 'sale', 'INITIAL', 'set-terminal', 'SUCCESS'],
  ],
  [
    'an injected fault, and none',
    [
      '- fault: { kind: http-503, operation: sale, always: true }',
      '- sale: { amount: 1.00 USD }',
      '  expect: { code: SBX_INJECTED }',
      '- fault: none',
      '- sale: { amount: 1.00 USD }',
    ],
    ['add-fault', 'sale', 'clear-faults', 'sale', 'SUCCESS'],
  ],
])('a scenario passes: %s', async (_, lines, wanted) => {
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

test.each([
  [
    'a decline that nobody expects',
    ['- sale: { amount: 97.34 USD }'],
    [2, 5],
    /^Payment \d+ is declined, not approved$/,
    [{ path: '', expected: 'approved', actual: expect.stringMatching(/^declined \(FAIL\): 051 /) }],
  ],
  [
    'an approval where a decline is expected',
    ['- sale: { amount: 10.00 USD }', '  expect: { status: declined }'],
    [3, 15],
    /is approved, not declined/,
    [{ path: 'expect.status', expected: 'declined', actual: 'approved (SUCCESS)' }],
  ],
  [
    'members of a record',
    [
      '- sale: { amount: 10.00 USD }',
      '  expect: { record: { transactionAmount: 11.00 USD, tipAmount: { gt: 0 } } }',
    ],
    [3, 25],
    /^2 values are not what is expected$/,
    [
      { path: 'expect.record.transactionAmount', expected: '"11.00 USD"', actual: '"10.00 USD"' },
      { path: 'expect.record.tipAmount.gt', expected: '> 0', actual: '0' },
    ],
  ],
  [
    'a refusal that nobody expects',
    ['- sale: { amount: { minor: -1 } }'],
    [2, 5],
    /^It was refused: C17 /,
    [{ expected: 'accepted', actual: expect.stringContaining('"C17"') }],
  ],
  [
    'another code',
    ['- sale: { amount: { minor: -1 } }', '  expect: { code: SBX_DUP_TXN_ID }'],
    [3, 15],
    /^It was refused: C17 /,
    [{ path: 'expect.code', expected: '"SBX_DUP_TXN_ID"' }],
  ],
  [
    'accepted where a refusal is expected',
    ['- sale: { amount: 1.00 USD }', '  expect: { code: C17 }'],
    [3, 15],
    /^It was accepted$/,
    [{ path: 'expect.code', expected: '"C17"' }],
  ],
  [
    'a refusal that has no record',
    [
      '- sale: { amount: { minor: -1 } }',
      '  expect: { code: C17, status: declined, record: { tipAmount: 0 } }',
    ],
    [3, 26],
    /^2 values are not/,
    [
      { path: 'expect.status', expected: '"declined"', actual: 'absent' },
      { path: 'expect.record', actual: 'absent' },
    ],
  ],
  [
    'an accepted removal of faults where a refusal is expected',
    ['- fault: none', '  expect: { code: C17 }'],
    [3, 15],
    /^It was accepted$/,
    [{ path: 'expect.code', expected: '"C17"' }],
  ],
  [
    'a tip in another currency than that of its payment',
    ['- sale: { amount: 10.00 USD }', '  as: sale', '- tip-adjust: { original: $sale, tipAmount: 2.00 EUR }'],
    [4, 5],
    /^the amounts are in EUR and USD: use one currency$/,
    [],
  ],
  [
    'a tip at a terminal in another currency',
    [
      '- sale: { amount: 10.00 USD, terminal: TBX-ATTENDED-001, tipConfig: { onScreenTip: true } }',
      '  wait: false',
      '- terminal present: visa-contactless',
      '- terminal tip: 2.00 EUR',
    ],
    [5, 5],
    /^the amounts are in EUR and USD: use one currency$/,
    [],
  ],
  [
    'a lost answer that nobody expects',
    ['- sale: { amount: 1.00 USD }', '  fault: lost-answer'],
    [2, 5],
    /^No usable answer came: /,
    [],
  ],
  [
    'an answer where none is expected',
    ['- sale: { amount: 1.00 USD }', '  expect: { lost: true }'],
    [3, 15],
    /^An answer came: 0 /,
    [{ path: 'expect.lost', expected: 'no usable answer' }],
  ],
  [
    'members of an answer',
    ['- batch query:', '  expect: { answer: { batchList: { length: 2 } } }'],
    [3, 38],
    /^What came is not/,
    [{ path: 'expect.answer.batchList.length', expected: 'length 2', actual: '0' }],
  ],
  [
    'a payment that does not end in time',
    ['- sale: { amount: 1.00 USD, terminal: TBX-ATTENDED-001 }', '  wait: 100ms'],
    [2, 5],
    /^Payment \d+ is still pending after 0\.1 s, not approved: it waits for a person at TBX-ATTENDED-001$/,
    [{ expected: 'approved', actual: 'pending (PROCESSING)' }],
  ],
  [
    'a screen that does not come',
    ['- wait until: { terminal: TBX-ATTENDED-001, screen: pin, within: 50ms }'],
    [2, 47],
    /^Waited 0\.05 s in vain$/,
    [{ path: 'wait until.screen', expected: 'pin', actual: 'idle' }],
  ],
  [
    'a hosted page that is not paid',
    ['- checkout create: { amount: 1.00 USD }', '- wait until: { state: paid, within: 50ms }'],
    [3, 19],
    /^Waited 0\.05 s in vain$/,
    [{ expected: 'paid', actual: 'open' }],
  ],
  [
    'a member that nothing captured',
    ['- batch query:', '  as: open', '- void: $open.transactionId'],
    [4, 5],
    /^\$open has no transactionId; it has batchList$/,
    [],
  ],
  [
    'a payment that there is none of',
    ['- wait until: { payment: "1" }'],
    [2, 5],
    /^It was refused: SBX_TXN_UNKNOWN /,
    [],
  ],
  [
    'a list that is compared with a text',
    ['- batch query:', '  expect: { answer: { batchList: { matches: 5 }, none: { matches: 6 } } }'],
    [3, 38],
    /^2 values are not/,
    [{ expected: 'matches 5' }, { expected: 'matches 6', actual: 'absent' }],
  ],
  [
    'an act at no terminal',
    ['- terminal present: visa-contactless'],
    [2, 5],
    /^No terminal is named, and no step before had one: add terminal:$/,
    [],
  ],
  [
    'a webhook that nobody sends',
    [
      '- sale: { amount: 1.00 USD }',
      '  as: sale',
      '- webhook: { of: $sale, status: declined, within: 100ms }',
    ],
    [4, 5],
    /^Waited 0\.1 s in vain\. Arrived: payment of \$sale, status S/,
    [{ path: 'webhook', expected: '≥ 1', actual: '0 arrived' }],
  ],
  [
    'a webhook too few',
    ['- sale: { amount: 1.00 USD }', '- webhook: { count: 2 }'],
    [3, 16],
    /^Waited 0\.4 s in vain/,
    [{ path: 'webhook.count', expected: '2', actual: '1 arrived' }],
  ],
  [
    'a webhook with another body, and rightly signed',
    [
      '- sale: { amount: 1.00 USD }',
      '- webhook: { signature: invalid, body: { transactionAmount: 2.00 USD } }',
    ],
    [3, 44],
    /^2 values are not/,
    [
      { path: 'webhook.body.transactionAmount', expected: '"2.00 USD"', actual: '"1.00 USD"' },
      { path: 'webhook.signature', expected: 'invalid', actual: 'valid' },
    ],
  ],
  [
    'a webhook with a wrong signature',
    ['- fault: bad-signature', '- sale: { amount: 1.00 USD }', '- webhook: { signature: valid }'],
    [4, 16],
    /^What came is not/,
    [{ path: 'webhook.signature', expected: 'valid', actual: expect.stringMatching(/^invalid: /) }],
  ],
  [
    'another order',
    [
      '- sale: { amount: 1.00 USD }',
      '  as: one',
      '- webhook: { of: $one }',
      '- sale: { amount: 2.00 USD }',
      '  as: two',
      '- webhook: { order: [$two, $one], within: 100ms }',
    ],
    [7, 16],
    /^Waited 0\.1 s in vain/,
    [{ path: 'webhook.order', expected: '$two, $one', actual: '$one, $two' }],
  ],
])(
  'a scenario fails with its place, the expected and the actual value: %s',
  async (_, lines, [line, column], message, differences) => {
    const { outcome, failure } = await run(steps(...lines))
    expect(outcome).toBe('failed')
    expect(failure?.message).toMatch(message)
    expect(failure?.position).toEqual({ file: 'shop.yaml', line, column })
    expect(failure?.differences).toMatchObject(differences)
    expect(failure?.differences).toHaveLength(differences.length)
  },
)

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

test('only the teardown runs after a failure, and its own failure does not hide the first', async () => {
  const {
    failure,
    done,
    steps: count,
  } = await run(
    'steps:\n  - sale: { amount: 97.34 USD }\n  - batch query:\nteardown:\n  - batch list:\n  - void: "1"\n',
  )
  expect(failure?.position.line).toBe(2)
  expect(done.map(({ step }) => step)).toEqual(['sale', 'batch list', 'void'])
  expect(count).toBe(1)
})

test('a failed teardown fails the scenario', async () => {
  expect((await run('steps:\n  - batch query:\nteardown:\n  - void: "1"\n')).failure?.position.line).toBe(4)
})
