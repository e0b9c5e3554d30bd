import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../src/contract/errors.ts'
import { channels } from '../../src/contract/statuses.ts'
import type { Command, TerminalAction } from '../../src/domain/model/commands.ts'
import type { Ledger } from '../../src/domain/model/ledger.ts'
import { sumOf } from '../../src/domain/model/parts.ts'
import type { Transaction } from '../../src/domain/model/transaction.ts'
import { outcomes } from '../../src/fixtures.ts'
import { Audit, inFlight } from '../support/domain/audit.ts'
import { note, provesReplay, runSteps, weighted } from '../support/domain/laws.ts'
import { day, on, request, type WatchedTill } from '../support/domain/ledger.ts'
import { assertUntil, times } from '../support/runner/counts.ts'

/** One step as fast-check makes it: plain data, so that a failure can be shrunk and printed. */
type RandomStep =
  | {
      readonly do: 'sale' | 'auth' | 'forced-auth' | 'refund-free'
      readonly amount: number
      readonly tip: number
      readonly currency: string
      readonly terminalSn: string
      readonly outcome: string | null
      /** Reuses the request id of an earlier transaction or close, by its place; null: a new one. */
      readonly reuse: number | null
    }
  | {
      readonly do: 'incremental-auth' | 'post-auth' | 'refund' | 'void' | 'tip-adjust' | 'abort'
      /** Place of the original among the candidates, or that of none. */
      readonly pick: number
      /** Whether the candidates are those of a fitting type, or all. */
      readonly fitting: boolean
      /** Where there is an amount: so much more than the whole of the original; null: the amount here. */
      readonly beyond: number | null
      readonly amount: number
      readonly tip: number
      readonly inCloud: boolean
      readonly terminalSn: string
      readonly outcome: string | null
      readonly reuse: number | null
    }
  | {
      readonly do: 'batch-close'
      readonly terminalSn: string
      /** The channel to close; null: all of them. */
      readonly channelCode: string | null
      readonly reuse: number | null
    }
  | {
      readonly do: 'queue-outcome'
      readonly terminalSn: string
      readonly outcome: string
      readonly times: number
    }
  | { readonly do: 'set-terminal'; readonly terminalSn: string; readonly changes: object }
  | { readonly do: TerminalAction['type']; readonly act: TerminalAction }
  | { readonly do: 'pass'; readonly milliseconds: number }

const auto = 'TBX-AUTO-001'
const attended = 'TBX-ATTENDED-001'
const terminalSn = fc.oneof(
  weighted(8, auto),
  weighted(3, attended),
  fc.constantFrom(
    'TBX-OFFLINE-001',
    'TBX-BUSY-001',
    'TBX-CANCEL-001',
    'TBX-SLOW-001',
    'TBX-DECLINE-001',
    'TBX-TIP20-001',
    'TBX-LATE-001',
    'COUNTER-9',
  ),
)
const outcomeName = fc.constantFrom(...outcomes.map(({ name }) => name))
const outcome = fc.oneof(
  weighted(4, null),
  weighted(3, 'approve'),
  { weight: 2, arbitrary: fc.constantFrom('late-approval', 'host-timeout') },
  outcomeName,
)
const amount = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 1200 }) },
  fc.constantFrom(...outcomes.flatMap((each) => each.amount ?? [])),
)
const tip = fc.oneof(weighted(3, 0), fc.integer({ min: 0, max: 300 }))
const reuse = fc.oneof(weighted(12, null), fc.nat(100))

