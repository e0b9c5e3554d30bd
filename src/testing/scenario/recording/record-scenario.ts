import { recordView } from '../../../client/record-view.ts'
import { requestsInFull } from '../../../client/request-archive.ts'
import { asText } from '../../../client/tolerant.ts'
import type { ServiceAnswer } from '../../../contract/operations.ts'
import { isAmending } from '../../../contract/operations.ts'
import { parseStatus, type Status } from '../../../contract/statuses.ts'
import { counted } from '../../../shared/text/words.ts'
import { type Address, makeCaller } from '../../helpers/caller.ts'
import type { Operate } from '../../helpers/service-client.ts'
import { commentText, stepText, valueText } from '../file/write-scenario.ts'
import { draftsOf, type RecordedStory } from './drafts.ts'
import { answerData, type LoggedExchange, recordedRequest } from './repeatable-request.ts'

/** A scenario that was made of the request log. */
export interface Recording {
  /** The scenario in YAML. */
  readonly text: string
  readonly steps: number
  /** Requests that a comment of the text names with the reason. */
  readonly leftOut: number
}

/** Makes a scenario from the requests accepted since a wall-clock time. */
export async function recordScenario(address: Address, since: number, name: string): Promise<Recording> {
  const call = makeCaller(address)
  const { merchantId } = await call('connection')
  const exchanges = await requestsInFull(call, {}, since)
  const about = { name, merchantId, from: 'the request log of a sandbox' }
  return makeRecording(exchanges, about, (id) => call('transaction', undefined, { id }))
}

/** What no query tells, in a comment of the file. */
const unknown = [
  'The service does not tell what happened at terminals and pages (cards, tips, PINs), which rule decided an outcome, and which',
  'webhooks it sent: none of it is here. To get a declined payment from a sandbox, queue its outcome, or take the amount that',
  'triggers it.',
]

/** The moments that end a transaction, by its final status. */
const ends: Partial<Record<Status, string>> = { SUCCESS: 'approved', FAIL: 'declined', CLOSED: 'closed' }

/**
 * Makes a scenario of requests that passed to a service, and of the records of its transactions as they are
 * now. One that cannot be read is not waited for.
 */
export function recordService(
  exchanges: readonly LoggedExchange[],
  operate: Operate,
  about: Pick<RecordingFacts, 'name' | 'from' | 'merchantId'>,
): Promise<Recording> {
  const adjustments = exchanges
    .filter(({ operation }) => isAmending(String(operation)))
    .map(({ request }) => request.body)
  const comments = [...unknown, ...statusesSeen(exchanges)]
  return makeRecording(exchanges, { ...about, comments, needs: 'any' }, async (id, at) => {
    const view = recordView((await operate('query', { transactionId: id })) as ServiceAnswer<'query'>)
    const { status = 'INITIAL', transactionId, transactionRequestId, terminalSn = null } = view
    const isAdjusted = adjustments.some((body) => body.includes(id) || body.includes(transactionRequestId))
    const moments = ['opened', ends[status], isAdjusted ? 'tip-adjusted' : undefined]
    const { transactionAmount, currency: priceCurrency, resultCode: transactionResultCode = null } = view
    const record = { transactionId, transactionRequestId, terminalSn, transactionAmount, priceCurrency }
    return {
      status,
      rule: null,
      outcome: null,
      record: { ...record, transactionResultCode },
      timeline: moments.flatMap((what) => (what === undefined ? [] : { at, what })),
    }
  })
}

/** A line for each transaction, with the statuses that answers showed and when. */
function statusesSeen(exchanges: readonly LoggedExchange[]): string[] {
  const seen = new Map<string, string[]>()
  for (const { at, answer } of exchanges) {
    const { transactionId, transactionStatus } = answerData(answer.body)
    const [id, status] = [asText(transactionId) ?? '', parseStatus(asText(transactionStatus) ?? '')]
    const statuses = seen.get(id) ?? []
    if (status === undefined || statuses.at(-1)?.startsWith(status)) continue
    seen.set(id, [...statuses, `${status} at ${new Date(at).toISOString()}`])
  }
  return [...seen].map(([id, statuses]) => `Seen of transaction ${id}: ${statuses.join(', ')}`)
}

interface RecordingFacts {
  readonly name: string
  readonly merchantId: string | undefined
  /** Where it was recorded. */
  readonly from: string
  /** Lines at the beginning of the file. */
  readonly comments?: readonly string[]
  readonly needs?: 'any'
}

/** `read`: reads what is known of a transaction, which was opened at that wall-clock time. */
async function makeRecording(
  exchanges: readonly LoggedExchange[],
  { name, merchantId, from, comments = [], needs }: RecordingFacts,
  read: (id: string, at: number) => Promise<RecordedStory>,
): Promise<Recording> {
  const recorded = exchanges.flatMap((exchange) => recordedRequest(exchange, merchantId) ?? [])
  const stories = new Map<string, RecordedStory>()
  for (const each of recorded) {
    const id = 'answer' in each ? asText(each.answer.transactionId) : undefined
    if (id === undefined || stories.has(id)) continue
    const story = await read(id, each.at).catch(() => undefined) // a reset forgot it
    if (story !== undefined) stories.set(id, story)
  }
  const drafts = draftsOf(recorded, stories)
  const leftOut = drafts.filter((draft) => 'comment' in draft).length
  const steps = drafts.length - leftOut
  const first = `Recorded from ${from}: ${counted(steps, 'step')}, ${counted(leftOut, 'request')} left out`
  const head = [first, ...comments].map(commentText).join('')
  const body = drafts.map((draft) =>
    'comment' in draft ? `  ${commentText(draft.comment)}` : stepText(draft),
  )
  const needed = needs === undefined ? '' : `needs: ${needs}\n`
  return { text: `${head}name: ${valueText(name)}\n${needed}steps:\n${body.join('')}`, steps, leftOut }
}
