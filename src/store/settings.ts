import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Adapter, Low } from 'lowdb'
import * as v from 'valibot'
import { notReserved } from '../contract/member-kinds.ts'
import { addressRange } from '../contract/sandbox/applications/addresses.ts'
import { isReachable } from '../contract/sandbox/controls/clock-controls.ts'
import { faultRule } from '../contract/sandbox/fault-list.ts'
import { mostConcurrency, webhookOrders } from '../contract/sandbox/webhooks.ts'
import { DamagedFile, readChecked, replaceChecked } from '../files/checked-json.ts'
import { ownerOnly } from '../files/files.ts'
import { wallTime } from '../timers.ts'

const key = v.strictObject({
  key: v.string(),
  environment: v.picklist(['sandbox', 'production']),
  /** When it was made, by the sandbox clock. */
  since: v.exactOptional(v.pipe(v.string(), v.isoTimestamp())),
  validUntil: v.exactOptional(v.pipe(v.string(), v.isoTimestamp())),
})

const secretPair = v.strictObject({
  current: v.string(),
  previous: v.optional(
    v.strictObject({ secret: v.string(), validUntil: v.pipe(v.string(), v.isoTimestamp()) }),
  ),
})
/** Secrets that webhooks are signed with. `previous` stays valid until that wall-clock time, ISO 8601. */
export type SecretPair = Readonly<v.InferOutput<typeof secretPair>>

const clock = v.strictObject({
  /** Sandbox time less wall-clock time. */
  offset: v.pipe(
    v.number(),
    v.safeInteger(),
    v.check((offset) => isReachable(wallTime() + offset)),
  ),
  /** Sandbox time of a frozen clock; null while it runs. */
  frozenAt: v.nullable(v.pipe(v.number(), v.safeInteger(), v.check(isReachable))),
})
/** The state of the clock that survives a restart. Milliseconds. */
export type ClockState = Readonly<v.InferOutput<typeof clock>>

const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1))
/** Faults of webhooks as formats 1 to 3 wrote them: a fault that was added since is not among their members. */
const earlierFaults = v.strictObject({
  drop: share,
  duplicate: share,
  badSignature: share,
  stale: share,
  delayMs: v.nullable(v.pipe(v.tuple([v.number(), v.number()]), v.readonly())),
  reorder: v.number(),
  seed: v.number(),
})

/** Order of deliveries to one URL; null: as set at the start. */
const webhookOrder = v.optional(
  v.nullable(
    v.strictObject({
      order: v.picklist(webhookOrders),
      concurrency: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(mostConcurrency)),
    }),
  ),
  null,
)

/** True while deliveries of webhooks are held. */
const webhookHold = v.optional(v.boolean(), false)

const schema = v.strictObject({
  clock,
  /** Added applications with the ids of their merchants; their keys and secrets are below. */
  applications: v.optional(
    v.array(v.strictObject({ appId: v.pipe(v.string(), notReserved), merchants: v.array(v.string()) })),
    [],
  ),
  /** Allow-list of addresses and ranges by application; absent: the fixture's. */
  allowLists: v.record(v.string(), v.array(addressRange)),
  /** Keys by application that replace the fixture's sandbox keys. */
  keys: v.record(v.string(), v.array(key)),
  /** Secrets by application that replace the fixture's: the current and the previous one. */
  secrets: v.optional(v.record(v.string(), secretPair), {}),
  /** Replaced by `faultRules` when it is read. */
  faults: v.exactOptional(earlierFaults),
  /** Faults of answers and webhooks, the oldest first. */
  faultRules: v.optional(v.array(faultRule), []),
  webhookOrder,
  webhookHold,
})
/** Settings changed on a running sandbox, which survive a restart. */
export type Settings = v.InferOutput<typeof schema>

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
})

/** The settings that a checkpoint saves and restores. */
export const checkpointSettings = v.strictObject({
  clock,
  faultRules: v.array(faultRule),
  webhookOrder,
  webhookHold,
})

/** Applications, keys, allow-lists and webhook secrets: only exports with secrets contain them. */
export const accessSettings = v.strictObject({
  applications: schema.entries.applications,
  allowLists: schema.entries.allowLists,
  keys: schema.entries.keys,
  secrets: v.record(v.string(), secretPair),
})

/** Checks the settings of a file. Errors: DamagedFile with the first wrong member. */
export function settingsFrom(path: string, data: unknown, version: string | null): Settings {
  const parsed = v.safeParse(schema, data)
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  const writer = version === null ? '' : `; tillbox ${version} wrote it`
  throw new DamagedFile(path, `${v.getDotPath(issue) ?? 'it'}: ${issue.message}${writer}`)
}

/** Name of the settings in a state folder, a checked file. */
export const settingsFileName = 'settings.json'

/**
 * Name of the file with the settings of a running restore, a checked file. The manifest decides whether the restore
 * took effect: if it names the snapshot of this file, these settings apply, otherwise those of the settings file.
 */
export const restoringFileName = 'restoring.json'

const pathIn = (folder: string): string => join(folder, settingsFileName)

/** The settings of a state folder; null when there are none. Errors: DamagedFile; an Error of the file system. */
export function readSettings(folder: string): Settings | null {
  const read = readChecked(pathIn(folder))
  if (read === undefined) return null
  return settingsFrom(pathIn(folder), read.data, read.version)
}

/** Replaces the settings, and ends an interrupted restore. Errors: an Error of the file system. */
export function writeSettings(folder: string, settings: Settings): void {
  replaceChecked(pathIn(folder), settings)
  rmSync(join(folder, restoringFileName), { force: true })
}

class SettingsAdapter implements Adapter<Settings> {
  constructor(
    readonly folder: string,
    readonly confirm: () => void,
  ) {}

  async read(): Promise<Settings | null> {
    const settings = readSettings(this.folder)
    if (settings !== null) chmodSync(pathIn(this.folder), ownerOnly)
    return settings
  }

  async write(settings: Settings): Promise<void> {
    this.confirm()
    writeSettings(this.folder, settings)
  }
}

/**
 * The settings of a state folder. `confirm` checks before each write that the folder is still ours; `restored`:
 * settings of an interrupted restore, which replace those of the file. Errors: DamagedFile; an Error of the file
 * system.
 */
export async function openSettings(
  folder: string,
  confirm: () => void,
  restored: Settings | null = null,
): Promise<Low<Settings>> {
  const settings = new Low(new SettingsAdapter(folder, confirm), noSettings())
  await settings.read()
  if (restored !== null) settings.data = restored
  return settings
}
