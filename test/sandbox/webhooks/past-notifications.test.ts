import { expect, test } from 'vitest'
import { evolve } from '../../../src/domain/evolve.ts'
import { builtIn, catalogueOf } from '../../../src/domain/fixtures.ts'
import type { Ledger } from '../../../src/domain/model/ledger.ts'
import { eventNotifications } from '../../../src/domain/notifications.ts'
import { recordForReader } from '../../../src/sandbox/records/transaction-record.ts'
import { pastNotifications } from '../../../src/sandbox/webhooks/notifications/past-notifications.ts'
import { on, payment, saleOf, Till } from '../../support/domain/ledger.ts'

const terminalSn = 'TBX-ATTENDED-001'
const tipConfig = { onScreenTip: true, suggestions: [] }

/** Fixtures in which every card is another one. */
const otherFixtures = catalogueOf({
  ...builtIn,
  cards: builtIn.cards.map((card) => ({
    ...card,
    paymentMethod: 'JCB',
    entryMode: 'MANUAL',
    authenticationMethod: card.authenticationMethod === 'PIN' ? 'SIGNATURE' : 'PIN',
  })),
})

const paysWith =
  (card: string, more: object = {}) =>
  (till: Till) => {
    till.set(terminalSn, { mode: 'auto', card })
    till.open(saleOf(1_000, { terminalSn, ...more }))
  }

/** A sale that a person cancels at the screen for a tip, or for the PIN after it. */
const cancelled = (tip: boolean) => (till: Till) => {
  till.open(saleOf(1_000, { terminalSn, tipConfig }))
  till.do({ type: 'present-card', terminalSn, card: 'visa-chip-pin' })
  if (tip) till.do({ type: 'choose-tip', terminalSn, tipAmount: 0 })
  till.do({ type: 'cancel', terminalSn })
}

test.each<[string, (till: Till) => void]>([
  ['a sale without a PIN', paysWith('visa-contactless')],
  ['a sale with a PIN', paysWith('visa-chip-pin')],
  ['a sale with a PIN after the tip', paysWith('visa-chip-pin', { tipConfig })],
  ['a sale with a signature', paysWith('mastercard-chip-signature')],
  ['a sale that was cancelled at its tip', cancelled(false)],
  ['a sale that was cancelled at its PIN', cancelled(true)],
  ['a capture', (till) => till.open(on('post-auth', till.open(payment('auth', 1_000)), { amount: 1_000 }))],
])('%s keeps its record and its notifications when the fixtures change its card', (_, pay) => {
  const till = new Till()
  pay(till)
  const later = Object.assign(Till.emptyLedger(), { catalogue: otherFixtures })
  const sent: unknown[] = []
  for (const { at, events } of till.entries)
    for (const event of events) {
      evolve(later, event, at)
      const transaction = 'id' in event ? later.transactions.get(event.id) : undefined
      if (transaction !== undefined)
        sent.push(...eventNotifications(event, transaction).map((what) => [transaction.id, what]))
    }
  const past = [...later.transactions].flatMap((each) => pastNotifications(later, each))
  expect(past.map(({ transactionId, event }) => [transactionId, event])).toEqual(sent)
  const recordsIn = (ledger: Ledger) =>
    [...ledger.transactions].map((each) => recordForReader(ledger, each, 'plain'))
  expect(recordsIn(later)).toEqual(recordsIn(till.ledger))
})
