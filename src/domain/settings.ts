import * as v from 'valibot'
import { addressRange } from '../contract/control/addresses.ts'
import { highestSpeed, isReachable } from '../contract/control/controls/clock-controls.ts'
import { faultRule } from '../contract/control/fault-list.ts'
import { mostConcurrency, webhookOrders } from '../contract/control/webhook-delivery.ts'
import { notReserved } from '../contract/member-kinds.ts'
import { wallTime } from '../shared/timers.ts'
import { isoTimestamp } from './model/kinds.ts'

const key = v.strictObject({
  key: v.string(),
  environment: v.picklist(['sandbox', 'production']),
  /** When it was made, by the sandbox clock. */
  since: v.exactOptional(isoTimestamp),
  validUntil: v.exactOptional(isoTimestamp),
})

const secretPair = v.strictObject({
  current: v.string(),
  previous: v.optional(v.strictObject({ secret: v.string(), validUntil: isoTimestamp })),
})
/** Secrets that webhooks are signed with. `previous` is valid until that sandbox time, ISO 8601. */
export type SecretPair = Readonly<v.InferOutput<typeof secretPair>>

const clock = v.strictObject({
  /** Sandbox time less wall-clock time; of a clock with a speed, at `from`. */
  offset: v.pipe(
    v.number(),
    v.safeInteger(),
    v.check((offset) => isReachable(wallTime() + offset)),
  ),
  /** Sandbox time of a frozen clock; null while it runs. */
  frozenAt: v.nullable(v.pipe(v.number(), v.safeInteger(), v.check(isReachable))),
  /** How many times as fast as the wall clock it runs, since the wall-clock time `from`; absent: once. */
  speed: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(highestSpeed))),
  from: v.exactOptional(v.pipe(v.number(), v.safeInteger())),
})
/** The state of the clock that survives a restart. Milliseconds. */
export type ClockState = Readonly<v.InferOutput<typeof clock>>

/** Where a fast clock stops: years have four digits. */
const latestTime = Date.UTC(9999, 11, 31)

/** Sandbox time when the wall clock says `wall`. Milliseconds. assumption: clocks, clock-speed */
export const sandboxTimeAt = ({ offset, frozenAt, speed = 1, from = 0 }: ClockState, wall: number): number =>
  frozenAt ?? Math.min(wall + offset + (wall - from) * (speed - 1), latestTime)

const webhookOrder = v.strictObject({
  order: v.picklist(webhookOrders),
  concurrency: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(mostConcurrency)),
})

/** Schema of the settings. */
export const settingsSchema = v.strictObject({
  clock,
  /** Added applications with the ids of their merchants; their keys and secrets are below. */
  applications: v.array(
    v.strictObject({ appId: v.pipe(v.string(), notReserved), merchants: v.array(v.string()) }),
  ),
  /** Allow-list of addresses and ranges by application; absent: the fixture's. */
  allowLists: v.record(v.string(), v.array(addressRange)),
  /** Keys by application that replace the fixture's sandbox keys. */
  keys: v.record(v.string(), v.array(key)),
  /** Secrets by application that replace the fixture's: the current and the previous one. */
  secrets: v.record(v.string(), secretPair),
  /** Faults of answers and webhooks, the oldest first. */
  faultRules: v.array(faultRule),
  /** Order of deliveries to one URL; null: as set at the start. */
  webhookOrder: v.nullable(webhookOrder),
  /** True while deliveries of webhooks are held. */
  webhookHold: v.boolean(),
  /** Id of the last notification of each endpoint that follows, or followed, by its key. */
  followers: v.record(v.string(), v.string()),
})
/** Settings changed on a running sandbox, which survive a restart. */
export type Settings = v.InferOutput<typeof settingsSchema>

/** Settings of a new sandbox. */
export const noSettings = (): Settings => ({
  clock: { offset: 0, frozenAt: null },
  applications: [],
  allowLists: {},
  keys: {},
  secrets: {},
  faultRules: [],
  webhookOrder: null,
  webhookHold: false,
  followers: {},
})

/** The settings that a snapshot saves and restores. */
export const snapshotSettings = v.pick(settingsSchema, ['clock', 'faultRules', 'webhookOrder', 'webhookHold'])

/** Applications, keys, allow-lists and webhook secrets: only exports with secrets contain them. */
export const accessSettings = v.pick(settingsSchema, ['applications', 'allowLists', 'keys', 'secrets'])
