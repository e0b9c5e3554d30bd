import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Adapter, Low } from 'lowdb'
import * as v from 'valibot'
import { isReachable } from '../api/controls.ts'
import type { WebhookFaults } from '../api/webhooks.ts'
import type { KeyProfile } from '../fixtures.ts'
import type { ClockState } from './clock.ts'
import { ownerOnly, replaceFile } from './store/files.ts'
import { noFaults } from './webhooks/faults.ts'

/** What webhooks are signed with. `previous` stays valid until that wall-clock time, ISO 8601. */
export interface SecretPair {
  readonly current: string
  readonly previous?: { readonly secret: string; readonly validUntil: string } | undefined
}

/** What was set on a running sandbox and holds after a restart. */
export interface Settings {
  clock: ClockState
  /** Allow-list of addresses by application; absent: the fixture's. */
  allowLists: Record<string, string[]>
  /** Secrets by application that replace the fixture's: the one in use, and the one before it. */
  secrets: Record<string, SecretPair>
  /** What is done wrong with webhooks on purpose. */
  faults: WebhookFaults
  /** Keys by application that replace the fixture's sandbox keys. */
  keys: Record<string, KeyProfile[]>
}

/** Settings of a new sandbox. */
const noSettings = (): Settings => ({
  clock: { offset: 0, frozenAt: null },
  allowLists: {},
  keys: {},
  secrets: {},
  faults: noFaults,
})

const key = v.object({
  key: v.string(),
  environment: v.picklist(['sandbox', 'production']),
  validUntil: v.optional(v.pipe(v.string(), v.isoTimestamp())),
})
const secrets = v.object({
  current: v.string(),
  previous: v.optional(v.object({ secret: v.string(), validUntil: v.pipe(v.string(), v.isoTimestamp()) })),
})
const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1))
const faults = v.object({
  duplicate: share,
  drop: share,
  badSignature: share,
  stale: share,
  delayMs: v.nullable(v.tuple([v.number(), v.number()])),
  reorder: v.number(),
  seed: v.number(),
})
const schema = v.object({
  clock: v.object({
    offset: v.pipe(
      v.number(),
      v.check((offset) => isReachable(Date.now() + offset)),
    ),
    frozenAt: v.nullable(v.pipe(v.number(), v.check(isReachable))),
  }),
  allowLists: v.record(v.string(), v.array(v.pipe(v.string(), v.ip()))),
  keys: v.record(v.string(), v.array(key)),
  secrets: v.optional(v.record(v.string(), secrets), {}),
  faults: v.optional(faults, noFaults),
})

/** A settings file that cannot be read. */
class UnreadableSettings extends Error {
  override readonly name = 'UnreadableSettings'
  constructor(path: string, why: string) {
    super(`${path} cannot be read: ${why}`)
  }
}

class SettingsAdapter implements Adapter<Settings> {
  constructor(readonly path: string) {}

  async read(): Promise<Settings | null> {
    if (!existsSync(this.path)) return null
    chmodSync(this.path, ownerOnly)
    return v.parse(schema, JSON.parse(readFileSync(this.path, 'utf8'))) as Settings
  }

  async write(settings: Settings): Promise<void> {
    replaceFile(this.path, [`${JSON.stringify(settings, null, 2)}\n`])
  }
}

/** settings.json of a state folder. Errors: UnreadableSettings. */
export async function openSettings(folder: string): Promise<Low<Settings>> {
  const path = join(folder, 'settings.json')
  const settings = new Low(new SettingsAdapter(path), noSettings())
  try {
    await settings.read()
  } catch (error) {
    throw new UnreadableSettings(path, (error as Error).message)
  }
  return settings
}
