import { claims } from '../../contract/evidence/evidence.ts'
import type { RecordedSettings } from '../../contract/evidence/recorded.ts'
import { mostCapturePercent } from '../../contract/headers.ts'
import type { RecordedExchange } from './archive.ts'
import { drift } from './drift.ts'
import { type Finding, findingsIn, keyOf, type Verdict } from './findings.ts'
import type { FreshSandbox } from './repeat.ts'

/** Settings that change answers. */
const settings: readonly RecordedSettings[] = [
  { requestIds: 'uuid' },
  { charset: 'note' },
  { charset: 'refuse' },
  { strictContentType: true },
  { duplicates: 'replay' },
  { httpStatus: 'rest' },
  { dialect: 'spec' },
  { dialect: 'sdk' },
  { triggerAmounts: false },
  { strict: true },
]

/** Limits in percent, which are raised step by step: a recording tells only that they are higher. */
const raised = ['captureTip', 'captureExcess']
const steps = [20, 30, 50, 100, 150, 200, 300, 500, mostCapturePercent]

/** The settings to try: limits alone where a difference contradicts them. */
const settingsFor = (findings: readonly Finding[]): readonly RecordedSettings[] => [
  ...settings,
  ...raised
    .filter((name) => findings.some(({ claim }) => claims[claim].setting?.includes(name)))
    .flatMap((name) => steps.map((percent) => ({ [name]: percent }))),
]

/** Starts a sandbox that nothing was done with yet, with settings beside those of the comparison. */
export type StartFresh = (
  setting: RecordedSettings,
) => Promise<FreshSandbox & { readonly close: () => Promise<void> }>

/** Requests that are compared again for each setting; a difference that comes later is not tried. */
const mostRequests = 1000

/**
 * Settings with which the sandbox answers as the service did, by the keys of the differences: each was tried
 * with the recording and those before it, and makes no other answer differ.
 */
export async function trySettings(
  exchanges: readonly RecordedExchange[],
  { unknown, known }: Pick<Verdict, 'unknown' | 'known'>,
  start: StartFresh,
): Promise<Map<string, RecordedSettings>> {
  const followed = new Map<string, RecordedSettings>()
  const first = ({ exchanges: [number = 0] }: Finding) => number
  const findings = unknown.filter((each) => first(each) <= mostRequests)
  const whole = exchanges.slice(0, mostRequests)
  const part = whole.slice(0, Math.max(0, ...findings.map(first)))
  const usual = new Set([...unknown, ...known].map(keyOf))
  /** What differs with settings; undefined where something differs that did not without them. */
  const differing = async (some: readonly RecordedExchange[], all: RecordedSettings) => {
    const sandbox = await start(all)
    const compared = await drift(some, sandbox).finally(() => sandbox.close())
    const keys = new Set(findingsIn(compared).map(keyOf))
    return [...keys].every((key) => usual.has(key) && !followed.has(key)) ? keys : undefined
  }
  for (const setting of settingsFor(findings)) {
    const open = findings.map(keyOf).filter((key) => !followed.has(key))
    if (open.length === 0) break
    const all = Object.assign({}, ...followed.values(), setting)
    const left = await differing(part, all)
    const gone = open.filter((key) => left?.has(key) === false)
    if (gone.length === 0 || (part.length < whole.length && !(await differing(whole, all)))) continue
    for (const key of gone) followed.set(key, setting)
    const [name = ''] = Object.keys(setting)
    for (const [key, before] of followed) if (name in before) followed.set(key, setting)
  }
  return followed
}
