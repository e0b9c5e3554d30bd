import type { Status } from '../contract/statuses.ts'
import type { Event } from './model/events.ts'
import type { Ledger } from './model/ledger.ts'

/** Every change of status that may happen; the three empty rows are final. assumption: transitions */
export const transitions: Readonly<Record<Status, readonly Status[]>> = {
  INITIAL: ['PROCESSING', 'CLOSED'],
  PROCESSING: ['SUCCESS', 'FAIL', 'CLOSED'],
  SUCCESS: [],
  FAIL: [],
  CLOSED: [],
}

/** The status that an event leads to; other events leave it. */
const leadsTo: Readonly<Partial<Record<Event['type'], Status>>> = {
  'taken-up': 'PROCESSING',
  approved: 'SUCCESS',
  declined: 'FAIL',
  closed: 'CLOSED',
}

/** Nothing leaves `decide` that the table does not allow. Errors: an Error, which is a mistake of a rule. */
export function requireTransitions(ledger: Ledger, events: readonly Event[]): readonly Event[] {
  let [of, status] = ['', 'INITIAL' as Status]
  for (const event of events) {
    const next = leadsTo[event.type]
    if (next === undefined || !('id' in event)) continue
    if (event.id !== of) [of, status] = [event.id, ledger.transactions.get(event.id)?.status ?? 'INITIAL']
    if (!transitions[status].includes(next))
      throw new Error(`transaction ${of} cannot go from ${status} to ${next}`)
    status = next
  }
  return events
}
