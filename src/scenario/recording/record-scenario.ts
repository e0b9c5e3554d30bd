import { textOf } from '../../client/tolerant.ts'
import type { Story } from '../../contract/sandbox/control-answers.ts'
import { type Address, callerOf } from '../../library/caller.ts'
import { counted } from '../../text/words.ts'
import { type Draft, draftsOf } from './drafts.ts'
import { recordedOf } from './repeatable-request.ts'

/** A scenario that was made of the request log. */
interface Recording {
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

/** A scenario as YAML. `comment`: at its beginning. */
function writeScenario(name: string, comment: string, drafts: readonly Draft[]): string {
  const steps = drafts.map((draft) => ('comment' in draft ? `  # ${line(draft.comment)}\n` : stepText(draft)))
  return `# ${line(comment)}\nname: ${scalar(name)}\nsteps:\n${steps.join('')}`
}

const line = (text: string): string => text.replace(/\s+/g, ' ')

function stepText({ action, value, as, outcome, wait, expect }: Exclude<Draft, { comment: string }>): string {
  const further = Object.entries({ as, outcome, wait, expect }).filter(([, each]) => each !== undefined)
  return [`  - ${action}:${after(value)}`, ...further.map(([name, each]) => `    ${name}:${after(each)}`)]
    .map((each) => `${each}\n`)
    .join('')
}

/** The text after a colon. */
const after = (value: unknown): string => {
  const isEmpty =
    value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  return isEmpty ? '' : ` ${flow(value)}`
}

/** A value in one line. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, each]) => `${key(name)}: ${flow(each)}`)
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
  }
  return typeof value === 'string' ? scalar(value) : JSON.stringify(value)
}

const key = (name: string): string => (/^[A-Za-z]\w*$/.test(name) ? name : JSON.stringify(name))

/** A text without quotes where YAML reads it as the same text; JSON, which is YAML too, where not. */
const scalar = (text: string): string =>
  (/^\$?[A-Za-z][\w.-]*( [\w.-]+)*$/.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text)) ||
  /^\d+(\.\d+)? [A-Z]{3}$/.test(text) ||
  /^\d+(ms|[smhd])$/.test(text)
    ? text
    : JSON.stringify(text)
