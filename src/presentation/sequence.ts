import { formatAmount } from '../contract/currencies.ts'
import type { PastStory, TransactionDelivery } from '../contract/sandbox/control-answers.ts'
import { typeNames } from '../contract/statuses.ts'
import { durationInWords, isOffset, shortDuration } from '../text/duration-words.ts'

/** A transaction as a sequence of messages between its participants. Every sequence diagram is drawn from this model. */

/** The participants, in the order in which they are drawn. */
const laneNames = ['client', 'service', 'terminal', 'host', 'receiver'] as const
export type LaneName = (typeof laneNames)[number]

/** Whether a step is good news, bad news, or still open. */
type Tone = 'plain' | 'good' | 'bad' | 'open'

/** One step; `from` and `to` are the same when only one participant acts. */
export interface SequenceStep {
  /** Milliseconds of the sandbox clock, and since the first step. */
  readonly at: number
  readonly since: number
  /** `yyyy-MM-ddTHH:mm:ss` in the merchant's time zone. */
  readonly time: string
  readonly from: LaneName
  readonly to: LaneName
  readonly text: string
  /** Additional information, such as the rule that decided. */
  readonly note: string | null
  readonly tone: Tone
  /** Present on a step that has not happened yet: what the transaction waits for. */
  readonly isAwaited?: true
  /** What it is about, where that has a record of its own. */
  readonly about: { readonly what: 'transaction' | 'webhook'; readonly id: string } | null
}

/** A lane of the drawing. */
export interface Lane {
  readonly name: LaneName
  readonly label: string
}

/** The lanes and steps of a diagram. */
export interface Sequence {
  readonly lanes: readonly Lane[]
  /** In the order in which they happened. */
  readonly steps: readonly SequenceStep[]
}

/**
 * The sequence of a transaction; with its attempts, when the story has them. `withAwaited`: also the step that an open one
 * waits for, between all participants that it may have.
 */
export function sequenceOf(story: PastStory, withAwaited = false): Sequence {
  const begin = story.timeline[0]?.at ?? 0
  const timelineSteps = story.timeline.map((moment, index) => {
    const { at, time } = moment
    return {
      at,
      time,
      since: at - begin,
      note: null,
      tone: 'plain' as Tone,
      about: null,
      ...stepOf(story, index),
    }
  })
  const deliverySteps = story.deliveries.flatMap((delivery) =>
    attemptsOf(delivery).map((step) => ({ ...step, since: step.at - begin })),
  )
  const steps = [...timelineSteps, ...deliverySteps]
  // Times give no order where the clock was set back: the webhook attempts are then drawn at the end.
  if (!story.timeline.some(({ what }) => what === 'clock-set-back'))
    steps.sort((one, other) => one.at - other.at)
  const awaited = withAwaited ? awaitedOf(story, steps.at(-1)) : []
  const taking = new Set(awaited.length > 0 ? laneNames : steps.flatMap(({ from, to }) => [from, to]))
  return {
    lanes: laneNames
      .filter((name) => taking.has(name))
      .map((name) => ({ name, label: labelOf(story, name) })),
    steps: [...steps, ...awaited],
  }
}

/** What an open transaction waits for, at the time of the step before. */
function awaitedOf({ waiting, waitsFor }: PastStory, last: SequenceStep | undefined): SequenceStep[] {
  if (waiting === null || last === undefined) return []
  const from = waiting.for === 'host' ? 'host' : 'terminal'
  const text = `waits for ${waitsFor}`
  return [{ ...last, from, to: 'service', text, note: null, tone: 'open', about: null, isAwaited: true }]
}

const hasPage = ({ sessionId }: PastStory): boolean => sessionId !== null

/** An online payment has the hosted page in the lane of the terminal. */
function labelOf(story: PastStory, name: LaneName): string {
  if (name === 'receiver') return 'webhook'
  return name === 'terminal' && hasPage(story) ? 'page' : name
}

/** A step without its time. */
type Arrow = Pick<SequenceStep, 'from' | 'to' | 'text'> &
  Partial<Pick<SequenceStep, 'note' | 'tone' | 'about'>>

const arrow = (from: LaneName, to: LaneName, text: string, more: Partial<Arrow> = {}): Arrow => ({
  from,
  to,
  text,
  ...more,
})

