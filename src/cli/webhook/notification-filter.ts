import { string } from '@oclif/core/flags'
import { terminalEvents } from '../../contract/control/webhooks.ts'
import {
  parseStatuses,
  type StatusLetter,
  statusForms,
  statusLetters,
  statusWords,
  type TransactionType,
  typeNamed,
  typeWords,
} from '../../contract/statuses.ts'
import { requireKnownName } from '../errors/exit-codes.ts'

/** Which notifications a command is about. */

/** Names of events in a filter. */
export const eventNames = ['payment', 'terminal', ...terminalEvents] as const

/** The event of that name. */
export const eventNamed = (text: string, flag: string): string =>
  requireKnownName('event', text.trim(), named(eventNames), flag).name

/** The letters of the statuses that a text names, in any form that `parseStatuses` reads. */
export function parseStatusLetters(text: string): readonly StatusLetter[] {
  const unknown = text.split(',').find((part) => parseStatuses(part) === undefined)
  if (unknown !== undefined) requireKnownName('status', unknown.trim(), named(statusWords), 'status')
  return (parseStatuses(text) ?? []).map((status) => statusLetters[status])
}

/** A type of transaction: `sale`, `post-auth`, `capture`, or as the service writes it. */
export function parseType(text: string): TransactionType {
  const types = typeWords.map((name) => ({ name, type: typeNamed(name) as TransactionType }))
  return typeNamed(text.trim()) ?? requireKnownName('type', text.trim().toLowerCase(), types, 'type').type
}

const named = (names: readonly string[]) => names.map((name) => ({ name }))

/** `--status` and `--type`, wherever notifications are chosen. */
export const recordFilterFlags = {
  status: string({
    description: `Only with this status: ${statusForms}; several with commas between them.`,
    helpValue: '<status>',
  }),
  type: string({
    description: `Only of this type of transaction: ${typeWords.join(', ')}.`,
    helpValue: '<type>',
  }),
}
