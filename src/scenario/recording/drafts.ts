import { isObject, textOf } from '../../client/tolerant.ts'
import { formatAmount, isCurrency } from '../../contract/currencies.ts'
import { argumentOf, entriesOf, moneyMembers } from '../../contract/operation-members.ts'
import { type Operation, type OperationName, operations } from '../../contract/operations.ts'
import type { Story } from '../../contract/sandbox/answers.ts'
import { isFinal, statusWordOf } from '../../contract/statuses.ts'
import { controlActions, shortNamesOf } from '../file/actions.ts'
import type { Recorded, Unusable } from './requests.ts'

type Members = Readonly<Record<string, unknown>>

/** A step that is written, or a comment on what was left out. */
export type Draft = StepDraft | { readonly comment: string }

/** A step as it is written. */
interface StepDraft {
  readonly action: string
  readonly value: unknown
  as?: string | undefined
  wait?: false
  outcome?: string
  expect?: Members
}

/** The stories of transactions by id, as the sandbox tells them. */
export type Stories = ReadonlyMap<string, Story>

/** A payment that a step opened, and the step after which it is waited for. */
interface Opened {
  readonly story: Story
  readonly draft: StepDraft
  /** Sandbox time less wall-clock time when it was opened. Milliseconds. */
  offset: number
  last?: Draft
}

/** A request is logged after what it did: so much earlier counts as by it. Waiting later than needed does no harm. Milliseconds. */
const slack = 100

/** Members that every run makes for itself, or that belong to the caller. */
const own = ['appId', 'merchantId', 'transactionRequestId', 'notifyUrl', 'terminalEventNotifyUrl']

/** Control operations that bring nothing into a scenario: their effect is written beside the payment, or is none. */
const withoutStep = ['queue-outcome', 'add-fault', 'remove-fault', 'clear-faults', 'set-webhook-faults']

/** The steps of what was recorded, in order. A reset forgets what was before it. */
export function draftsOf(recorded: readonly (Recorded | Unusable)[], stories: Stories): Draft[] {
  let recording = new Recording(stories)
  for (const each of recorded) {
    if ('unusable' in each) recording.leaveOut(each.unusable)
    else if ('operation' in each.what) recording.addOperation(each, each.what.operation)
    else if (each.what.control === 'reset') recording = new Recording(stories)
    else recording.addControl(each, each.what.control, each.what.names)
  }
  return recording.ended()
}

/** Steps as they are collected: which ids they captured, and which payments they opened. */
class Recording {
  readonly #drafts: Draft[] = []
  /** What stands for an id, and the step that captured it. */
  readonly #ids = new Map<string, { readonly draft: StepDraft; readonly member: string }>()
  readonly #opened: Opened[] = []

  constructor(private readonly stories: Stories) {}

  leaveOut(what: string): void {
    this.#drafts.push({ comment: `left out: ${what}` })
  }

  addOperation({ at, members, answer }: Recorded, name: OperationName): void {
    const { command, opens, opensPage }: Operation = operations[name]
    const unknown = this.#unknownOriginal(name, members)
    if (unknown !== undefined)
      return this.leaveOut(`${command} of ${unknown}, which no step of this recording opened`)
    const draft: StepDraft = { action: command, value: this.#written(name, members) }
    this.#drafts.push(draft)
    this.#capture(draft, answer)
    const id = textOf(answer.transactionId)
    const story = id === undefined ? undefined : this.stories.get(id)
    if (name === 'abort' || name === 'expire-session')
      this.#concern(draft, [members.originalTransactionId, members.originalTransactionRequestId].map(textOf))
    if (opens === undefined || opensPage || story === undefined) return
    const offset = (story.timeline[0]?.at ?? at) - at
    this.#opened.push({ story, draft, offset })
    if (story.rule === 'header' || story.rule === 'queue') draft.outcome = story.outcome ?? ''
  }

  addControl(
    { at, members, answer }: Recorded,
    control: string,
    names: Readonly<Record<string, string>>,
  ): void {
    if (withoutStep.includes(control)) return
    if (control === 'set-clock') return this.#addClock(at, members, answer)
    const action = actionOf(control, members)
    const row = action === undefined ? undefined : controlActions[action]
    if (action === undefined || row === undefined)
      return this.leaveOut(`${control}, of which there is no step`)
    const [name] = Object.values(names)
    const place = row.at === 'session' ? this.#reference(name, 'session') : name
    if (place === undefined)
      return this.leaveOut(`${action} of ${name}, which no step of this recording opened`)
    const said = Object.entries(members).filter(
      ([key]) => row.says?.[key] === undefined && key !== 'transactionId',
    )
    const value = { ...(row.at !== undefined && { [row.at]: place }), ...Object.fromEntries(said) }
    const draft: StepDraft = { action, value }
    this.#drafts.push(draft)
    this.#capture(draft, row.at === 'session' ? answer : {})
    if (row.at === 'session' && answer.state !== 'processing')
      draft.expect = { answer: { state: answer.state } }
    const shown = [answer, answer.transaction, answer.ended].map((each) =>
      isObject(each) ? textOf(each.transactionId) : undefined,
    )
    this.#concern(draft, shown)
    if (control === 'set-terminal')
      this.#concernOpen(draft, ({ story, offset }) =>
        story.record.terminalSn === name ? at + offset - slack : undefined,
      )
  }