const opening = fc.record({
  do: fc.constantFrom(
    'sale' as const,
    'sale' as const,
    'auth' as const,
    'auth' as const,
    'forced-auth' as const,
    'refund-free' as const,
  ),
  amount,
  tip,
  currency: fc.oneof(weighted(4, 'USD'), weighted(1, 'EUR')),
  terminalSn,
  outcome,
  reuse,
})
const followUp = fc.record({
  do: fc.constantFrom(
    'incremental-auth' as const,
    'post-auth' as const,
    'post-auth' as const,
    'refund' as const,
    'refund' as const,
    'void' as const,
    'void' as const,
    'tip-adjust' as const,
    'abort' as const,
  ),
  pick: fc.nat(100),
  fitting: fc.oneof(weighted(4, true), weighted(1, false)),
  beyond: fc.constantFrom(null, 0, 1),
  amount,
  tip,
  inCloud: fc.boolean(),
  terminalSn,
  outcome,
  reuse,
})
const closing = fc.record({
  do: fc.constant('batch-close' as const),
  terminalSn: fc.oneof(weighted(6, auto), terminalSn),
  channelCode: fc.oneof(weighted(6, null), ...channels.map(({ channelCode }) => weighted(1, channelCode))),
  reuse,
})
const queueing = fc.record({
  do: fc.constant('queue-outcome' as const),
  terminalSn,
  outcome: outcomeName,
  times: fc.nat(2),
})
const setting = fc.record({
  do: fc.constant('set-terminal' as const),
  terminalSn: fc.oneof(weighted(1, auto), weighted(1, 'TBX-SLOW-001'), weighted(1, 'COUNTER-9'), terminalSn),
  changes: fc.constantFrom(
    { online: false },
    { online: true },
    { mode: 'attended' },
    { mode: 'auto' },
    { pace: 0 },
    { pace: 30_000 },
    { busy: 'reject' },
    { busy: 'queue' },
    { card: 'discover-swipe' },
    { card: 'ebt-snap' },
    { card: 'wechat-qr' },
    { card: 'visa-contactless' },
    { tipPercent: 15 },
    { contactlessLimit: 500 },
    { outcome: 'approve' },
  ),
})
const act: fc.Arbitrary<TerminalAction> = fc.oneof(
  fc.record(
    {
      type: fc.constant('present-card' as const),
      terminalSn: fc.constant(attended),
      card: fc.constantFrom(
        'visa-contactless',
        'visa-chip-pin',
        'mastercard-chip-signature',
        'visa-declined',
      ),
      entry: fc.constantFrom('tap' as const, 'insert' as const, 'swipe' as const, 'key' as const),
      outcome: outcomeName,
    },
    { requiredKeys: ['type', 'terminalSn', 'card'] },
  ),
  fc.record({
    type: fc.constant('choose-tip' as const),
    terminalSn: fc.constant(attended),
    tipAmount: fc.nat(300),
  }),
  fc.record({
    type: fc.constant('enter-pin' as const),
    terminalSn: fc.constant(attended),
    correct: fc.boolean(),
  }),
  fc.record({ type: fc.constantFrom('sign' as const, 'cancel' as const), terminalSn: fc.constant(attended) }),
)
const attending = act.map((each) => ({ do: each.type, act: each }))
const passing = fc.record({
  do: fc.constant('pass' as const),
  milliseconds: fc.constantFrom(1, 2000, 59_999, 60_000, 180_000, 3_600_000, 86_400_000),
})
const step: fc.Arbitrary<RandomStep> = fc.oneof(
  { weight: 8, arbitrary: opening },
  { weight: 16, arbitrary: followUp },
  { weight: 2, arbitrary: closing },
  { weight: 1, arbitrary: queueing },
  { weight: 1, arbitrary: setting },
  { weight: 6, arbitrary: attending },
  { weight: 4, arbitrary: passing },
)
/** All steps of a payment at the attended terminal: alone they seldom come in this order. */
const visit = fc
  .record({
    amount,
    tipAmount: fc.nat(300),
    card: fc.constantFrom('visa-chip-pin', 'mastercard-chip-signature'),
    correct: fc.boolean(),
  })
  .map(({ amount, tipAmount, card, correct }): RandomStep[] => [
    {
      ...{ do: 'sale', amount, tip: 0, currency: 'USD' },
      ...{ terminalSn: attended, outcome: null, reuse: null },
    },
    ...(
      [
        { type: 'present-card', terminalSn: attended, card, entry: 'insert' },
        { type: 'choose-tip', terminalSn: attended, tipAmount },
        { type: 'enter-pin', terminalSn: attended, correct },
        { type: 'sign', terminalSn: attended },
      ] as const
    ).map((each) => ({ do: each.type, act: each })),
  ])

