import { reject } from '../../api/errors.ts'
import type { SendAgain } from '../commands.ts'
import type { Event } from '../events.ts'
import type { Ledger } from '../ledger.ts'
import { deliveryOf } from '../outbox.ts'

/** Sends webhooks again; one that its address never got is entered for it. Errors: SBX_TXN_UNKNOWN. */
export function sendWebhooks(ledger: Ledger, { what }: SendAgain): readonly Event[] {
  return what.map((wanted) => {
    const { transactionId } = wanted
    if (!ledger.transactions.has(transactionId))
      reject('SBX_TXN_UNKNOWN', {
        field: 'transactionId',
        detail: `there is no transaction ${transactionId}`,
      })
    const known = deliveryOf(ledger.outbox, wanted)
    return known === undefined
      ? { type: 'delivery-posted', ...wanted }
      : { type: 'delivery-again', number: known.number }
  })
}
