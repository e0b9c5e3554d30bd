import { localDateTime } from '../../domain/model/local-time.ts'
import type { Transaction } from '../../domain/model/transaction.ts'
import type { RequestLog } from '../../sandbox/request-log/request-log.ts'
import { networkName } from './network-names.ts'

/** Words and numbers as the pages write them. */

/** `2026-11-20 12:00:05` in that time zone. */
export const formatDateTime = (at: number, timeZone: string): string =>
  localDateTime(at, timeZone).replace('T', ' ')

/** A time in ISO 8601 to the second, for a column; a dash without one. */
export const utc = (iso: string | null): string => iso?.slice(0, 19).replace('T', ' ') ?? '–'

/** A day above its times: `Fri 20 Nov`, with another year's number. */
export function formatDay(at: number, now: number, timeZone: string): string {
  const [day, today] = [at, now].map((each) => localDateTime(each, timeZone).slice(0, 10)) as [string, string]
  const words = new Date(day).toUTCString().replace(',', '')
  return words.slice(0, day.startsWith(today.slice(0, 5)) ? 10 : 15)
}

/** The time of day if it is the day of `now`, else with month and day, and with another year's number. */
export function formatTime(at: number, now: number, timeZone: string): string {
  const [date = '', time = ''] = localDateTime(at, timeZone).split('T')
  const today = localDateTime(now, timeZone)
  if (today.startsWith(`${date}T`)) return time
  const isThisYear = today.startsWith(date.slice(0, 5))
  return `${isThisYear ? date.slice(5) : date} ${time.slice(0, 5)}`
}

/** `12,345`. */
export const formatNumber = (count: number): string => count.toLocaleString('en')

/** `1 transaction`, `12 transactions`. */
export const plural = (count: number, what: string): string =>
  `${formatNumber(count)} ${what}${count === 1 ? '' : 's'}`

/** How much the request log holds, and when it loses requests. */
export const logLimits = ({ capacity }: Pick<RequestLog, 'capacity'>): string =>
  `the last ${formatNumber(capacity)}; it is cleared on restart`

/** `Visa ··1111`. */
export function cardInWords({ cardRead: card }: Transaction): string {
  if (card === null) return '–'
  const name = networkName(card.paymentMethod)
  return card.maskedPan === null ? name : `${name} ··${card.maskedPan.slice(-4)}`
}
