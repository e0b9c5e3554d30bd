import { textOf } from '../../client/tolerant.ts'
import type { Story } from '../../contract/sandbox/control-answers.ts'
import { type Address, callerOf } from '../../library/caller.ts'
import { counted } from '../../text/counted.ts'
import { draftsOf } from './drafts.ts'
import { recordedOf } from './repeatable-request.ts'
import { writeScenario } from './write.ts'

/** A scenario that was made of the request log. */
export interface Recording {
  /** The scenario in YAML. */
  readonly text: string
  readonly steps: number
  /** Refused requests, and those that a comment of the text names with the reason. */
  readonly leftOut: number
}

/** Makes a scenario from the requests accepted since a wall-clock time. Errors: those of a call. */
export async function recordScenario(address: Address, since: number, name: string): Promise<Recording> {
  const call = callerOf(address)
  const { merchantId } = await call('connection')
  const recent = (await call('requests')).requests.filter(({ at }) => at >= since)
  const wanted = recent.filter(({ code }) => code === '0')
  const recordedRequests = []
  for (const { traceId } of wanted) {
    const recorded = recordedOf(await call('request', undefined, { traceId }), merchantId)
    if (recorded !== undefined) recordedRequests.push(recorded)
  }
  const stories = new Map<string, Story>()
  for (const each of recordedRequests) {
    const id = 'answer' in each ? textOf(each.answer.transactionId) : undefined
    if (id === undefined || stories.has(id)) continue
    const story = await call('transaction', undefined, { id }).catch(() => undefined) // a reset forgot it
    if (story !== undefined) stories.set(id, story)
  }
  const drafts = draftsOf(recordedRequests, stories)
  const commented = drafts.filter((draft) => 'comment' in draft).length
  const steps = drafts.length - commented
  const leftOut = commented + recent.length - wanted.length
  const comment = `Recorded from the request log of a sandbox: ${counted(steps, 'step')}, ${counted(leftOut, 'request')} left out`
  return { text: writeScenario(name, comment, drafts), steps, leftOut }
}