  #addClock(at: number, { action, milliseconds, time }: Members, { now }: Members): void {
    const value =
      action === 'advance'
        ? { advance: `${Number(milliseconds)}ms` }
        : action === 'set'
          ? { set: time }
          : action
    const draft: StepDraft = { action: 'clock', value: shortSpan(value) }
    this.#drafts.push(draft)
    const after = Date.parse(String(now))
    const before = after - (typeof milliseconds === 'number' ? milliseconds : 0)
    this.#concernOpen(draft, () => before)
    for (const opened of this.#opened) opened.offset = after - at
  }

  /** The step has to do with these payments: they are waited for after it. */
  #concern(draft: Draft, ids: readonly (string | undefined)[]): void {
    for (const opened of this.#opened) {
      const { transactionId, transactionRequestId } = opened.story.record
      if (ids.includes(transactionId) || ids.includes(transactionRequestId)) opened.last = draft
    }
  }

  /** The same for those that were open at that sandbox time; undefined where the step has nothing to do with one. */
  #concernOpen(draft: Draft, timeFor: (opened: Opened) => number | undefined): void {
    for (const opened of this.#opened) {
      const [time, end] = [timeFor(opened), endOf(opened.story)]
      if (time !== undefined && (end === undefined || end > time)) opened.last = draft
    }
  }

  /** The original that no step captured; undefined where every one is known. */
  #unknownOriginal(name: OperationName, members: Members): string | undefined {
    const argument = argumentOf(name)?.member ?? ''
    const ids = [argument, 'originalTransactionId', 'originalTransactionRequestId']
    return ids.map((member) => textOf(members[member])).find((id) => id !== undefined && !this.#ids.has(id))
  }

  /** Members as people write them: short names, amounts with their currency, captured ids. */
  #written(name: OperationName, members: Members): unknown {
    const shorts = new Map(Object.entries(shortNamesOf(name)).map(([short, member]) => [member, short]))
    const currency = textOf(isObject(members.amount) ? members.amount.priceCurrency : members.priceCurrency)
    const entries = entriesOf(name)
    const kept = Object.entries(members).filter(
      ([member, value]) =>
        member in entries && value !== null && !own.includes(member) && !isMade(member, value),
    )
    const money = Object.entries(withMoney(Object.fromEntries(kept), currency))
    const written = money.map(([member, value]): [string, unknown] => {
      const short = shorts.get(member) ?? member
      return [short, this.#reference(value, short) ?? (isRefund(name) ? value : plainAmount(value))]
    })
    const argument = shorts.get(argumentOf(name)?.member ?? '')
    const first = written.filter(([member]) => member === argument)
    if (first.length === 1 && written.length === 1) return first[0]?.[1]
    return Object.fromEntries([...first, ...written])
  }

  /** What stands for an id; undefined for what is none. The step that captured it is named then. */
  #reference(value: unknown, member: string): string | undefined {
    const found = typeof value === 'string' ? this.#ids.get(value) : undefined
    if (found === undefined) return undefined
    found.draft.as ??= this.#nameFor(found.draft)
    const isWhole = wholeMembers[member] === found.member
    return `$${found.draft.as}${isWhole ? '' : `.${found.member}`}`
  }

  /** After the action, with its number where it is not the first. */
  #nameFor(draft: StepDraft): string {
    const base = draft.action === 'checkout create' ? 'page' : draft.action.replaceAll(' ', '-')
    const same = this.#drafts.filter((each) => 'action' in each && each.action === draft.action)
    const place = same.indexOf(draft)
    return place < 1 ? base : `${base}${place + 1}`
  }

  #capture(draft: StepDraft, answer: Members): void {
    for (const member of ['transactionId', 'sessionId', 'transactionRequestId']) {
      const id = textOf(answer[member])
      if (id !== undefined && !this.#ids.has(id)) this.#ids.set(id, { draft, member })
    }
  }

  /** The steps, each payment waited for at its step, or after the last that had to do with it. */
  ended(): Draft[] {
    const waits = new Map<Draft, StepDraft[]>()
    for (const { story, draft, last } of this.#opened) {
      const expect = expectationOf(story)
      if (last === undefined && isFinal(story.status)) {
        if (Object.keys(expect).length > 0) draft.expect = expect
        continue
      }
      draft.wait = false
      if (last === undefined || !isFinal(story.status)) continue
      const payment = this.#reference(story.record.transactionId, 'payment')
      const { record } = expect
      const wait = { payment, status: statusWordOf(story.status) }
      const after = waits.get(last) ?? []
      after.push({ action: 'wait until', value: wait, ...(record !== undefined && { expect: { record } }) })
      waits.set(last, after)
    }
    return this.#drafts.flatMap((draft) => [draft, ...(waits.get(draft) ?? [])])
  }
}

