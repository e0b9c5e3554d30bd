import { viewOf } from '../../client/record-view.ts'
import { parseJson, textOf } from '../../client/tolerant.ts'
import { statusOf } from '../../contract/statuses.ts'
import { isObject } from '../../is-object.ts'
import { type Address, callerOf } from '../../library/caller.ts'
import type { ServiceClient } from '../../library/service-client.ts'
import { shortDuration } from '../../text/duration-words.ts'
import { counted } from '../../text/words.ts'
import { type Draft, draftsOf, type RecordedStory, type Stories } from './drafts.ts'
import {
  type LoggedExchange,
  type RepeatableRequest,
  recordedOf,
  type UnusableRequest,
} from './repeatable-request.ts'

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
  const stories = await storiesOf(recordedRequests, (id) => call('transaction', undefined, { id }))
  const from = 'the request log of a sandbox'
  return recordingOf(recordedRequests, stories, { name, from, refused: recent.length - wanted.length })
}

/** What no query tells, in a comment of the file. */
const unknown = [
  'The service does not tell what happened at terminals and pages (cards, tips, PINs), which rule decided an outcome, which',
  'webhooks it sent, and how long each status lasted: none of it is here. To get a declined payment from a sandbox, queue its',
  'outcome, or take the amount that triggers it.',
]

/**
 * Makes a scenario of requests that passed to a service, and of the records of its transactions as they are now. `from`: the
 * service. Errors: none for a record that cannot be read: that payment is not waited for.
 */
export async function recordService(
  exchanges: readonly LoggedExchange[],
  client: ServiceClient,
  {
    name,
    from,
    merchantId,
  }: { readonly name: string; readonly from: string; readonly merchantId: string | undefined },
): Promise<Recording> {
  const wanted = exchanges.filter(({ code }) => code === '0')
  const recorded = wanted.flatMap((exchange) => recordedOf(exchange, merchantId) ?? [])
  const adjusted = new Set(
    recorded.flatMap((each) =>
      'what' in each && 'operation' in each.what && each.what.operation === 'tip-adjust'
        ? [textOf(each.members.originalTransactionId), textOf(each.members.originalTransactionRequestId)]
        : [],
    ),
  )
  const stories = await storiesOf(recorded, async (id, at) => {
    const view = viewOf(await client.query({ transactionId: id }))
    const { status = 'INITIAL', transactionId, transactionRequestId, terminalSn = null } = view
    const ended = {
      SUCCESS: 'approved',
      FAIL: 'declined',
      CLOSED: 'closed',
      INITIAL: null,
      PROCESSING: null,
    }[status]
    const isAdjusted = adjusted.has(transactionId) || adjusted.has(transactionRequestId)
    return {
      status,
      rule: null,
      outcome: null,
      record: {
        transactionId,
        transactionRequestId,
        terminalSn,
        transactionAmount: view.transactionAmount,
        priceCurrency: view.currency,
        transactionResultCode: view.resultCode ?? null,
      },
      timeline: ['opened', ended, isAdjusted ? 'tip-adjusted' : null].flatMap((what) =>
        what === null ? [] : { at, what },
      ),
    }
  })
  const refused = exchanges.length - wanted.length
  const comments = [...unknown, ...statusesSeen(wanted)]
  return recordingOf(recorded, stories, { name, from, refused, comments, needs: 'any' })
}

/** A line for each transaction, with the statuses that queries showed and when. */
function statusesSeen(exchanges: readonly LoggedExchange[]): string[] {
  const seen = new Map<string, { readonly since: number; readonly statuses: Map<string, number> }>()
  for (const { at, answer } of exchanges) {
    const envelope = parseJson(answer.body)
    const data = isObject(envelope) && isObject(envelope.data) ? envelope.data : {}
    const [id, letter] = [textOf(data.transactionId), textOf(data.transactionStatus)]
    if (id === undefined || letter === undefined) continue
    const { since, statuses } = seen.get(id) ?? { since: at, statuses: new Map<string, number>() }
    seen.set(id, { since, statuses })
    const status = statusOf(letter) ?? letter
    if (!statuses.has(status)) statuses.set(status, at - since)
  }
  return [...seen].map(([id, { statuses }]) => {
    const texts = [...statuses].map(([status, after]) =>
      after === 0 ? status : `${status} ${shortDuration(after)} later`,
    )
    return `Seen of transaction ${id}: ${texts.join(', ')}`
  })
}

/** The stories of the transactions that the requests opened, without those that cannot be read. */
async function storiesOf(
  recorded: readonly (RepeatableRequest | UnusableRequest)[],
  read: (id: string, at: number) => Promise<RecordedStory>,
): Promise<Stories> {
  const stories = new Map<string, RecordedStory>()
  for (const each of recorded) {
    const id = 'answer' in each ? textOf(each.answer.transactionId) : undefined
    if (id === undefined || stories.has(id)) continue
    const story = await read(id, each.at).catch(() => undefined) // a reset forgot it
    if (story !== undefined) stories.set(id, story)
  }
  return stories
}

interface RecordingFacts {
  readonly name: string
  /** Where it was recorded. */
  readonly from: string
  readonly refused: number
  /** Lines at the beginning of the file. */
  readonly comments?: readonly string[]
  readonly needs?: 'any'
}

function recordingOf(
  recorded: readonly (RepeatableRequest | UnusableRequest)[],
  stories: Stories,
  { name, from, refused, comments = [], needs }: RecordingFacts,
): Recording {
  const drafts = draftsOf(recorded, stories)
  const commented = drafts.filter((draft) => 'comment' in draft).length
  const steps = drafts.length - commented
  const leftOut = commented + refused
  const first = `Recorded from ${from}: ${counted(steps, 'step')}, ${counted(leftOut, 'request')} left out`
  const head = [first, ...comments].map((each) => `# ${line(each)}\n`).join('')
  const body = drafts.map((draft) => ('comment' in draft ? `  # ${line(draft.comment)}\n` : stepText(draft)))
  const needed = needs === undefined ? '' : `needs: ${needs}\n`
  return { text: `${head}name: ${scalar(name)}\n${needed}steps:\n${body.join('')}`, steps, leftOut }
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
