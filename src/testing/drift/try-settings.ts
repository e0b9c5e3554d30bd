import type { RecordedSettings } from '../../contract/evidence/recorded.ts'
import type { RecordedExchange } from './archive.ts'
import { drift, type FreshSandbox } from './drift.ts'
import { type Finding, findingsIn, keyOf, type Verdict } from './findings.ts'

/** Settings that change answers, and that need no number. */
const settings: readonly RecordedSettings[] = [
  { requestIds: 'uuid' },
  { charset: 'note' },
  { charset: 'refuse' },
  { strictContentType: true },
  { appIds: 'known' },
  { duplicates: 'replay' },
  { httpStatus: 'rest' },
  { dialect: 'spec' },
  { dialect: 'sdk' },
  { triggerAmounts: false },
]

/** Starts a sandbox that nothing was done with yet, with settings beside those of the comparison. */
export type StartFresh = (
  setting: RecordedSettings,
) => Promise<FreshSandbox & { readonly close: () => Promise<void> }>

/**
 * Settings with which the sandbox answers as the service did, by the keys of the differences: each was tried
 * with the recording, and makes no other answer differ.
 */
export async function trySettings(
  exchanges: readonly RecordedExchange[],
  { unknown, known }: Pick<Verdict, 'unknown' | 'known'>,
  start: StartFresh,
): Promise<Map<string, RecordedSettings>> {
  const followed = new Map<string, RecordedSettings>()
  if (unknown.length === 0) return followed
  const first = ({ exchanges: [number = 0] }: Finding) => number
  const part = exchanges.slice(0, Math.max(...unknown.map(first)))
  const usual = new Set([...unknown, ...known].map(keyOf))
  for (const setting of settings) {
    const sandbox = await start(setting)
    const compared = await drift(part, sandbox).finally(() => sandbox.close())
    const left = new Set(findingsIn(compared).map(keyOf))
    if (![...left].every((key) => usual.has(key))) continue
    for (const key of unknown.map(keyOf)) if (!left.has(key) && !followed.has(key)) followed.set(key, setting)
  }
  return followed
}
