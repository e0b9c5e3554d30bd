import * as v from 'valibot'
import { amount, amountOrNull, described, list, named, text, textOrNull, word } from '../answer-kinds.ts'
import { isFault, readFault } from './faults.ts'

/** Which requests a rule is for; null: any. `amount` in minor units. */
const targetMembers = {
  operation: textOrNull,
  terminalSn: textOrNull,
  merchantId: textOrNull,
  amount: amountOrNull,
}

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** Milliseconds since 1970 that a Date can hold. */
const epochMs = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(8.64e15))

/** A rule as settings store it; times in milliseconds of sandbox time. `met`: requests it was drawn for. */
export const faultRule = v.strictObject({
  id: v.string(),
  kind: v.pipe(
    v.string(),
    v.check((kind) => isFault(readFault(kind)), 'is not a fault'),
  ),
  ...targetMembers,
  times: v.nullable(count),
  share: v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  seed: v.pipe(v.number(), v.safeInteger()),
  from: v.nullable(epochMs),
  until: v.nullable(epochMs),
  used: count,
  met: count,
  since: v.exactOptional(
    described(
      v.record(v.string(), count),
      "For webhooks alone: each merchant's last delivery when it was set, after which draws begin",
    ),
  ),
})
export type FaultRule = Readonly<v.InferOutput<typeof faultRule>>

/** State of a rule: it may hit the next request, waits for its start, or is over. */
const faultStates = ['on', 'later', 'used-up', 'over'] as const
export type FaultState = (typeof faultStates)[number]

export const faultView = named(
  'FaultView',
  'A rule as the control interface shows it. Times in ISO 8601, by the sandbox clock',
  {
    id: text,
    kind: text,
    state: word(faultStates),
    ...targetMembers,
    times: described(amountOrNull, 'Maximum number of hits; null: no limit'),
    share: described(amountOrNull, 'Share of the matching requests that it hits; null: all'),
    seed: amount,
    from: textOrNull,
    until: textOrNull,
    used: amount,
  },
)
export type FaultView = v.InferOutput<typeof faultView>

export const faultList = named(
  'FaultList',
  'Answer of `faults`: the oldest first, the order in which they are tried',
  { faults: list(faultView) },
)
export type FaultList = v.InferOutput<typeof faultList>
