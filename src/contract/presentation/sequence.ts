import { durationInWords, isOffset, shortDuration } from '../../shared/text/duration-words.ts'
import type { PastStory, TransactionDelivery } from '../control/control-answers.ts'
import { typeNames } from '../statuses.ts'
import { amountText, money } from './money.ts'
import { deciders } from './why-status.ts'

/** A transaction as messages between its participants. Every sequence diagram is drawn from it. */

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

/** A story, and how its amounts are written. */
type Told = PastStory & { readonly write: typeof money }

/**
 * The sequence of a transaction; with its attempts, when the story has them. `isOnPage`: also the step that
 * an open one waits for, between all participants that it may have; amounts are written as pages do.
 */
export function sequenceOf(past: PastStory, isOnPage = false): Sequence {
  const story: Told = { ...past, write: isOnPage ? money : amountText }
  const begin = story.timeline[0]?.at ?? 0
  const timelineSteps = story.timeline.map(({ at, time, what, detail = '' }, index) => ({
    at,
    time,
    since: at - begin,
    note: null,
    tone: 'plain' as Tone,
    about: null,
    ...(arrows[what]?.(story, detail, index) ?? followUpDone(what, detail)),
  }))
  const deliverySteps = story.deliveries.flatMap((delivery) =>
    attemptSteps(delivery).map((step) => ({ ...step, since: step.at - begin })),
  )
  const steps = [...timelineSteps, ...deliverySteps]
  // Times give no order where the clock was set back: the webhook attempts are then drawn at the end.
  if (!story.timeline.some(({ what }) => what === 'clock-set-back'))
    steps.sort((one, other) => one.at - other.at)
  const awaited = isOnPage ? awaitedSteps(story, steps.at(-1)) : []
  const taking = new Set(awaited.length > 0 ? laneNames : steps.flatMap(({ from, to }) => [from, to]))
  return {
    lanes: laneNames
      .filter((name) => taking.has(name))
      .map((name) => ({ name, label: laneLabel(story, name) })),
    steps: [...steps, ...awaited],
  }
}

/** What an open transaction waits for, at the time of the step before. */
function awaitedSteps({ waiting, waitsFor }: PastStory, last: SequenceStep | undefined): SequenceStep[] {
  if (waiting === null || last === undefined) return []
  const from = waiting.for === 'host' ? 'host' : 'terminal'
  const text = `waits for ${waitsFor}`
  return [{ ...last, from, to: 'service', text, note: null, tone: 'open', about: null, isAwaited: true }]
}

const hasPage = ({ sessionId }: PastStory): boolean => sessionId !== null

