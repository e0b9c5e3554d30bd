import { reject } from '../../contract/errors.ts'
import type { CloseOfDay, Request, Stamp } from '../model/commands.ts'
import type { Events } from '../model/events.ts'
import type { Batch, Ledger } from '../model/ledger.ts'
import { nextTimeOfDay } from '../model/local-time.ts'

/** A filter for batches; absent or null members match all. */
export interface BatchFilter {
  readonly terminalSn?: string | null | undefined
  readonly channelCode?: string | null | undefined
  readonly priceCurrency?: string | null | undefined
}

/** True for a batch that matches the filter. */
export const matchesFilter = ({ terminalSn, channelCode, currency }: Batch, filter: BatchFilter): boolean =>
  terminalSn === (filter.terminalSn ?? terminalSn) &&
  channelCode === (filter.channelCode ?? channelCode) &&
  currency === (filter.priceCurrency ?? currency)

/**
 * Open batches with counted transactions, of one terminal or all terminals of the merchant.
 * assumption: batches
 */
export const countedBatches = ({ batches }: Ledger, filter: BatchFilter): Batch[] =>
  [...batches.values()].filter((batch) => batch.count > 0 && matchesFilter(batch, filter))

/** What a close may name of its batches. */
const filters = ['terminalSn', 'channelCode', 'priceCurrency'] as const

/**
 * Closes the matching open batches: one event for each terminal. docs/api.md#operation-4-2. assumption:
 * batch-close
 */
export function closeBatch(ledger: Ledger, { input, fingerprint }: Request<'batch-close'>): Events {
  const { transactionRequestId } = input
  const batches = countedBatches(ledger, input)
  if (batches.length === 0) {
    const named = filters.filter((name) => input[name] != null)
    const where = named.map((name) => input[name]).join(', ')
    reject('SBX_BATCH_EMPTY', {
      field: named.at(-1),
      detail: `no open batch has transactions${where && ` of ${where}`}; online payments settle outside of batches`,
    })
  }
  return closedBy(batches, transactionRequestId, fingerprint)
}

/** One event for each terminal of the batches. */
function closedBy(batches: readonly Batch[], transactionRequestId: string, fingerprint: string): Events {
  const terminals = [...new Set(batches.map((batch) => batch.terminalSn))]
  return terminals.map((terminalSn) => ({
    type: 'batch-closed',
    transactionRequestId,
    fingerprint,
    terminalSn,
    batchNos: batches.filter((batch) => batch.terminalSn === terminalSn).map(({ batchNo }) => batchNo),
  }))
}

/** When a batch closes by itself: at the first configured time of day after it opened; infinity: never. */
const closesAt = ({ settings: { autoClose, timeZone } }: Ledger, openedAt: number): number =>
  autoClose === null || openedAt === Number.POSITIVE_INFINITY
    ? Number.POSITIVE_INFINITY
    : nextTimeOfDay(openedAt, autoClose, timeZone)

/** Sandbox time at which the first open batch closes by itself; infinity: none. assumption: batch-close */
export const closeOfDayAt = (ledger: Ledger): number =>
  closesAt(ledger, Math.min(...countedBatches(ledger, {}).map(({ openedAt }) => openedAt)))

/** Closes the batches open at the end of the merchant's day, as one close. assumption: batch-close */
export function closeOfDay(ledger: Ledger, _: CloseOfDay, { at, transactionId }: Stamp): Events {
  const batches = countedBatches(ledger, {}).filter(({ openedAt }) => closesAt(ledger, openedAt) <= at)
  return closedBy(batches, `auto-close-${transactionId}`, '')
}
