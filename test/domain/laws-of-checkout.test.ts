import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../src/contract/errors.ts'
import type { Command } from '../../src/domain/model/commands.ts'
import { momentsOf } from '../../src/domain/model/timeline.ts'
import type { Transaction } from '../../src/domain/model/transaction.ts'
import { outcomes } from '../../src/fixtures.ts'
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
import { note, provesReplay, runSteps, weighted } from '../support/domain/laws.ts'
import { day, freeRefund, on, saleOf, type Till, type WatchedTill } from '../support/domain/ledger.ts'
import { assertUntil, times } from '../support/runner/counts.ts'

/** One step as fast-check makes it: plain data, so that a failure can be shrunk and printed. */
interface RandomCheckoutStep {
  readonly do: keyof typeof commands
  /** Place of the transaction that it acts on, among those of a fitting kind, or that of none. */
  readonly pick: number
  readonly amount: number
  /** Left out of an online refund: all that is left. */
  readonly whole: boolean
  readonly tip: number
  readonly currency: string
  readonly card: string
  readonly outcome: string | null
  /** Reuses the request id of an earlier transaction, by its place; null: a new one. */
  readonly reuse: number | null
  readonly milliseconds: number
}

const minute = 60_000

const step: fc.Arbitrary<RandomCheckoutStep> = fc.record({
  do: fc.oneof(
    weighted(2, 'create-session' as const),
    weighted(5, 'pay-session' as const),
    weighted(3, 'online-refund' as const),
    weighted(2, 'pass' as const),
    { weight: 4, arbitrary: fc.constantFrom('direct-payment', 'cancel-session', 'expire-session', 'sale') },
    { weight: 4, arbitrary: fc.constantFrom('refund', 'refund-free', 'void', 'abort') },
  ),
  pick: fc.nat(100),
  amount: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 0, max: 1200 }) },
    fc.constantFrom(...outcomes.flatMap((each) => each.amount ?? [])),
  ),
  whole: fc.boolean(),
  tip: fc.oneof(weighted(3, 0), fc.integer({ min: 0, max: 300 })),
  currency: fc.oneof(weighted(4, 'USD'), weighted(1, 'EUR')),
  card: fc.oneof(
    weighted(2, 'visa-contactless'),
    weighted(2, 'visa-declined'),
    fc.constantFrom(...onlineCards.map(({ name }) => name)),
  ),
  outcome: fc.oneof(
    weighted(5, null),
    weighted(2, 'approve'),
    { weight: 2, arbitrary: fc.constantFrom('late-approval', 'host-timeout') },
    fc.constantFrom(...outcomes.map(({ name }) => name)),
  ),
  reuse: fc.oneof(weighted(12, null), fc.nat(100)),
  milliseconds: fc.constantFrom(1, minute - 1, minute, 15 * minute, 30 * minute, day),
})

interface Scene {
  readonly given: RandomCheckoutStep
  readonly till: Till
  readonly all: readonly Transaction[]
  /** Members that an opening request has. */
  readonly members: { readonly transactionRequestId: string }
}

const nobody = {
  id: '0000000000000000',
  transactionRequestId: 'NONE',
  online: null,
} as unknown as Transaction

/** The picked one of the last few that pass, or nobody. */
function pickOf({ given, all }: Scene, passes: (transaction: Transaction) => boolean): Transaction {
  const candidates = all.filter(passes).slice(-4)
  return (given.pick % 10 === 0 ? undefined : candidates[given.pick % candidates.length]) ?? nobody
}

const isSession = ({ online }: Transaction): boolean => online?.sessionId != null
const isOpenSession = (transaction: Transaction): boolean => isSession(transaction) && inFlight(transaction)
const session = (scene: Scene) => pickOf(scene, scene.given.whole ? isOpenSession : isSession)
const isPaidOnline = ({ online, type, status }: Transaction): boolean =>
  online !== null && type === 'SALE' && status === 'SUCCESS'
const amountsOf = ({ amount, tip }: RandomCheckoutStep) => ({ amount, tipAmount: tip })