/** The member of a capture that stands for it alone, by the member that takes it. */
const wholeMembers: Readonly<Record<string, string>> = {
  original: 'transactionId',
  payment: 'transactionId',
  session: 'sessionId',
}

/** What the command line and the SDKs make up. */
const isMade = (member: string, value: unknown): boolean =>
  (member === 'referenceOrderId' && /^TBX-[0-9a-f]{18}$/.test(String(value))) ||
  (member === 'description' && /^[\w -]+ by tillbox$/.test(String(value)))

/** The step of a control operation; of several the one whose words say what is sent. */
function actionOf(control: string, members: Members): string | undefined {
  const rows = Object.entries(controlActions).filter(([, row]) => row.control === control)
  const said = rows.find(([, { says = {} }]) => {
    const names = Object.keys(says)
    return (
      names.length > 0 &&
      names.length === Object.keys(members).length &&
      names.every((each) => says[each] === members[each])
    )
  })
  return (said ?? rows.find(([, { says }]) => says === undefined))?.[0]
}

/** Amounts with their currency, which then need not be named. */
function withMoney(members: Members, currency: string | undefined): Members {
  if (currency === undefined || !isCurrency(currency)) return members
  const { priceCurrency: _, ...rest } = members
  const amounts = Object.entries(rest).map(([name, value]): [string, unknown] => {
    if (name === 'amount' && isObject(value)) return [name, withMoney(value, currency)]
    const isMoney = moneyMembers.has(name) || name === 'orderAmount' || name === 'totalAmount'
    return [
      name,
      isMoney && typeof value === 'number' ? `${formatAmount(value, currency)} ${currency}` : value,
    ]
  })
  return Object.fromEntries(amounts)
}

/** Of a refund, the order's amount is another thing than a sum. assumption: refund-parts */
const isRefund = (name: OperationName): boolean => (operations[name] as Operation).opens === 'REFUND'

/** An amount object that has the order's amount alone says no more than that amount. */
const plainAmount = (value: unknown): unknown =>
  isObject(value) && Object.keys(value).join() === 'orderAmount' ? value.orderAmount : value

const ends = ['approved', 'declined', 'closed']

/** When a payment ended, in milliseconds of the sandbox clock; undefined for one that has not. */
const endOf = ({ timeline }: Story): number | undefined =>
  timeline.findLast(({ what }) => ends.includes(what))?.at

/** What is expected of the end of a payment; what later steps change is left out. */
function expectationOf({ status, record, timeline }: Story): Members {
  const isChanged = timeline.some(({ what }) => what === 'tip-adjusted')
  const amount = `${formatAmount(record.transactionAmount, record.priceCurrency)} ${record.priceCurrency}`
  if (status === 'SUCCESS') return isChanged ? {} : { record: { transactionAmount: amount } }
  const code = record.transactionResultCode
  return {
    status: statusWordOf(status),
    ...(code !== null && { record: { transactionResultCode: code } }),
  }
}

/** A span in the largest unit that says it whole. */
function shortSpan(value: unknown): unknown {
  const [, digits] = /^(\d+)ms$/.exec(isObject(value) ? String(value.advance) : '') ?? []
  if (digits === undefined) return value
  const milliseconds = Number(digits)
  const units: readonly (readonly [string, number])[] = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['m', 60_000],
    ['s', 1_000],
  ]
  const [unit, length] = units.find(([, each]) => milliseconds % each === 0) ?? ['ms', 1]
  return { advance: `${milliseconds / length}${unit}` }
}
