import type { FaultView } from '../control/fault-list.ts'
import type { DeliveryView, TerminalEventName } from '../control/webhooks.ts'
import { formatAmount } from '../currencies.ts'
import { parseStatus } from '../statuses.ts'
import { amountText } from './money.ts'
import { stateInWords, typeInWords } from './status.ts'

/** Faults in words, for pages and commands. */

const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`

/** Which requests or webhooks a fault is for: `sale at TBX-AUTO-001`; empty for all. */
export const faultTarget = ({ operation, terminalSn, merchantId, amount }: FaultView): string =>
  [
    operation,
    terminalSn && `at ${terminalSn}`,
    merchantId && `of merchant ${merchantId}`,
    amount !== null && `of amount ${formatAmount(amount, 'USD')} (${amount} minor units)`,
  ]
    .filter(Boolean)
    .join(' ')

/** The fault and its target: `lost-answer for sale at TBX-AUTO-001`. `often`: words after its name. */
export function faultInWords(fault: FaultView, often = ''): string {
  const words = [fault.kind, often, fault.operation === null ? '' : 'for', faultTarget(fault)]
  return words.filter((word) => word !== '').join(' ')
}

/** How often a fault hits, and when: `once`, `20 % (seed 7), until …`. `timeAs`: writes its times. */
export const faultFrequency = ({ times, share, seed, from, until }: FaultView, timeAs = timeText): string =>
  [
    share !== null && `${percent(share)} (seed ${seed})`,
    times === null && share === null && until === null && 'always',
    times !== null && (times === 1 ? 'once' : `${times} times`),
    from !== null && `from ${timeAs(from)}`,
    until !== null && `until ${timeAs(until)}`,
  ]
    .filter(Boolean)
    .join(', ')

/** A time in UTC: `2026-11-20 18:02:19 UTC`. */
export const timeText = (iso: string): string => `${iso.slice(0, 19).replace('T', ' ')} UTC`

/** Those that hit now, or from a time on. */
export const faultsThatHit = (faults: readonly FaultView[]): readonly FaultView[] =>
  faults.filter(({ state }) => state === 'on' || state === 'later')

/** Faults that may hit, in one line: `lost-answer for sale, drop 25 %`; empty without one. */
export const faultsInShort = (faults: readonly FaultView[]): string =>
  faultsThatHit(faults)
    .map((fault) => faultInWords(fault, fault.share === null ? '' : percent(fault.share)))
    .join(', ')

/** Notifications in words. */

/** `order received`. */
export const terminalEventInWords = (event: TerminalEventName): string =>
  event.toLowerCase().replaceAll('_', ' ')

type NotificationSummary = Pick<
  DeliveryView,
  'event' | 'transactionStatus' | 'transactionType' | 'amount' | 'currency'
>

/**
 * What a notification tells and of how much, both in words: `sale approved` and `51.94 USD`; of a terminal
 * its event, `order received`, and no amount.
 */
export function notificationParts(notification: NotificationSummary): { what: string; amount: string } {
  const { event, transactionType, transactionStatus, amount, currency } = notification
  if (event !== null) return { what: terminalEventInWords(event), amount: '' }
  const parsedStatus = parseStatus(transactionStatus)
  const status = parsedStatus === undefined ? transactionStatus : stateInWords({ status: parsedStatus })
  return { what: `${typeInWords(transactionType)} ${status}`, amount: amountText(amount, currency) }
}

/** A notification in words: `sale approved 51.94 USD`. */
export function notificationInWords(notification: NotificationSummary): string {
  const { what, amount } = notificationParts(notification)
  return amount === '' ? what : `${what} ${amount}`
}

/** Said after the result of an attempt that looks like a success and is none. assumption: webhook-delivery */
export const neededInstead = (result: string | number): string =>
  result !== 200 && /^2\d\d$/.test(String(result)) ? ', needs 200' : ''
