import * as v from 'valibot'
import { amount, amountOrNull, list, shape, text, textOrNull, word } from '../answer-kinds.ts'
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
const moment = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(8.64e15))

/** A rule as settings store it; times in milliseconds of the sandbox clock. `met`: requests it was drawn for. */
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
  from: v.nullable(moment),
  until: v.nullable(moment),
  used: count,
  met: count,
  /** For webhooks alone: each merchant's last delivery when it was set, after which draws begin. */
  since: v.exactOptional(v.record(v.string(), count)),
})
export type FaultRule = Readonly<v.InferOutput<typeof faultRule>>

/** State of a rule: it may hit the next request, waits for its start, or is over. */
export type FaultState = 'on' | 'later' | 'used-up' | 'over'

/** A rule as the control interface shows it. Times in ISO 8601, by the sandbox clock. */
export const faultView = shape({
  id: text,
  kind: text,
  state: word<FaultState>(),
  ...targetMembers,
  /** Maximum number of hits; null: no limit. */
  times: amountOrNull,
  /** Share of the matching requests that it hits; null: all. */
  share: amountOrNull,
  seed: amount,
  from: textOrNull,
  until: textOrNull,
  used: amount,
})
export type FaultView = v.InferOutput<typeof faultView>

/** Answer of `faults`: the oldest first, the order in which they are tried. */
export const faultList = shape({ faults: list(faultView) })
export type FaultList = v.InferOutput<typeof faultList>