function stepOf(story: PastStory, index: number): Arrow {
  const { record, timeline } = story
  const { what, detail = '' } = timeline[index] as PastStory['timeline'][number]
  const money = (amount: number) => `${formatAmount(amount, record.priceCurrency)} ${record.priceCurrency}`
  switch (what) {
    case 'opened':
      return arrow('client', 'service', `${record.transactionType}, order ${money(record.orderAmount)}`, {
        note: detail === '' ? null : `trace ${detail.split('-')[1]}`,
      })
    case 'taken-up':
      if (hasPage(story)) return arrow('terminal', 'service', 'payment begun')
      return story.inCloud
        ? arrow('service', 'service', 'processed in the cloud')
        : arrow('service', 'terminal', `sent to ${record.terminalSn}`)
    case 'card-presented':
      return arrow('terminal', 'service', `card ${detail}`)
    case 'insert-asked':
      return arrow('service', 'terminal', 'insert the card')
    case 'tip-chosen':
      return arrow('terminal', 'service', detail === '0' ? 'no tip' : `tip ${money(Number(detail))}`)
    case 'pin-entered':
      return arrow('terminal', 'service', 'PIN')
    case 'pin-wrong':
      return arrow('terminal', 'service', 'wrong PIN', { tone: 'open' })
    case 'signed':
      return arrow('terminal', 'service', 'signed')
    case 'signature-skipped':
      return arrow('terminal', 'service', 'no signature')
    case 'host-asked':
      return arrow('service', 'host', 'asked for approval', { note: ruleOf(story, index) })
    case 'approved':
      return arrow(...fromHost(timeline, index), resultOf(story, detail), { tone: 'good' })
    case 'try-declined':
      return arrow(...fromHost(timeline, index), `${detail} declined, another try`, { tone: 'bad' })
    case 'declined':
      return arrow(...fromHost(timeline, index), resultOf(story, detail), { tone: 'bad' })
    case 'closed':
      return closedBy(story, detail)
    case 'abort-too-late':
      return arrow('client', 'service', 'abort, too late', { tone: 'open' })
    case 'clock-set-back':
      return arrow('service', 'service', `clock set back by ${setBackText(Number(detail))}`)
    case 'tip-adjusted':
      return arrow('client', 'service', `tip adjusted to ${money(Number(detail))}`)
    default: {
      const type = what.toUpperCase().replaceAll('-', '_')
      const isFollowUp = Object.hasOwn(typeNames, type) && detail !== ''
      return arrow('client', 'service', `${type} done`, {
        note: detail || null,
        about: isFollowUp ? { what: 'transaction', id: detail } : null,
      })
    }
  }
}

const setBackText = (ms: number): string => (isOffset(ms) ? durationInWords(ms) : shortDuration(ms))

/** A decline that the host was not asked for is the service's own. */
const fromHost = (timeline: PastStory['timeline'], index: number): ['host' | 'service', 'service'] =>
  timeline.slice(0, index).some(({ what }) => what === 'host-asked')
    ? ['host', 'service']
    : ['service', 'service']

const resultOf = ({ record }: PastStory, code: string): string =>
  record.transactionResultCode === code ? `${code} ${record.transactionResultMsg ?? ''}`.trimEnd() : code

/** The rule that decided, at the last time the host was asked: only that one is known. */
function ruleOf({ rule, outcome, timeline }: PastStory, index: number): string | null {
  const isLast = !timeline.slice(index + 1).some(({ what }) => what === 'host-asked')
  return isLast && rule !== null ? `rule ${rule}: ${outcome}` : null
}

function closedBy(story: PastStory, reason: string): Arrow {
  const more = { tone: 'bad' } as const
  switch (reason) {
    case 'abort':
      return arrow('client', 'service', 'aborted', more)
    case 'expired':
      return arrow('client', 'service', 'closed by the merchant', more)
    case 'cancel':
      return arrow('terminal', 'service', hasPage(story) ? 'given up' : 'cancelled on the device', more)
    default:
      return arrow('service', 'service', 'not paid in time, closed', more)
  }
}

/** Attempts of a delivery; where they are not known one by one, the last of them. */
function attemptsOf({
  id,
  event,
  state,
  tries,
  listener,
  ...delivery
}: TransactionDelivery): Omit<SequenceStep, 'since'>[] {
  const name = event ?? 'result'
  const sent = { from: 'service', to: 'receiver', about: { what: 'webhook', id } } as const
  const known = (tries ?? []).map(({ at, time, status, error, fault }, index) => ({
    ...sent,
    at,
    time,
    text: `${name} → ${status ?? error ?? 'no answer'}`,
    note:
      [
        listener ? 'by tillbox listen' : '',
        index > 0 ? `attempt ${index + 1}` : '',
        fault === null ? '' : `injected fault: ${fault}`,
      ]
        .filter(Boolean)
        .join(', ') || null,
    tone: (status === 200 ? 'good' : 'bad') as Tone,
  }))
  const open =
    state === 'pending' ? `waits for its ${delivery.last === null ? 'first' : 'next'} attempt` : null
  if (known.length > 0 && open === null) return known
  const { at, time } = known.at(-1) ?? delivery
  const { totalAttempts: made, last } = delivery
  const counted = made > 1 ? `${made} attempts` : null
  const text = open === null ? `${name} → ${last ?? 'not sent'}` : `${name} ${open}`
  const tone: Tone = open !== null ? 'open' : state === 'delivered' ? 'good' : 'bad'
  return [...known, { ...sent, at, time, text, note: known.length === 0 ? counted : null, tone }]
}
