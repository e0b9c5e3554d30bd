import * as v from 'valibot'
import { amount, amountOrNull, list, shape, text, textOrNull, word } from '../answer-kinds.ts'
import { readFault } from './faults.ts'

/** Which requests a rule is for; null: any. `amount` in minor units. */
const targetMembers = {
  operation: textOrNull,
  terminalSn: textOrNull,
  merchantId: textOrNull,
  amount: amountOrNull,
}

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** Milliseconds that a date can have. */
const moment = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(8.64e15))

/** A rule as settings keep it: from and until in milliseconds of the sandbox clock. `met`: requests that it was drawn for. */
export const faultRule = v.strictObject({
  id: v.string(),
  kind: v.pipe(
    v.string(),
    v.check((kind) => typeof readFault(kind) === 'object', 'is not a fault'),
  ),
  ...targetMembers,
  times: v.nullable(count),
  share: v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  seed: v.pipe(v.number(), v.safeInteger()),
  from: v.nullable(moment),
  until: v.nullable(moment),
  used: count,
  met: count,
  /** Of webhooks: number of the last delivery of each merchant when it was set; draws begin after it. Left out by earlier versions. */
  since: v.exactOptional(v.record(v.string(), count)),
})
export type FaultRule = Readonly<v.InferOutput<typeof faultRule>>

/** Where a rule stands: it may hit the next request, waits for its time, or is over. */
export type FaultState = 'on' | 'later' | 'used-up' | 'over'

/** A rule as the control interface shows it. Times in ISO 8601, by the sandbox clock. */
export const faultView = shape({
  id: text,
  kind: text,
  state: word<FaultState>(),
  ...targetMembers,
  /** How often at most; null for no end. */
  times: amountOrNull,
  /** Of the requests that it is for; null for each of them. */
  share: amountOrNull,
  seed: amount,
  from: textOrNull,
  until: textOrNull,
  used: amount,
})
export type FaultView = v.InferOutput<typeof faultView>

/** What `faults` answers: the oldest first, the order in which they are tried. */
export const faultList = shape({ faults: list(faultView) })
export type FaultList = v.InferOutput<typeof faultList>
