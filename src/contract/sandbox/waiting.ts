import * as v from 'valibot'
import { amount, moment, one, shape, textOrNull } from '../answer-kinds.ts'

/**
 * What an open transaction waits for: a person at its terminal, its place in line, its terminal to come online, the
 * host's answer, or the shopper on a hosted page.
 */
export const waiting = shape({
  for: one(['person', 'line', 'online', 'host', 'shopper']),
  terminalSn: textOrNull,
  /** Session of the hosted page, if it waits for the shopper. */
  sessionId: textOrNull,
  /** In line: the transaction that has the terminal. */
  behind: textOrNull,
  /** How many are before it in line. */
  ahead: amount,
  /** When it goes on, or closes unpaid, if nothing happens before. Milliseconds of the sandbox clock. */
  until: v.nullable(moment),
})
export type Waiting = v.InferOutput<typeof waiting>
