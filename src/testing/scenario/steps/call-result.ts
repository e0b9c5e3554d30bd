import { ForeignAnswer, Unreachable } from '../../../client/http.ts'
import { LostAnswer } from '../../../client/lost-answer.ts'
import { ServiceRefusal } from '../../../client/read-envelope.ts'
import type { Envelope } from '../../../contract/records.ts'
import type { Members } from '../../../contract/validate.ts'
import { type Difference, differences, shown } from '../file/match.ts'
import type { Expectation, Step } from '../file/read-scenario.ts'
import { type RunContext, StepFailure, valueIn } from './run-context.ts'

/** The result of a request: data, a refusal, or no usable answer. */
export interface CallResult {
  /** None unless it was accepted. */
  readonly data: Members
  readonly refusal?: ServiceRefusal
  readonly lost?: LostAnswer | ForeignAnswer | Unreachable
}

/** Sends a request. */
export async function attemptCall(send: () => Promise<unknown>): Promise<CallResult> {
  try {
    return { data: (await send()) as Members }
  } catch (error) {
    if (error instanceof ServiceRefusal) return { data: {}, refusal: error }
    if (error instanceof LostAnswer || error instanceof ForeignAnswer) return { data: {}, lost: error }
    if (error instanceof Unreachable && !error.refused) return { data: {}, lost: error }
    throw error
  }
}

/** What observers are told of an answer. */
export const shownAnswer = ({ data, refusal }: CallResult): object =>
  refusal === undefined ? data : { code: refusal.envelope.code, msg: refusal.envelope.msg }

/** The expectation of a step with its references replaced. */
export const stepExpectation = (run: RunContext, { expect = {} }: Step): Expectation =>
  valueIn(run, expect) as Expectation

/** Compares an answer with its expectation: accepted, unless a code is expected. */
export function checkAnswer(came: CallResult, expected: Expectation): void {
  const { lost = false, code, error } = expected
  if (came.lost !== undefined) {
    if (lost) return
    throw new StepFailure(`No usable answer came: ${came.lost.message}`, [], came.lost)
  }
  const envelope = came.refusal?.envelope ?? { code: '0', msg: 'accepted' }
  if (lost)
    throw new StepFailure(`An answer came: ${envelope.code} ${envelope.msg}`, [
      { path: ['expect', 'lost'], expected: 'no usable answer', actual: `${envelope.code} ${envelope.msg}` },
    ])
  checkCode(came, envelope, code ?? (error === undefined ? undefined : { not: '0' }))
  failOn([
    ...differencesAt('error', expected, envelope),
    ...differencesAt('answer', expected, came.refusal ? undefined : came.data),
  ])
}

function checkCode(
  { refusal }: CallResult,
  envelope: Pick<Envelope, 'code' | 'msg' | 'detail'>,
  wanted: unknown,
): void {
  const found = differences(wanted ?? '0', envelope.code)
  if (found.length === 0) return
  const { code, msg, detail } = envelope
  const text = refusal
    ? `It was refused: ${code} ${msg}${detail && !msg.includes(detail) ? `: ${detail}` : ''}`
    : 'It was accepted'
  const at = wanted === undefined ? [] : ['expect', 'code']
  const actual = `${shown(code)} ${msg}`
  throw new StepFailure(
    text,
    [{ path: at, expected: wanted === undefined ? 'accepted' : (found[0]?.expected ?? ''), actual }],
    refusal,
  )
}

/** How a value differs from a member of the expectation; one that is left out matches anything. */
export const differencesAt = (
  member: 'error' | 'answer' | 'record',
  { [member]: wanted }: Expectation,
  actual: unknown,
): Difference[] => (wanted === undefined ? [] : differences(wanted, actual, ['expect', member]))

/** Errors: StepFailure when something differs. */
export function failOn(found: readonly Difference[]): void {
  if (found.length > 0)
    throw new StepFailure(
      found.length === 1
        ? 'The result does not match the expectation'
        : `${found.length} values are not what is expected`,
      found,
    )
}
