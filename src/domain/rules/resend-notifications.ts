import { reject } from '../../contract/errors.ts'
import type { ResendNotifications } from '../model/commands.ts'
import type { Event } from '../model/events.ts'
import type { Ledger } from '../model/ledger.ts'
import { endpointKey } from '../model/outbox.ts'

/**
 * Resends notifications; an endpoint that never got one gets a new delivery. Duplicates count once. Errors:
 * SBX_TXN_UNKNOWN.
 */
export function resendNotifications(
  ledger: Ledger,
  { what, onlyMissing }: ResendNotifications,
): readonly Event[] {
  const known = new Map(
    [...ledger.outbox.deliveries.values()].map((delivery) => [keyOf(delivery), delivery.number]),
  )
  const once = new Map(what.map((wanted) => [keyOf(wanted), wanted]))
  return [...once.values()].flatMap((wanted): readonly Event[] => {
    const { transactionId } = wanted
    if (!ledger.transactions.has(transactionId))
      reject('SBX_TXN_UNKNOWN', {
        field: 'transactionId',
        detail: `there is no transaction ${transactionId}`,
      })
    const number = known.get(keyOf(wanted))
    if (number === undefined) return [{ type: 'delivery-posted', ...wanted }]
    return onlyMissing ? [] : [{ type: 'delivery-again', number }]
  })
}

/** A notification and its endpoint. */
const keyOf = ({ transactionId, event, ...endpoint }: ResendNotifications['what'][number]): string =>
  `${transactionId} ${event ?? ''} ${endpointKey(endpoint)}`
