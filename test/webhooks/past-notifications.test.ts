import { describe, expect, test } from 'vitest'
import { evolve } from '../../src/domain/evolve.ts'
import type { Ledger } from '../../src/domain/model/ledger.ts'
import { notificationsOf } from '../../src/domain/notifications.ts'
import { builtIn } from '../../src/fixtures.ts'
import { pastNotifications } from '../../src/webhooks/notifications/past-notifications.ts'
import { on, payment, saleOf, Till } from '../support/domain/ledger.ts'

const terminalSn = 'TBX-AUTO-001'
const part = { amount: 1_000, priceCurrency: 'USD' }
const approved = [{ terminalSn }, 'approve'] as const
const tipConfig = { onScreenTip: true, suggestions: [] }

/** What every transaction told when it happened, by id. */
function sentBy({ entries }: Till): Map<string, unknown[]> {
  const ledger: Ledger = Till.emptyLedger()
  const sent = new Map<string, unknown[]>()
  for (const { at, events } of entries)
    for (const event of events) {
      evolve(ledger, event, at)
      if (!('id' in event)) continue
      const transaction = ledger.transactions.get(event.id)
      if (transaction === undefined) throw new Error(`there is no transaction ${event.id}`)
      sent.set(event.id, [...(sent.get(event.id) ?? []), ...notificationsOf(event, transaction)])
    }
  return sent
}

function expectSameReadBack(till: Till): void {
  const readBack = [...till.ledger.transactions].map(
    (transaction) =>
      [transaction.id, pastNotifications(till.ledger, transaction).map(({ event }) => event)] as const,
  )
  expect(new Map(readBack)).toEqual(sentBy(till))
}

describe.each(builtIn.cards.map(({ name }) => name))('notifications of payments with %s', (card) => {
  test.each([
    ['a sale', (till: Till) => till.open(saleOf(1_000, { terminalSn }))],
    ['a sale with a tip screen', (till: Till) => till.open(saleOf(1_000, { terminalSn, tipConfig }))],
    [
      'a capture with a tip screen',
      (till: Till) =>
        till.open(on('post-auth', till.open(payment('auth', 1_000, ...approved)), { ...part, tipConfig })),
    ],
    ['a refund', (till: Till) => till.open(on('refund', till.open(saleOf(1_000, ...approved)), part))],
  ])('%s has the same notifications when it is read back as when it happened', (_, open) => {
    const till = new Till()
    till.set(terminalSn, { card })
    open(till)
    expectSameReadBack(till)
  })
})
