import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../../src/contract/errors.ts'
import { channels, sessionChanges, type statusChanges } from '../../src/contract/statuses.ts'
import { outcomes } from '../../src/domain/fixtures.ts'
import type { Command } from '../../src/domain/model/commands.ts'
import type { Event } from '../../src/domain/model/events.ts'
import { totalOrZero } from '../../src/domain/model/parts.ts'
import { momentsOf } from '../../src/domain/model/timeline.ts'
import type { Transaction } from '../../src/domain/model/transaction.ts'
import { sessionState } from '../../src/sandbox/control/sessions.ts'
import { Audit, inFlight } from '../support/domain/audit.ts'
import {
  expiring,
  givingUp,
  newSession,
  onlineCards,
  onlineRefund,
  paying,
  walletPayment,
} from '../support/domain/checkout.ts'
import { changesBy, day, ledgerText, on, Restarted, request, WatchedTill } from '../support/domain/ledger.ts'
import { assertUntil, times } from '../support/runner/counts.ts'

/** One step as fast-check makes it: plain data, so that a failure can be shrunk and printed. Most steps use few members. */
interface RandomStep {
  readonly do: keyof typeof commands
  /** Place of what it acts on among the candidates, or that of none. */
  readonly pick: number
  /** Whether the candidates are those of a fitting kind, or all. */
  readonly fitting: boolean
  /** Of a follow-up: so much more than the whole of the original; null: the amount here. */
  readonly beyond: number | null
  readonly amount: number
  readonly tip: number
  readonly currency: string
  readonly card: string
  readonly entry: string | null
  readonly outcome: string | null
  readonly correct: boolean
  readonly terminalSn: string
  readonly inCloud: boolean
  /** What a close is for; null: all channels. */
  readonly channelCode: string | null
  readonly changes: object
  /** Reuses the request id of an earlier transaction or close, by its place; null: a new one. */
  readonly reuse: number | null
  readonly milliseconds: number
}

interface Scene {
  readonly given: RandomStep
  readonly all: readonly Transaction[]
  readonly index: number
  readonly transactionRequestId: string
}

const [auto, attended] = ['TBX-AUTO-001', 'TBX-ATTENDED-001']
const minute = 60_000
const words = (text: string): string[] => text.split(' ')
const weighted = <T>(weight: number, value: T) => ({ weight, arbitrary: fc.constant(value) })
const outcomeName = fc.constantFrom(...outcomes.map(({ name }) => name))

const arbitraries = {
  pick: fc.nat(100),
  fitting: fc.oneof(weighted(4, true), weighted(1, false)),
  beyond: fc.constantFrom(null, 0, 1),
  amount: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 0, max: 1200 }) },
    fc.constantFrom(...outcomes.flatMap((each) => each.amount ?? [])),
  ),
  tip: fc.oneof(weighted(3, 0), fc.integer({ min: 0, max: 300 })),
  currency: fc.oneof(weighted(4, 'USD'), weighted(1, 'EUR')),
  card: fc.oneof(
    weighted(2, 'visa-contactless'),
    weighted(2, 'visa-declined'),
    weighted(2, 'visa-chip-pin'),
    fc.constantFrom('mastercard-chip-signature', ...onlineCards.map(({ name }) => name)),
  ),
  entry: fc.constantFrom(null, 'tap', 'insert', 'swipe', 'key'),
  outcome: fc.oneof(
    weighted(4, null),
    weighted(3, 'approve'),
    { weight: 2, arbitrary: fc.constantFrom('late-approval', 'host-timeout') },
    outcomeName,
  ),
  correct: fc.boolean(),
  terminalSn: fc.oneof(
    weighted(8, auto),
    weighted(3, attended),
    fc.constantFrom('TBX-OFFLINE-001', 'TBX-BUSY-001', 'TBX-CANCEL-001', 'TBX-SLOW-001'),
    fc.constantFrom('TBX-DECLINE-001', 'TBX-TIP20-001', 'TBX-LATE-001', 'COUNTER-9'),
  ),
  inCloud: fc.boolean(),
  channelCode: fc.oneof(weighted(6, null), ...channels.map(({ channelCode }) => weighted(1, channelCode))),
  changes: fc.oneof(
    fc.constantFrom({ online: false }, { online: true }, { mode: 'attended' }, { mode: 'auto' }),
    fc.constantFrom({ pace: 0 }, { pace: 30_000 }, { busy: 'reject' }, { busy: 'queue' }),
    fc.constantFrom(...words('discover-swipe ebt-snap wechat-qr visa-contactless').map((card) => ({ card }))),
    fc.constantFrom({ tipPercent: 15 }, { contactlessLimit: 500 }, { outcome: 'approve' }),
  ),
  reuse: fc.oneof(weighted(12, null), fc.nat(100)),
  milliseconds: fc.constantFrom(1, 2000, minute - 1, minute, 15 * minute, 30 * minute, 60 * minute, day),
} satisfies { [member in Exclude<keyof RandomStep, 'do'>]: fc.Arbitrary<RandomStep[member]> }

