import * as v from 'valibot'
import { ServiceRefusal } from '../../client/read-envelope.ts'
import type { Story } from '../../contract/control/control-answers.ts'
import { mostListed, type TransactionRow } from '../../contract/control/transaction-list.ts'
import { fields } from '../../contract/fields.ts'
import { isFinal, parseStatuses, type Status, type StatusWord, statusForms } from '../../contract/statuses.ts'
import type { CallControl } from './caller.ts'
import { InvalidOption, shownValue } from './options.ts'
import { until, WaitFailed, type WaitOptions } from './wait-for.ts'

/**
 * A filter for transactions; absent members match all. `status`: approved, declined, closed, pending, or a
 * status code; `amount`: minor units, or a text such as `10.00..20.00`; `since`: a time.
 */
export interface PaymentFilter {
  readonly status?: string
  readonly type?: string
  readonly terminal?: string
  readonly order?: string
  readonly merchant?: string
  readonly since?: Date | string
  readonly amount?: number | string
  readonly limit?: number
}

/** The transactions of the sandbox. */
export interface TestPayments {
  /** A transaction with its record, timeline, follow-ups and deliveries. */
  get(transactionId: string): Promise<Story>
  /** Matching transactions, the newest last; with `limit` only the newest ones. */
  list(filter?: PaymentFilter): Promise<readonly TransactionRow[]>
  /**
   * Resolves when a transaction, named by its id or order, has the status, in the words of `list`; of an
   * order the newest transaction counts. Errors: WaitFailed with the timeline: too late, or another final
   * status; InvalidOption.
   */
  waitFor(idOrOrder: string, status?: Status | StatusWord, options?: WaitOptions): Promise<Story>
}

/** The members of a filter as the control interface takes them. */
export const listFilter = <F extends Pick<PaymentFilter, 'since' | 'limit'>>({
  since,
  limit,
  ...filter
}: F) => ({
  ...filter,
  since: since instanceof Date ? since.toISOString() : since,
  limit: String(limit ?? mostListed),
})

/** `ofMerchant`: the default merchant of lists; absent: all merchants. */
export function testPayments(call: CallControl, ofMerchant?: string): TestPayments {
  const get = (id: string) => call('transaction', undefined, { id })
  const list = async ({ amount, ...filter }: PaymentFilter = {}) => {
    const wanted = { merchant: ofMerchant, ...listFilter(filter), amount: amount?.toString() }
    return (await call('transactions', wanted)).transactions.toReversed()
  }
  const find = async (idOrOrder: string): Promise<Story | undefined> =>
    (isId(idOrOrder) ? await get(idOrOrder).catch(nothingThere) : undefined) ?? (await findNewest(idOrOrder))
  const findNewest = async (order: string) => {
    const [newest] = await list({ order, limit: 1 })
    return newest && get(newest.transactionId)
  }
  /** Why an order has no transaction: its last request was refused, or it cannot be an order. */
  const whyNone = async (order: string): Promise<string> => {
    const { requests } = await call('requests', { order, status: 'refused', limit: '1' })
    const [refused] = requests.slice(-1)
    if (refused !== undefined) return `: its ${refused.operation} was refused: ${refused.notes.join('; ')}`
    const { issues } = v.safeParse(fields.referenceOrderId, order)
    return issues === undefined || isId(order) ? '' : `: a referenceOrderId ${issues[0].message}`
  }
  return {
    get,
    list,
    waitFor: async (idOrOrder, status = 'SUCCESS', options) => {
      if (typeof idOrOrder !== 'string' || idOrOrder === '')
        throw new InvalidOption(
          'idOrOrder',
          `must be the id of a transaction, or its order; it is ${shownValue(idOrOrder)}`,
        )
      const wanted = parseStatuses(String(status))
      if (wanted === undefined)
        throw new InvalidOption('status', `must be ${statusForms}; it is ${shownValue(status)}`)
      let last: Story | undefined
      const why = async () =>
        last === undefined
          ? `There is no transaction ${idOrOrder}, and none of that order${await whyNone(idOrOrder)}`
          : `${last.record.transactionId} is ${last.status}, not ${status}${timelineText(last)}`
      return until(
        async () => {
          last = await find(idOrOrder)
          if (last === undefined || wanted.includes(last.status)) return last
          if (isFinal(last.status)) throw new WaitFailed(await why())
          return undefined
        },
        why,
        options,
      )
    },
  }
}

/** True for a text that may be an id: looking an order up as an id would log a refusal each time. */
const isId = (text: string): boolean => /^\d+$/.test(text)

/** Returns undefined for an unknown transaction. Errors: any other. */
function nothingThere(error: Error): undefined {
  if (error instanceof ServiceRefusal && error.envelope.code === 'SBX_TXN_UNKNOWN') return undefined
  throw error
}

const timelineText = ({ timeline, waitsFor, timeZone }: Story): string => {
  const lines = timeline.map(
    ({ time, what, detail }) => `\n  ${time} ${what}${detail === undefined ? '' : `: ${detail}`}`,
  )
  return `${waitsFor === null ? '' : `: it waits for ${waitsFor}`}\nTimeline (${timeZone}):${lines.join('')}`
}