const commands = {
  'create-session': ({ given, members }: Scene) => newSession(given.amount, members, given.outcome),
  'direct-payment': ({ given, members }: Scene) =>
    walletPayment(given.amount, members, given.outcome, given.card),
  'pay-session': (scene: Scene) => paying(session(scene), scene.given.card),
  'cancel-session': (scene: Scene) => givingUp(session(scene)),
  'expire-session': (scene: Scene) => expiring(session(scene)),
  'online-refund': (scene: Scene) => {
    const { given, members } = scene
    const { transactionRequestId } = members
    const original = pickOf(scene, given.pick % 4 === 0 ? () => true : isPaidOnline)
    const amounts = given.whole ? {} : amountsOf(given)
    return onlineRefund(original, { transactionRequestId, ...amounts }, given.outcome)
  },
  'refund-free': ({ given, members }: Scene) => freeRefund(given.amount, members, given.outcome),
  sale: ({ given, members }: Scene) => saleOf(given.amount, members, given.outcome),
  refund: (scene: Scene) =>
    on(
      'refund',
      pickOf(scene, () => true),
      amountsOf(scene.given),
      scene.given.outcome,
    ),
  void: (scene: Scene) =>
    on(
      'void',
      pickOf(scene, () => true),
    ),
  abort: (scene: Scene) =>
    on(
      'abort',
      pickOf(scene, () => true),
    ),
  pass: ({ given }: Scene) => given.milliseconds,
} as const satisfies Record<string, (scene: Scene) => Command | number>

const refusals: readonly ErrorCode[] = [
  'SBX_DUP_TXN_ID',
  'SBX_NOT_ALLOWED',
  'SBX_OVER_REFUND',
  'SBX_REFUNDED',
  'SBX_NO_BALANCE',
  'SBX_WRONG_TYPE',
  'SBX_TXN_UNKNOWN',
  'SBX_SESSION_NONE',
  'SBX_SESSION_OVER',
  'SBX_SESSION_BUSY',
]

/** What the runs came across, to show that they do not miss a kind of step. */
const accepted = new Set<string>()
const refusedWith = new Set<string>()
const ends = new Set<string>()

function take(till: WatchedTill, given: RandomCheckoutStep, index: number): void {
  const all = [...till.ledger.transactions]
  const reused = given.reuse === null ? undefined : all[given.reuse % (all.length + 1)]
  const { tip: tipAmount, currency: priceCurrency } = given
  const transactionRequestId = reused?.transactionRequestId ?? `STEP-${index}`
  const members = { transactionRequestId, priceCurrency, tipAmount, taxAmount: tipAmount % 50 }
  const command = commands[given.do]({ given, till, all, members })
  if (typeof command === 'number') return till.pass(command)
  note(till, command, given.do, { accepted, refusedWith })
}

/** What is true of every session, read from its story. */
function auditSessions(till: Till): void {
  const sessions = [...till.ledger.transactions].filter(isSession)
  for (const each of sessions) {
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
    if (!inFlight(each)) ends.add(`${each.status} after ${each.online?.tries}`)
  }
}

const reserve = fc.constantFrom(10_000_000, 0)
const steps = fc.noBias(fc.array(step, { minLength: 1, maxLength: 80, size: 'max' }))

describe('laws of online payments that hold after every step', () => {
  test('api refund-2, ids-4, statuses: amounts, ids, totals, sessions and statuses stay true', () => {
    const commandNames = Object.keys(commands).filter((name) => name !== 'pass')
    const ways = ['SUCCESS after 0', 'SUCCESS after 1', 'FAIL after 1', 'FAIL after 3', 'CLOSED after 0']
    assertUntil(
      fc.property(reserve, steps, (money, all) => {
        const till = runSteps(money, all, take, (running) => {
          new Audit(running).everything()
          auditSessions(running)
        })
        till.pass(2 * day)
        auditSessions(till)
        expect(new Audit(till).all.filter(inFlight), 'what is still open after two days').toEqual([])
      }),
      times(12, 200),
      () =>
        accepted.size === commandNames.length &&
        refusals.every((code) => refusedWith.has(code)) &&
        ways.every((way) => ends.has(way)),
    )
    expect([...accepted].sort(), 'steps that were accepted').toEqual(commandNames.sort())
    expect([...refusedWith], 'rules that refused').toEqual(expect.arrayContaining([...refusals]))
    expect([...ends], 'ways in which sessions ended').toEqual(expect.arrayContaining(ways))
  })

  test('at every step, a replay of the events makes the same ledger', () =>
    provesReplay(reserve, steps, take, times(4, 50)))
})