const nobody = { id: '0'.repeat(16), transactionRequestId: 'NONE', online: null } as unknown as Transaction

/** The picked one of the last few of a kind, or nobody. */
function pickOf({ given, all }: Scene, fits: (transaction: Transaction) => boolean, few = Infinity) {
  const candidates = (given.fitting ? all.filter(fits) : all).slice(-few)
  return candidates[given.pick % (candidates.length + 1)] ?? nobody
}

const isSession = ({ online }: Transaction): boolean => online?.sessionId != null
const session = (scene: Scene) =>
  pickOf(scene, (each) => isSession(each) && (scene.given.beyond === 1 || inFlight(each)), 4)

/** Money and id of a request that opens a transaction; `payable` where it is paid at a terminal. */
const orderOf = ({ given, transactionRequestId }: Scene) => ({
  ...{ transactionRequestId, amount: given.amount, priceCurrency: given.currency },
  ...{ tipAmount: given.tip, taxAmount: given.tip % 50, surchargeAmount: given.tip % 20 },
})
const opening = (type: 'sale' | 'auth' | 'forced-auth' | 'refund') => (scene: Scene) => {
  const { tip, terminalSn, outcome } = scene.given
  const tipConfig = tip === 0 && type === 'sale' ? { tipConfig: { onScreenTip: true } } : {}
  const members = { referenceOrderId: `ORDER-${scene.index}`, terminalSn, ...tipConfig }
  return request(type, { ...orderOf(scene), ...members }, outcome)
}

/** What a follow-up takes when it takes all, and so much more. */
const wholeOf = (type: string, original: Transaction, beyond: number): object => {
  const { order = 1, tip: tipAmount, tax, surcharge, cashback } = original
  const parts = { tipAmount, taxAmount: tax, surchargeAmount: surcharge, cashbackAmount: cashback }
  if (type === 'refund') return { amount: order + beyond, ...parts }
  return { amount: order + totalOrZero(original.followUps?.raised) + beyond }
}
const followUp =
  (type: 'incremental-auth' | 'post-auth' | 'refund' | 'void', ...types: Transaction['type'][]) =>
  (scene: Scene) => {
    const { amount, tip, beyond, inCloud, terminalSn, outcome } = scene.given
    const original = pickOf(scene, ({ type }) => types.includes(type))
    const { transactionRequestId } = scene
    const members = { transactionRequestId, pushToTerminal: !inCloud, terminalSn }
    const others = tip % 3 === 1 ? { taxAmount: tip % 50, surchargeAmount: tip % 20 } : {}
    const some = { amount, tipAmount: tip || null, ...others }
    const amounts = beyond === null || original === nobody ? some : wholeOf(type, original, beyond)
    return on(type, original, type === 'void' ? members : { ...members, ...amounts }, outcome)
  }