/** Voids that the host has not answered when the batch is closed. */
const lateVoids = fc.array(fc.nat(100), { minLength: 3, maxLength: 3 }).map((picks): RandomStep[] => [
  ...picks.map(
    (pick): RandomStep => ({
      ...{ do: 'void', pick, fitting: true, beyond: null, amount: 0, tip: 0, inCloud: true },
      ...{ terminalSn: auto, outcome: 'late-approval', reuse: null },
    }),
  ),
  { do: 'batch-close', terminalSn: auto, channelCode: null, reuse: null },
])

/** What a follow-up takes when it takes all, and so much more. */
const wholeOf = (type: string, original: Transaction | undefined, beyond: number): object => {
  if (original === undefined) return { amount: 1 }
  const { order, tip: tipAmount, tax, surcharge, cashback } = original
  const parts = { tipAmount, taxAmount: tax, surchargeAmount: surcharge, cashbackAmount: cashback }
  if (type === 'refund') return { amount: order + beyond, ...parts }
  return { amount: order + sumOf(original.followUps?.raised) + beyond }
}

/** Types that a follow-up acts on. */
const fits: Readonly<Record<string, readonly Transaction['type'][]>> = {
  'incremental-auth': ['AUTH'],
  'post-auth': ['AUTH'],
  refund: ['SALE', 'FORCED_AUTH', 'POST_AUTH'],
  void: ['SALE', 'AUTH', 'FORCED_AUTH', 'POST_AUTH', 'REFUND'],
  'tip-adjust': ['SALE', 'FORCED_AUTH', 'POST_AUTH'],
}

const unknown = { id: '0000000000000000', transactionRequestId: 'NONE' }

/** Request ids that were used by now. */
const usedIds = ({ transactions, closes }: Ledger): string[] => [
  ...[...transactions].map(({ transactionRequestId }) => transactionRequestId),
  ...closes.keys(),
]

/** The earlier request id that a step uses again, if it does. */
const reusedId = (given: RandomStep, ledger: Ledger): string | undefined => {
  if (!('reuse' in given) || given.reuse === null) return undefined
  const used = usedIds(ledger)
  return used[given.reuse % (used.length + 1)]
}

/** The command of a step, with the transactions that there are by now. */
function commandOf(given: Exclude<RandomStep, { do: 'pass' }>, ledger: Ledger, index: number): Command {
  if ('act' in given) return given.act
  if (given.do === 'queue-outcome') {
    const { terminalSn, outcome, times } = given
    return { type: 'queue-outcome', terminalSn, outcome, times }
  }
  if (given.do === 'set-terminal') {
    const { terminalSn, changes } = given
    return { type: 'set-terminal', terminalSn, changes }
  }
  const transactionRequestId = reusedId(given, ledger) ?? `STEP-${index}`
  if (given.do === 'batch-close') {
    const { terminalSn, channelCode } = given
    return request('batch-close', { transactionRequestId, terminalSn, channelCode })
  }
  const all = [...ledger.transactions]
  const { terminalSn, outcome } = given
  if ('currency' in given) {
    const members = {
      transactionRequestId,
      referenceOrderId: `ORDER-${index}`,
      amount: given.amount,
      tipAmount: given.tip,
      taxAmount: given.tip % 50,
      surchargeAmount: given.tip % 20,
      ...(given.tip === 0 && given.do === 'sale' && { tipConfig: { onScreenTip: true } }),
      priceCurrency: given.currency,
      terminalSn,
    }
    return request(given.do === 'refund-free' ? 'refund' : given.do, members, outcome)
  }
  const types = given.fitting ? fits[given.do] : undefined
  const candidates = types === undefined ? all : all.filter(({ type }) => types.includes(type))
  const original = candidates[given.pick % (candidates.length + 1)]
  const amounts =
    given.beyond !== null
      ? wholeOf(given.do, original, given.beyond)
      : {
          amount: given.amount,
          tipAmount: given.tip || null,
          ...(given.tip % 3 === 1 && { taxAmount: given.tip % 50, surchargeAmount: given.tip % 20 }),
        }
  const members = { transactionRequestId, pushToTerminal: !given.inCloud, terminalSn }
  const named = { ...unknown, ...original } as Transaction
  if (given.do === 'abort') return on('abort', named)
  if (given.do === 'tip-adjust') return on('tip-adjust', named, { tipAmount: given.tip })
  return on(given.do, named, given.do === 'void' ? members : { ...members, ...amounts }, outcome)
}