/** An online payment has the hosted page in the lane of the terminal. */
function laneLabel(story: PastStory, name: LaneName): string {
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

/** The step of each kind of moment in a timeline. */
const arrows: Readonly<Record<string, (story: Told, detail: string, index: number) => Arrow>> = {
  opened: ({ record, write }, detail) => {
    const text = `${typeNames[record.transactionType]} of ${write(record.orderAmount, record.priceCurrency)}`
    return arrow('client', 'service', text, { note: detail === '' ? null : `trace ${detail.split('-')[1]}` })
  },
  'taken-up': (story) => {
    if (hasPage(story)) return arrow('terminal', 'service', 'payment begun')
    if (story.inCloud) return arrow('service', 'service', 'processed in the cloud')
    return arrow('service', 'terminal', `sent to ${story.record.terminalSn}`)
  },
  'card-presented': (_, detail) => arrow('terminal', 'service', `card ${detail}`),
  'insert-asked': () => arrow('service', 'terminal', 'insert the card'),
  'tip-chosen': (story, detail) =>
    arrow('terminal', 'service', detail === '0' ? 'no tip' : `tip ${moneyIn(story, detail)}`),
  'pin-entered': () => arrow('terminal', 'service', 'PIN'),
  'pin-wrong': () => arrow('terminal', 'service', 'wrong PIN', { tone: 'open' }),
  'signature-asked': () => arrow('host', 'terminal', 'approved, asks for a signature'),
  signed: () => arrow('terminal', 'service', 'signed'),
  'signature-skipped': () => arrow('terminal', 'service', 'no signature'),
  'host-asked': (story, _, index) =>
    arrow('service', 'host', 'asked for approval', { note: decidingRule(story, index) }),
  approved: (story, detail, index) => fromHost(story, index, resultText(story, detail), 'good'),
  'try-declined': (story, detail, index) => fromHost(story, index, `${detail} declined, another try`, 'bad'),
  declined: (story, detail, index) => fromHost(story, index, resultText(story, detail), 'bad'),
  closed: closedBy,
  'abort-too-late': () => arrow('client', 'service', 'abort, too late', { tone: 'open' }),
  'clock-set-back': (_, detail) =>
    arrow('service', 'service', `clock set back by ${setBackText(Number(detail))}`),
  'tip-adjusted': (story, detail) => arrow('client', 'service', `tip adjusted to ${moneyIn(story, detail)}`),
}

function followUpDone(what: string, detail: string): Arrow {
  const type = what.toUpperCase().replaceAll('-', '_')
  const isFollowUp = Object.hasOwn(typeNames, type) && detail !== ''
  return arrow('client', 'service', doneWords[type] ?? `${type} done`, {
    note: detail || null,
    about: isFollowUp ? { what: 'transaction', id: detail } : null,
  })
}

/** What an approved follow-up did to its original. */
const doneWords: Readonly<Record<string, string>> = {
  INCREMENTAL: 'Raised',
  POST_AUTH: 'Captured',
  REFUND: 'Refunded',
  VOID: 'Voided',
}

const moneyIn = ({ record, write }: Told, minorUnits: string): string =>
  write(Number(minorUnits), record.priceCurrency)

const setBackText = (ms: number): string => (isOffset(ms) ? durationInWords(ms) : shortDuration(ms))

/** The service's own: a decline that the host was not asked for, and an approval after the signature. */
function fromHost({ timeline }: PastStory, index: number, text: string, tone: Tone): Arrow {
  const before = timeline.slice(0, index).map(({ what }) => what)
  const isOfHost = before.includes('host-asked') && !before.includes('signature-asked')
  return arrow(isOfHost ? 'host' : 'service', 'service', text, { tone })
}

const resultText = ({ record }: PastStory, code: string): string =>
  record.transactionResultCode === code ? `${code} ${record.transactionResultMsg ?? ''}`.trimEnd() : code

/** The rule that decided, at the last time the host was asked: only that one is known. */
function decidingRule({ rule, outcome, timeline }: PastStory, index: number): string | null {
  const isLast = !timeline.slice(index + 1).some(({ what }) => what === 'host-asked')
  if (!isLast || rule === null) return null
  return `${outcome}, ${deciders[rule] ?? rule}`
}

function closedBy(story: PastStory, reason: string): Arrow {
  const closed = (by: LaneName, text: string) => arrow(by, 'service', text, { tone: 'bad' })
  if (reason === 'abort') return closed('client', 'aborted')
  if (reason === 'expired') return closed('client', 'closed by the merchant')
  if (reason === 'cancel') return closed('terminal', hasPage(story) ? 'given up' : 'cancelled on the device')
  return closed('service', 'not paid in time, closed')
}

/** Attempts of a delivery; where they are not known one by one, the last of them. */
function attemptSteps(delivery: TransactionDelivery): Omit<SequenceStep, 'since'>[] {
  const { id, event, state, tries, listener, totalAttempts: made, last } = delivery
  const name = event ?? 'result'
  const sent = { from: 'service', to: 'receiver', about: { what: 'webhook', id } } as const
  const recorded = (tries ?? []).map(({ at, time, status, error, fault }, index) => {
    const notes = [listener && 'by tillbox listen', index > 0 && `attempt ${index + 1}`]
    if (fault !== null) notes.push(`injected fault: ${fault}`)
    return {
      ...sent,
      at,
      time,
      text: `${name} → ${status ?? error ?? 'no answer'}`,
      note: notes.filter(Boolean).join(', ') || null,
      tone: (status === 200 ? 'good' : 'bad') as Tone,
    }
  })
  const open = state === 'pending' ? `waits for its ${last === null ? 'first' : 'next'} attempt` : null
  if (recorded.length > 0 && open === null) return recorded
  const { at, time } = recorded.at(-1) ?? delivery
  const counted = made > 1 ? `${made} attempts` : null
  const text = open === null ? `${name} → ${last ?? 'not sent'}` : `${name} ${open}`
  const tone: Tone = open !== null ? 'open' : state === 'delivered' ? 'good' : 'bad'
  return [...recorded, { ...sent, at, time, text, note: recorded.length === 0 ? counted : null, tone }]
}