/** The command of each step, or the milliseconds that pass. */
const commands = {
  sale: opening('sale'),
  auth: opening('auth'),
  'forced-auth': opening('forced-auth'),
  'refund-free': opening('refund'),
  'incremental-auth': followUp('incremental-auth', 'AUTH'),
  'post-auth': followUp('post-auth', 'AUTH'),
  refund: followUp('refund', 'SALE', 'FORCED_AUTH', 'POST_AUTH'),
  void: followUp('void', 'SALE', 'AUTH', 'FORCED_AUTH', 'POST_AUTH', 'REFUND'),
  'tip-adjust': (scene) => {
    const original = pickOf(scene, ({ type }) => ['SALE', 'FORCED_AUTH', 'POST_AUTH'].includes(type))
    return on('tip-adjust', original, { tipAmount: scene.given.tip })
  },
  abort: (scene) =>
    on(
      'abort',
      pickOf(scene, () => true),
    ),
  'batch-close': ({ given: { terminalSn, channelCode }, transactionRequestId }) =>
    request('batch-close', { transactionRequestId, terminalSn, channelCode }),
  'queue-outcome': ({ given: { terminalSn, outcome, pick } }) => ({
    ...{ type: 'queue-outcome', terminalSn, outcome: outcome ?? 'approve', times: pick % 3 },
  }),
  'set-terminal': ({ given: { terminalSn, changes, pick } }) => ({
    ...{ type: 'set-terminal', terminalSn: pick % 2 === 0 ? 'TBX-SLOW-001' : terminalSn, changes },
  }),
  'present-card': ({ given: { card, entry, outcome } }) =>
    ({
      ...{ type: 'present-card', terminalSn: attended, card },
      ...(entry && { entry }),
      ...(outcome && { outcome }),
    }) as Command,
  'choose-tip': ({ given }) => ({ type: 'choose-tip', terminalSn: attended, tipAmount: given.tip }),
  'enter-pin': ({ given }) => ({ type: 'enter-pin', terminalSn: attended, correct: given.correct }),
  sign: () => ({ type: 'sign', terminalSn: attended }),
  cancel: () => ({ type: 'cancel', terminalSn: attended }),
  'create-session': (scene) => newSession(scene.given.amount, orderOf(scene), scene.given.outcome),
  'direct-payment': (scene) => {
    const { amount, outcome, card } = scene.given
    return walletPayment(amount, orderOf(scene), outcome, card)
  },
  'pay-session': (scene) => paying(session(scene), scene.given.card),
  'cancel-session': (scene) => givingUp(session(scene)),
  'expire-session': (scene) => expiring(session(scene)),
  'online-refund': (scene) => {
    const { beyond, amount, tip, outcome } = scene.given
    const isPaid = ({ online, type, status }: Transaction) =>
      online !== null && type === 'SALE' && status === 'SUCCESS'
    const amounts = beyond === null ? { amount, tipAmount: tip } : {} // left out: all that is left
    const { transactionRequestId } = scene
    return onlineRefund(pickOf(scene, isPaid, 4), { transactionRequestId, ...amounts }, outcome)
  },
  pass: ({ given }) => given.milliseconds,
} as const satisfies Record<string, (scene: Scene) => Command | number>

/** Steps that open a transaction. */
const opens = words(
  'sale auth forced-auth refund-free incremental-auth post-auth refund void create-session direct-payment online-refund',
)

/** What the runs came across, to show that they miss nothing: accepted steps, codes of refusals, and ends. */
const met = new Set<string>()

/** Takes a step. A refusal must not change the ledger, and a step opens at most one transaction. */
function take(till: WatchedTill, given: RandomStep, index: number): void {
  const { transactions, closes } = till.ledger
  const all = [...transactions]
  const used = [...all.map((each) => each.transactionRequestId), ...closes.keys()]
  const reused = given.reuse === null ? undefined : used[given.reuse % (used.length + 1)]
  const command = commands[given.do]({ given, all, index, transactionRequestId: reused ?? `STEP-${index}` })
  if (typeof command === 'number') return till.pass(command)
  const before = ledgerText(till.ledger)
  try {
    till.do(command)
    met.add(given.do)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    met.add(error.code)
    expect(ledgerText(till.ledger), `${given.do} was refused and changed the ledger`).toBe(before)
  }
  const opened = transactions.size - all.length
  expect(opened, `what ${given.do} opened`).toBeLessThanOrEqual(
    reused === undefined && opens.includes(given.do) ? 1 : 0,
  )
}

/** A till that fails the test, too, when a session changes its state against the table. */
class LawTill extends WatchedTill {
  protected override apply(event: Event): void {
    const states = () =>
      [...this.ledger.transactions].filter(isSession).map((each) => [each.id, sessionState(each)] as const)
    const before = new Map(states())
    super.apply(event)
    for (const [id, to] of states()) {
      const from = before.get(id) ?? null
      if (from === to) continue
      expect(sessionChanges).toContainEqual(expect.objectContaining({ from, to }))
      met.add(`${from} --> ${to}`)
    }
  }
}

/** The statuses of a transaction in which each of its events comes. */
const comesIn = {
  ...{
    'taken-up': 'INITIAL',
    closed: 'INITIAL PROCESSING',
    'signature-asked': 'PROCESSING',
    signed: 'PROCESSING',
    'signature-skipped': 'PROCESSING',
  },
  ...{ 'card-presented': 'PROCESSING', 'insert-asked': 'PROCESSING', 'tip-chosen': 'PROCESSING' },
  ...{ 'pin-entered': 'PROCESSING', 'pin-wrong': 'PROCESSING', 'host-asked': 'PROCESSING' },
  ...{ approved: 'PROCESSING', declined: 'PROCESSING', 'try-declined': 'PROCESSING' },
  ...{ 'abort-too-late': 'PROCESSING', 'tip-adjusted': 'SUCCESS', opened: 'null' },
}