const stepNames: readonly Exclude<RandomStep['do'], 'pass'>[] = [
  'sale',
  'auth',
  'forced-auth',
  'refund-free',
  'incremental-auth',
  'post-auth',
  'refund',
  'void',
  'tip-adjust',
  'abort',
  'batch-close',
  'queue-outcome',
  'set-terminal',
  'present-card',
  'choose-tip',
  'enter-pin',
  'sign',
  'cancel',
]

/** Refusals that the runs must meet, or they would prove little. */
const refusals: readonly ErrorCode[] = [
  'SBX_DUP_TXN_ID',
  'SBX_NOT_ALLOWED',
  'SBX_OVER_REFUND',
  'SBX_REFUNDED',
  'SBX_NO_BALANCE',
  'SBX_OVER_CAPTURE',
  'SBX_VOID_LATE',
  'SBX_TERM_BUSY',
  'SBX_TERM_SCREEN',
  'SBX_WRONG_TYPE',
  'SBX_TXN_UNKNOWN',
  'SBX_BATCH_CLOSED',
  'SBX_BATCH_EMPTY',
]

/** What the runs came across, to show that they do not miss a kind of step. */
const accepted = new Set<string>()
const refusedWith = new Set<string>()
const settledWith = new Set<string>()

/** Notes what settlement met at the end of a run. */
function noteSettlement({ all, closes }: Audit): void {
  if (all.some(({ rule }) => rule === 'settled')) settledWith.add('a void under way')
  if (closes.some(({ batches }) => batches.length > 1)) settledWith.add('several batches')
  if (closes.some(({ batches }) => batches.some(({ net }) => net < 0))) settledWith.add('a net below nothing')
}

const opensNothing = [
  'abort',
  'tip-adjust',
  'batch-close',
  'queue-outcome',
  'set-terminal',
  'present-card',
  'choose-tip',
  'enter-pin',
  'sign',
  'cancel',
]

function take(till: WatchedTill, given: RandomStep, index: number): void {
  if (given.do === 'pass') {
    till.pass(given.milliseconds)
    return
  }
  const command = commandOf(given, till.ledger, index)
  const reused = reusedId(given, till.ledger) !== undefined
  const { size } = till.ledger.transactions
  note(till, command, given.do, { accepted, refusedWith })
  const opened = till.ledger.transactions.size - size
  const opens = !reused && !opensNothing.includes(given.do)
  expect(opened, `${given.do} opened ${opened}`).toBeLessThanOrEqual(opens ? 1 : 0)
}

const reserve = fc.constantFrom(10_000_000, 1500)
/** 40 steps on average, and as few as needed when a failure is shrunk. */
const steps = fc
  .noBias(
    fc.array(
      fc.oneof(
        { weight: 40, arbitrary: step.map((each) => [each]) },
        { weight: 1, arbitrary: visit },
        { weight: 1, arbitrary: lateVoids },
      ),
      { minLength: 1, maxLength: 80, size: 'max' },
    ),
  )
  .map((all) => all.flat())

describe('laws of payments in person that hold after every step', () => {
  test('api refund-2, ids-4, limit-refunds, statuses, operation-4-2: amounts, ids, totals, lines and statuses stay true', () => {
    accepted.clear()
    refusedWith.clear()
    settledWith.clear()
    assertUntil(
      fc.property(reserve, steps, (money, all) => {
        const till = runSteps(money, all, take, (running) => new Audit(running).everything())
        till.pass(2 * day)
        const audit = new Audit(till)
        audit.everything()
        noteSettlement(audit)
        expect(audit.all.filter(inFlight), 'what is still open after two days').toEqual([])
      }),
      times(12, 200),
      () =>
        accepted.size === new Set(stepNames).size &&
        settledWith.size === 3 &&
        refusals.every((code) => refusedWith.has(code)),
    )
    expect([...accepted].sort(), 'steps that were accepted').toEqual([...stepNames].sort())
    expect([...settledWith].sort(), 'what was settled').toEqual([
      'a net below nothing',
      'a void under way',
      'several batches',
    ])
    expect([...refusedWith], 'rules that refused').toEqual(expect.arrayContaining([...refusals]))
  })

  test('at every step, a replay of the events makes the same ledger', () =>
    provesReplay(reserve, steps, take, times(4, 60)))
})
