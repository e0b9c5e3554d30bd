import { reject } from '../../contract/errors.ts'
import type { ResendNotifications } from '../model/commands.ts'
import type { Event } from '../model/events.ts'
import type { Ledger } from '../model/ledger.ts'

/**
 * Resends notifications; a URL that never got one gets a new delivery. Duplicates count once. Errors: SBX_TXN_UNKNOWN.
 */
export function resendNotifications(ledger: Ledger, { what }: ResendNotifications): readonly Event[] {
  const known = new Map(
    [...ledger.outbox.deliveries.values()].map((delivery) => [keyOf(delivery), delivery.number]),
  )
  const once = new Map(what.map((wanted) => [keyOf(wanted), wanted]))
  return [...once.values()].map((wanted) => {
    const { transactionId } = wanted
    if (!ledger.transactions.has(transactionId))
      reject('SBX_TXN_UNKNOWN', {
        field: 'transactionId',
        detail: `there is no transaction ${transactionId}`,
      })
    const number = known.get(keyOf(wanted))
    return number === undefined ? { type: 'delivery-posted', ...wanted } : { type: 'delivery-again', number }
  })
}

/** A notification and its URL. */
const keyOf = ({ transactionId, event, url }: ResendNotifications['what'][number]): string =>
  `${transactionId} ${event ?? ''} ${url}`
