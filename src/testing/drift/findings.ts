import type { RecordedClaim, RecordedSettings } from '../../contract/evidence/recorded.ts'
import type { Difference } from './compare.ts'
import type { ComparedExchange } from './drift.ts'

/** A difference with the requests that show it. */
export interface Finding extends Difference {
  readonly operation: ComparedExchange['operation']
  /** Time of the first of them, in milliseconds. */
  readonly at: number
  /** Their numbers in the recording, from 1. */
  readonly exchanges: readonly number[]
}

/** What a difference is known by: one with the same cause has the same key. */
export const keyOf = ({ of, where, kept }: Pick<Difference, 'of' | 'where' | 'kept'>): string =>
  [of, placeOf(where), ...kept].join('\n')

/** A place in each entry of a list. */
const placeOf = (where: string): string => where.replace(/\[\d+\]/g, '[]')

const keyOfClaim = ({ of, where, sandbox, service }: RecordedClaim): string =>
  keyOf({ of, where, kept: [sandbox, service] })

/** Each difference once, with all requests that show it. */
export function findingsIn(compared: readonly ComparedExchange[]): Finding[] {
  const found = new Map<string, Finding & { readonly exchanges: number[] }>()
  for (const [index, { operation, at, differences }] of compared.entries())
    for (const difference of differences) {
      const key = keyOf(difference)
      const finding = found.get(key) ?? { ...difference, operation, at, exchanges: [] }
      found.set(key, finding)
      if (finding.exchanges.at(-1) !== index + 1) finding.exchanges.push(index + 1)
    }
  return [...found.values()]
}

/** What a comparison found, beside what a project accepted before. */
export interface Verdict {
  readonly compared: readonly ComparedExchange[]
  readonly unknown: readonly Finding[]
  readonly known: readonly Finding[]
  /** Accepted from the same recording, and no longer so in requests that would show it. */
  readonly gone: readonly RecordedClaim[]
}

export function verdictOn(
  compared: readonly ComparedExchange[],
  accepted: readonly RecordedClaim[],
  from: string,
): Verdict {
  const keys = new Set(accepted.map(keyOfClaim))
  const all = findingsIn(compared)
  const found = new Set(all.map(keyOf))
  const answered = compared.filter(({ leftOut }) => leftOut === null)
  const shown = new Set(
    answered.flatMap(({ operation, refusal, status }) => [
      'answers',
      ...(refusal === undefined ? [operation] : [refusal, `refusals ${status}`]),
    ]),
  )
  const isShown = ({ of, sandbox }: RecordedClaim) =>
    shown.has(of === 'refusals' ? `refusals ${sandbox}` : of)
  return {
    compared,
    unknown: all.filter((each) => !keys.has(keyOf(each))),
    known: all.filter((each) => keys.has(keyOf(each))),
    gone: accepted.filter((each) => each.from === from && isShown(each) && !found.has(keyOfClaim(each))),
  }
}

/** Settings with which the sandbox answers as the service, by the key of the difference. */
export type Followed = ReadonlyMap<string, RecordedSettings>

/** What a project accepts now: what it had and is still so, and what is new, in the order of a file. */
export function acceptedNow(
  { unknown, gone }: Verdict,
  before: readonly RecordedClaim[],
  followed: Followed,
  from: string,
): RecordedClaim[] {
  const added = unknown.map((each): RecordedClaim => {
    const { of, where, kept, claim, at } = each
    const [sandbox, service] = kept
    const found = followed.get(keyOf(each))
    const isContradicted = before.some(({ setting = {} }) =>
      Object.entries(found ?? {}).some(([name, value]) => name in setting && setting[name] !== value),
    )
    const setting = isContradicted ? undefined : found
    const recorded = new Date(at).toISOString()
    return { of, where: placeOf(where), sandbox, service, claim, ...(setting && { setting }), recorded, from }
  })
  return [...before.filter((each) => !gone.includes(each)), ...added].sort((one, other) =>
    keyOfClaim(one) < keyOfClaim(other) ? -1 : 1,
  )
}
