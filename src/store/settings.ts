import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { type Adapter, Low } from 'lowdb'
import * as v from 'valibot'
import { isReachable } from '../contract/sandbox/controls.ts'
import { faultRule } from '../contract/sandbox/faults.ts'
import { forEachShare } from '../contract/sandbox/webhooks.ts'
import { DamagedFile, readChecked, replaceChecked } from '../files/checked-json.ts'
import { ownerOnly } from '../files/files.ts'
import { wallTime } from '../timers.ts'

const key = v.strictObject({
  key: v.string(),
  environment: v.picklist(['sandbox', 'production']),
  validUntil: v.exactOptional(v.pipe(v.string(), v.isoTimestamp())),
})

const secretPair = v.strictObject({
  current: v.string(),
  previous: v.optional(
    v.strictObject({ secret: v.string(), validUntil: v.pipe(v.string(), v.isoTimestamp()) }),
  ),
})
/** What webhooks are signed with. `previous` stays valid until that wall-clock time, ISO 8601. */
export type SecretPair = Readonly<v.InferOutput<typeof secretPair>>

const clock = v.strictObject({
  /** Sandbox time less wall-clock time. */
  offset: v.pipe(
    v.number(),
    v.check((offset) => isReachable(wallTime() + offset)),
  ),
  /** Sandbox time at which it stands, or null while it runs. */
  frozenAt: v.nullable(v.pipe(v.number(), v.check(isReachable))),
})
/** What is kept of the clock over a restart. Milliseconds. */
export type ClockState = Readonly<v.InferOutput<typeof clock>>

const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1))
const faults = v.strictObject({
  ...forEachShare(() => share),
  delayMs: v.nullable(v.pipe(v.tuple([v.number(), v.number()]), v.readonly())),
  reorder: v.number(),
  seed: v.number(),
})

const schema = v.strictObject({
  clock,
  /** Allow-list of addresses by application; absent: the fixture's. */
  allowLists: v.record(v.string(), v.array(v.pipe(v.string(), v.ip()))),
  /** Keys by application that replace the fixture's sandbox keys. */
  keys: v.record(v.string(), v.array(key)),
  /** Secrets by application that replace the fixture's: the one in use, and the one before it. */
  secrets: v.optional(v.record(v.string(), secretPair), {}),
  /** Faults of webhooks, as earlier versions wrote them. */
  faults: v.exactOptional(faults),
  /** Faults of answers and webhooks, the oldest first. */
  faultRules: v.optional(v.array(faultRule), []),
})
/** What was set on a running sandbox and holds after a restart. */
export type Settings = v.InferOutput<typeof schema>

/** Settings of a new sandbox. */
const noSettings = (): Settings => ({
  clock: { offset: 0, frozenAt: null },
  allowLists: {},
  keys: {},
  secrets: {},
  faultRules: [],
})

/** Name of the settings in a state folder, a checked file. */
export const settingsFileName = 'settings.json'

const pathIn = (folder: string): string => join(folder, settingsFileName)

/** The settings of a state folder; null when nothing was set. Errors: DamagedFile; an Error of the file system. */
export function readSettings(folder: string): Settings | null {
  const read = readChecked(pathIn(folder))
  if (read === undefined) return null
  const parsed = v.safeParse(schema, read.data)
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  const writer = read.version === null ? '' : `; tillbox ${read.version} wrote it`
  throw new DamagedFile(pathIn(folder), `${v.getDotPath(issue) ?? 'it'}: ${issue.message}${writer}`)
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
    replaceChecked(pathIn(this.folder), settings)
  }
}

/**
 * The settings of a state folder. `confirm` makes sure, before each write, that the folder is still ours.
 * Errors: DamagedFile; an Error of the file system.
 */
export async function openSettings(folder: string, confirm: () => void): Promise<Low<Settings>> {
  const settings = new Low(new SettingsAdapter(folder, confirm), noSettings())
  await settings.read()
  return settings
}
