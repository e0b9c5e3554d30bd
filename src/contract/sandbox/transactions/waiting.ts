import * as v from 'valibot'
import { amount, moment, one, shape, textOrNull } from '../../answer-kinds.ts'

/**
 * What an open transaction waits for: a person at its terminal, its place in line there, the terminal to come online, the
 * answer of the host, or the shopper on a hosted page.
 */
export const waiting = shape({
  for: one(['person', 'line', 'online', 'host', 'shopper']),
  terminalSn: textOrNull,
  /** The hosted page, where a shopper is waited for. */
  sessionId: textOrNull,
  /** In line: the transaction that has the terminal, and how many stand before this one. */
  behind: textOrNull,
  ahead: amount,
  /** When it goes on, or closes unpaid, if nothing happens before. Milliseconds of the sandbox clock. */
  until: v.nullable(moment),
})
export type Waiting = v.InferOutput<typeof waiting>
