import * as v from 'valibot'
import { amount, described, epochMs, named, one, textOrNull } from '../answer-kinds.ts'

export const waiting = named(
  'Waiting',
  "What an open transaction waits for: a person at its terminal, its place in line, its terminal to come online, the host's answer, or the shopper on a hosted page",
  {
    for: one(['person', 'line', 'online', 'host', 'shopper']),
    terminalSn: textOrNull,
    sessionId: described(textOrNull, 'Session of the hosted page, if it waits for the shopper'),
    behind: described(textOrNull, 'In line: the transaction that has the terminal'),
    ahead: described(amount, 'How many are before it in line'),
    until: described(
      v.nullable(epochMs),
      'When it goes on by itself, or closes unpaid. Milliseconds of the sandbox clock',
    ),
  },
)
export type Waiting = v.InferOutput<typeof waiting>