/** Notes which events came in which status, and which changes they made: the till takes only those of the table. */
function noteChanges({ changes }: WatchedTill): void {
  for (const { event, cause, from, to } of changes) {
    assert.ok(words(comesIn[event as 'opened'] ?? '').includes(String(from)), `${event} came in ${from}`)
    met.add(`${event} in ${from}`)
    if (from !== to) met.add(`${cause}: ${from} to ${to}`)
  }
}
const changesOf = (...causes: (keyof typeof statusChanges)[]): string[] =>
  causes.flatMap((cause) => changesBy(cause).map((change) => `${cause}: ${change}`))

/** Takes the steps on a new till; `check` sees it after each of them. */
function runSteps(reserve: number, steps: readonly RandomStep[], check: (till: WatchedTill) => void) {
  const till = new LawTill(reserve)
  for (const [index, step] of steps.entries()) {
    take(till, step, index)
    check(till)
  }
  return till
}

/** What is true of every session, read from its story. */
function auditSessions(till: WatchedTill): void {
  for (const each of [...till.ledger.transactions].filter(isSession)) {
    assert.equal(till.ledger.transactions.ofSession(each.online?.sessionId ?? ''), each)
    const story = momentsOf(each)
    const count = (...names: string[]) => story.filter(({ what }) => names.includes(what)).length
    assert.equal(count('approved'), each.status === 'SUCCESS' ? 1 : 0)
    assert.ok(count('approved', 'declined', 'closed') <= 1)
    assert.equal(each.online?.tries, count('try-declined', 'declined'))
    assert.ok((each.online?.tries ?? 0) <= 3)
    const answered = count('approved', 'try-declined', 'declined')
    assert.equal(count('host-asked') - answered, each.screen === 'host' ? 1 : 0)
    for (const { what, at } of story)
      if (what === 'card-presented') assert.ok(at < each.createdAt + 30 * minute)
    if (each.screen === 'waiting') assert.ok(till.at < each.createdAt + 30 * minute)
    if (!inFlight(each)) met.add(`${each.status} after ${each.online?.tries}`)
  }
}

/** Notes what settlement met. */
function noteSettlement({ all, closes }: Audit): void {
  if (all.some(({ rule }) => rule === 'settled')) met.add('a void under way')
  if (closes.some(({ batches }) => batches.length > 1)) met.add('several batches')
  if (closes.some(({ batches }) => batches.some(({ net }) => net < 0))) met.add('a net below nothing')
}

/** A step of that kind. */
const stepOf = (name: RandomStep['do'], more: Partial<typeof arbitraries> = {}): fc.Arbitrary<RandomStep> =>
  fc.record({ do: fc.constant(name), ...arbitraries, ...more })

/** All steps of a payment at the attended terminal: alone they seldom come in this order. */
const visit = fc.tuple(
  stepOf('sale', { terminalSn: fc.constant(attended), tip: fc.constant(0), outcome: fc.constant(null) }),
  stepOf('present-card', {
    card: fc.constantFrom('visa-chip-pin', 'mastercard-chip-signature'),
    entry: fc.constant('insert'),
    outcome: fc.constant(null),
  }),
  ...(['choose-tip', 'enter-pin', 'sign'] as const).map((name) => stepOf(name)),
)

/** Voids that the host has not answered when the batch is closed. */
const lateVoid = stepOf('void', {
  ...{ fitting: fc.constant(true), inCloud: fc.constant(true), reuse: fc.constant(null) },
  ...{ terminalSn: fc.constant(auto), outcome: fc.constant('late-approval') },
})
const lateVoids = fc.tuple(
  ...[lateVoid, lateVoid, lateVoid],
  stepOf('batch-close', { terminalSn: fc.constant(auto), channelCode: fc.constant(null) }),
)

const ofAll =
  'SBX_DUP_TXN_ID SBX_NOT_ALLOWED SBX_OVER_REFUND SBX_REFUNDED SBX_NO_BALANCE SBX_WRONG_TYPE SBX_TXN_UNKNOWN'
