import { expect, test } from 'vitest'
import { builtIn } from '../../../src/domain/fixtures.ts'
import type { Timeline, Transaction } from '../../../src/domain/model/transaction.ts'
import { createState, type State } from '../../../src/domain/state.ts'
import { NotificationIndex } from '../../../src/sandbox/webhooks/notifications/notification-index.ts'
import { pastNotifications } from '../../../src/sandbox/webhooks/notifications/past-notifications.ts'
import { noon, saleOf, Till } from '../../support/domain/ledger.ts'

/** What happened to each of them. */
const timeline: Timeline = [
  ...[0, 'opened', null],
  ...[3, 'taken-up', null],
  ...[3, 'card-presented', null],
  ...[4, 'host-asked', null],
  ...[4, 'approved', null],
]

/** A sale of that id with these facts. */
const sold = (id: string, after: number, facts: Partial<Transaction> = {}): Transaction => ({
  ...new Till().open(saleOf(1_000)),
  ...{ id, createdAt: noon + after, pinAfter: 'card-presented', timeline },
  ...facts,
})

/** A state with these transactions, and everything they told in its order. */
function stored(transactions: readonly Transaction[]) {
  const state: State = createState(builtIn)
  const [ledger] = state.ledgers.values()
  if (ledger === undefined) throw new Error('the fixtures have a merchant')
  for (const transaction of transactions) ledger.transactions.add(transaction)
  const notifications = transactions
    .flatMap((transaction) => pastNotifications(ledger, transaction))
    .sort(
      (one, other) =>
        one.journalOrder - other.journalOrder || Number(one.transactionId) - Number(other.transactionId),
    )
  return { state, notifications }
}

test.each<[string, Partial<Transaction>]>([
  ['nothing', {}],
  ['timeline', { timeline: [...timeline.slice(0, 3), 3, 'taken-up', null, 9, 'closed', null] }],
  ['inCloud', { inCloud: true }],
  ['screen', { screen: 'signature' }],
  ['the moment of its PIN', { pinAfter: 'tip-chosen' }],
  ['receipt that was asked for', { instructions: { print: true } }],
  ['setBack', { setBack: 10 }],
])('the index has the notifications of a transaction that differs in %s', (_, facts) => {
  const { state, notifications } = stored([sold('1', 0), sold('2', 2, facts), sold('3', 5)])
  const index = new NotificationIndex(state)
  expect([...index.from(state, 0)]).toEqual(notifications)
  expect(index.count).toBe(notifications.length)
})

test('a notification stored later but sent earlier comes first', () => {
  const { state, notifications } = stored([sold('2', 20), sold('1', 0), sold('3', 20)])
  expect(notifications[0]?.transactionId).toBe('1')
  expect([...new NotificationIndex(state).from(state, 0)]).toEqual(notifications)
})
