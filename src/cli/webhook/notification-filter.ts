import { string } from '@oclif/core/flags'
import { type StreamedNotification, terminalEvents } from '../../contract/sandbox/webhooks.ts'
import {
  type Status,
  type StatusLetter,
  statusLetters,
  statusOf,
  type TransactionType,
  typeNamed,
  typeWords,
} from '../../contract/statuses.ts'
import { requireKnownName } from '../errors/usage-error.ts'

/** Which notifications a command is about. */

/** Names of events in a filter. */
export const eventNames = ['payment', 'terminal', ...terminalEvents] as const

/** The event of that name. Errors: UsageError. */
export const eventNamed = (text: string, flag: string): string =>
  requireKnownName('event', text.trim(), named(eventNames), flag).name

const inWords: Readonly<Record<string, Status>> = {
  approved: 'SUCCESS',
  declined: 'FAIL',
  closed: 'CLOSED',
  waiting: 'INITIAL',
  processing: 'PROCESSING',
}
const statusNames = [...Object.keys(inWords), ...Object.keys(statusLetters)]

/**
 * Statuses in the words of a person or of the service; pending means every status that is not final. Errors:
 * UsageError.
 */
export const statusesNamed = (text: string, flag: string): readonly StatusLetter[] =>
  text.trim().toLowerCase() === 'pending' ? ['I', 'P'] : [statusNamed(text, flag)]

/** One status in the words of a person or of the service. Errors: UsageError. */
export function statusNamed(text: string, flag: string): StatusLetter {
  const typed = text.trim()
  const onWire = statusOf(typed.toUpperCase())
  if (onWire !== undefined) return statusLetters[onWire]
  const name = statusNames.find((each) => each.toLowerCase() === typed.toLowerCase())
  const { name: known } = requireKnownName('status', name ?? typed, named(statusNames), flag)
  return statusLetters[inWords[known] ?? (known as Status)]
}

/** A type of transaction: `sale`, `post-auth`, `capture`, or as the service writes it. Errors: UsageError. */
export function parseType(text: string, flag: string): TransactionType {
  const types = typeWords.map((name) => ({ name, type: typeNamed(name) as TransactionType }))
  return typeNamed(text.trim()) ?? requireKnownName('type', text.trim().toLowerCase(), types, flag).type
}

const named = (names: readonly string[]) => names.map((name) => ({ name }))

/** `--status` and `--type`, wherever notifications are chosen. */
export const recordFilterFlags = {
  status: string({
    description: 'Only with this status: approved, declined or closed, or as on the wire (SUCCESS, S).',
    helpValue: '<status>',
  }),
  type: string({
    description: `Only of this type of transaction: ${typeWords.join(', ')}.`,
    helpValue: '<type>',
  }),
}

/** The wanted notifications; an absent member matches all. */
export interface NotificationFilter {
  readonly events?: readonly string[] | undefined
  readonly statuses?: readonly StatusLetter[] | undefined
  readonly types?: readonly TransactionType[] | undefined
  readonly terminal?: string | undefined
  readonly merchant?: string | undefined
}

/** True for a notification that is wanted. */
export function fitsFilter(
  notification: StreamedNotification,
  { events, statuses, types, terminal, merchant }: NotificationFilter,
): boolean {
  const { kind, event, transactionStatus, transactionType, terminalSn, merchantId } = notification
  return (
    (terminal === undefined || terminalSn === terminal) &&
    (merchant === undefined || merchantId === merchant) &&
    (statuses === undefined || statuses.includes(transactionStatus)) &&
    (types === undefined || types.includes(transactionType)) &&
    (events === undefined || events.includes(kind) || (event !== null && events.includes(event)))
  )
}