/** Two worlds, each with how often its steps come, and what else its runs must meet, or they would prove little. */
const worlds = [
  {
    name: 'payments in person',
    weights: {
      ...{ sale: 3, auth: 3, 'forced-auth': 1, 'refund-free': 1, 'incremental-auth': 2, 'post-auth': 4 },
      ...{ refund: 4, void: 4, 'tip-adjust': 2, abort: 2, 'batch-close': 2, 'queue-outcome': 1 },
      ...{
        'set-terminal': 1,
        'present-card': 2,
        'choose-tip': 1,
        'enter-pin': 1,
        sign: 1,
        cancel: 1,
        pass: 4,
      },
    },
    walks: [visit, lateVoids] as fc.Arbitrary<RandomStep[]>[],
    reserves: [10_000_000, 1500],
    needed: [
      ...words(
        'SBX_OVER_CAPTURE SBX_VOID_LATE SBX_TERM_BUSY SBX_TERM_SCREEN SBX_BATCH_CLOSED SBX_BATCH_EMPTY',
      ),
      ...['a void under way', 'several batches', 'a net below nothing', 'cancel: PROCESSING to CLOSED'],
      ...changesOf('opened', 'taken-up', 'approved', 'declined', 'abort', 'expiry'),
      ...Object.entries(comesIn)
        .filter(([event]) => !['try-declined', 'insert-asked'].includes(event)) // online, and too seldom
        .flatMap(([event, statuses]) => words(statuses).map((status) => `${event} in ${status}`)),
    ],
  },
  {
    name: 'online payments',
    weights: {
      ...{ 'create-session': 2, 'pay-session': 5, 'online-refund': 3, pass: 2, 'direct-payment': 1 },
      ...{
        'cancel-session': 1,
        'expire-session': 1,
        sale: 1,
        refund: 1,
        'refund-free': 1,
        void: 1,
        abort: 1,
      },
    },
    walks: [],
    reserves: [10_000_000, 0],
    needed: [
      ...words('SBX_SESSION_NONE SBX_SESSION_OVER SBX_SESSION_BUSY'),
      ...['SUCCESS after 0', 'SUCCESS after 1', 'FAIL after 1', 'FAIL after 3', 'CLOSED after 0'],
      ...['try-declined in PROCESSING', ...changesOf('cancel', 'expiry', 'expired')],
      ...sessionChanges.map(({ from, to }) => `${from} --> ${to}`),
    ],
  },
]

describe.each(worlds)('laws of $name that hold after every step', ({ weights, walks, reserves, needed }) => {
  const names = Object.keys(weights) as RandomStep['do'][]
  const name = fc.oneof(
    ...names.map((each) => weighted((weights as Record<string, number>)[each] ?? 0, each)),
  )
  const step = fc.record({ do: name, ...arbitraries }).map((each): RandomStep[] => [each])
  const parts: fc.WeightedArbitrary<RandomStep[]>[] = [
    { weight: 40, arbitrary: step },
    ...walks.map((arbitrary) => ({ weight: 1, arbitrary })),
  ]
  /** 40 steps on average, and as few as needed when a failure is shrunk. */
  const steps = fc
    .noBias(fc.array(fc.oneof(...parts), { minLength: 1, maxLength: 80, size: 'max' }))
    .map((all) => all.flat())
  const reserve = fc.constantFrom(...reserves)

  test('api refund-2, ids-4, limit-refunds, statuses, operation-4-2: amounts, ids, totals, lines, sessions and statuses stay true, and every change of the tables happens', () => {
    met.clear()
    const wanted = [...names.filter((each) => each !== 'pass'), ...words(ofAll), ...needed]
    assertUntil(
      fc.property(reserve, steps, (money, all) => {
        const till = runSteps(money, all, (running) => {
          new Audit(running).everything()
          auditSessions(running)
        })
        till.pass(2 * day)
        auditSessions(till)
        const audit = new Audit(till)
        audit.everything()
        noteSettlement(audit)
        noteChanges(till)
        expect(audit.all.filter(inFlight), 'what is still open after two days').toEqual([])
      }),
      times(12, 200),
      () => wanted.every((each) => met.has(each)),
    )
    expect([...met], 'what the runs met').toEqual(expect.arrayContaining(wanted))
  })

  test('at every step, a replay of the events makes the same ledger', () => {
    const law = fc.property(reserve, steps, (money, all) => {
      const restarted = new Restarted(money)
      const till = runSteps(money, all, (now) => {
        restarted.follow(now)
        expect(ledgerText(restarted.ledger)).toBe(ledgerText(now.ledger))
      })
      expect(till.replay()).toEqual(till.ledger)
    })
    fc.assert(law, { numRuns: times(4, 60) })
  })
})
