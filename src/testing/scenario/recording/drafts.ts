import { asText } from '../../../client/tolerant.ts'
import type { Story } from '../../../contract/control/control-answers.ts'
import { isCurrency } from '../../../contract/currencies.ts'
import { commandArgument, isRefund, memberSchemas } from '../../../contract/operation-members.ts'
import { type OperationName, operationRow } from '../../../contract/operations.ts'
import { amountText } from '../../../contract/presentation/money.ts'
import { isFinal, statusWordOf } from '../../../contract/statuses.ts'
import type { Members } from '../../../contract/validate.ts'
import { resultMoments } from '../../../domain/model/timeline.ts'
import { isObject } from '../../../shared/is-object.ts'
import { durationText } from '../../../shared/text/duration.ts'
import { controlActions, shortNamesOf } from '../file/actions.ts'
import { referencesIn } from '../file/references.ts'
import { isMoneyMember } from '../file/written-amounts.ts'
import { idMembers } from '../steps/run-context.ts'
import type { RepeatableRequest, UnusableRequest } from './repeatable-request.ts'

/** A step of the scenario, or a comment on a skipped request. */
export type Draft = StepDraft | { readonly comment: string }

interface StepDraft {
  readonly action: string
  readonly value: unknown
  as?: string | undefined
  wait?: false
  outcome?: string
  expect?: Members
}

/** What a recording needs of a transaction: all of a sandbox's, of another service what its record says. */
export interface RecordedStory extends Pick<Story, 'status' | 'rule' | 'outcome'> {
  readonly record: Pick<
    Story['record'],
    | 'transactionId'
    | 'transactionRequestId'
    | 'transactionAmount'
    | 'priceCurrency'
    | 'transactionResultCode'
    | 'terminalSn'
  >
  readonly timeline: readonly Pick<Story['timeline'][number], 'at' | 'what'>[]
}

/** The stories of transactions by id. */
export type Stories = ReadonlyMap<string, RecordedStory>

/** A payment that a step opened, and the step after which it is waited for. */
interface PaymentStep {
  readonly story: RecordedStory
  readonly draft: StepDraft
  /** Sandbox time less wall-clock time when it was opened. Milliseconds. */
  offset: number
  last?: Draft
}

/**
 * A request is logged after its effect: effects up to this much earlier count as its own. A longer wait than
 * needed does no harm. Milliseconds.
 */
const slack = 100

/** Control operations without a step: their effect is in the payment's step, or they have none. */
const withoutStep = ['queue-outcome', 'add-fault', 'remove-fault', 'clear-faults']

/** The steps of the recorded requests, in order. A reset drops everything before it. */
export function draftsOf(
  recorded: readonly (RepeatableRequest | UnusableRequest)[],
  stories: Stories,
): Draft[] {
  let steps = new StepCollector(stories)
  for (const each of recorded) {
    if ('unusable' in each) steps.leaveOut(each.unusable)
    else if ('operation' in each.what) steps.addOperation(each, each.what.operation)
    else if (each.what.control === 'reset') steps = new StepCollector(stories)
    else steps.addControl(each, each.what.control, each.what.names)
  }
  return steps.ended()
}

/** Steps as they are collected: which ids they captured, and which payments they opened. */
class StepCollector {
  readonly #drafts: Draft[] = []
  /** The reference for each id, and the step that captured it. */
  readonly #ids = new Map<string, { readonly draft: StepDraft; readonly member: string }>()
  readonly #opened: PaymentStep[] = []

  constructor(private readonly stories: Stories) {}

  leaveOut(what: string): void {
    this.#drafts.push({ comment: `left out: ${what}` })
  }

  addOperation({ at, members, answer }: RepeatableRequest, name: OperationName): void {
    const { command, opens, opensPage, ends } = operationRow(name)
    const unknown = this.#unknownOriginal(name, members)
    if (unknown !== undefined)
      return this.leaveOut(`${command} of ${unknown} (no step of this recording opened it)`)
    const [read] = referencesIn(members)
    if (read !== undefined)
      return this.leaveOut(
        `${command} (a scenario reads $${read.name} in ${read.path.join('.')} as a reference)`,
      )
    const draft: StepDraft = {
      action: command,
      value: operationValue(name, members, (id, member) => this.#reference(id, member)),
    }
    this.#drafts.push(draft)
    this.#capture(draft, answer)
    const id = asText(answer.transactionId)
    const story = id === undefined ? undefined : this.stories.get(id)
    if (ends)
      this.#concern(draft, [members.originalTransactionId, members.originalTransactionRequestId].map(asText))
    if (opens === undefined || opensPage || story === undefined) return
    const offset = (story.timeline[0]?.at ?? at) - at
    this.#opened.push({ story, draft, offset })
    if (story.rule === 'header' || story.rule === 'queue') draft.outcome = story.outcome ?? ''
  }

  addControl(
    { at, members, answer }: RepeatableRequest,
    control: string,
    names: Readonly<Record<string, string>>,
  ): void {
    if (withoutStep.includes(control)) return
    if (members.action === 'speed')
      return this.leaveOut('sandbox clock --speed (what runs by time differs each time)')
    if (control === 'set-clock') return this.#addClock(at, members, answer)
    const action = findAction(control, members)
    const row = action === undefined ? undefined : controlActions[action]
    if (action === undefined || row?.at === undefined) {
      const why = row === undefined ? 'there is no step for it' : 'webhooks are not recorded'
      return this.leaveOut(`${control} (${why})`)
    }
    const [name] = Object.values(names)
    const target = row.at === 'session' ? this.#reference(name, 'session') : name
    if (target === undefined)
      return this.leaveOut(`${action} of ${name} (no step of this recording opened it)`)
    const stepMembers = Object.entries(members).filter(
      ([key]) => row.says?.[key] === undefined && key !== 'transactionId',
    )
    const currency = isObject(answer.transaction) ? asText(answer.transaction.currency) : undefined
    const value = { [row.at]: target, ...withMoney(Object.fromEntries(stepMembers), currency) }
    const draft: StepDraft = { action, value }
    this.#drafts.push(draft)
    this.#capture(draft, row.at === 'session' ? answer : {})
    if (row.at === 'session' && answer.state !== 'processing')
      draft.expect = { answer: { state: answer.state } }
    const shown = [answer, answer.transaction, answer.ended].map((each) =>
      isObject(each) ? asText(each.transactionId) : undefined,
    )
    this.#concern(draft, shown)
    if (control === 'set-terminal')
      this.#concernOpen(draft, ({ story, offset }) =>
        story.record.terminalSn === name ? at + offset - slack : undefined,
      )
  }

  #addClock(at: number, change: Members, { now }: Members): void {
    const draft: StepDraft = { action: 'clock', value: clockValue(change) }
    this.#drafts.push(draft)
    const after = Date.parse(String(now))
    const before = after - (typeof change.milliseconds === 'number' ? change.milliseconds : 0)
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

  /** The step concerns payments that were open at the sandbox time `timeFor` gives; undefined: not it. */
  #concernOpen(draft: Draft, timeFor: (opened: PaymentStep) => number | undefined): void {
    for (const opened of this.#opened) {
      const [time, end] = [timeFor(opened), storyEnd(opened.story)]
      if (time !== undefined && (end === undefined || end > time)) opened.last = draft
    }
  }

  /** The original that no step captured; undefined where every one is known. */
  #unknownOriginal(name: OperationName, members: Members): string | undefined {
    const argument = commandArgument(name)?.member ?? ''
    const ids = [argument, 'originalTransactionId', 'originalTransactionRequestId']
    return ids.map((member) => asText(members[member])).find((id) => id !== undefined && !this.#ids.has(id))
  }

  /** The reference for an id, and names the step that it refers to; undefined for any other value. */
  #reference(value: unknown, member: string): string | undefined {
    const found = typeof value === 'string' ? this.#ids.get(value) : undefined
    if (found === undefined) return undefined
    found.draft.as ??= this.#nameFor(found.draft)
    const isWhole = idMembers[member] === found.member
    return `$${found.draft.as}${isWhole ? '' : `.${found.member}`}`
  }

  /** After the action, with its number where it is not the first. */
  #nameFor(draft: StepDraft): string {
    const base = draft.action === 'checkout create' ? 'page' : draft.action.replaceAll(' ', '-')
    const same = this.#drafts.filter((each) => 'action' in each && each.action === draft.action)
    const index = same.indexOf(draft)
    return index < 1 ? base : `${base}${index + 1}`
  }

  #capture(draft: StepDraft, answer: Members): void {
    for (const member of ['transactionId', 'sessionId', 'transactionRequestId']) {
      const id = asText(answer[member])
      if (id !== undefined && !this.#ids.has(id)) this.#ids.set(id, { draft, member })
    }
  }

  /** The steps, each payment waited for at its step, or after the last that had to do with it. */
  ended(): Draft[] {
    const waits = new Map<Draft, StepDraft[]>()
    for (const { story, draft, last } of this.#opened) {
      const expect = storyExpectation(story)
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

/** The step of a control operation; if there are several, the one that fits the request. */
function findAction(control: string, members: Members): string | undefined {
  const rows = Object.entries(controlActions).filter(([, row]) => row.control === control)
  const matching = rows.find(([, { says = {} }]) => {
    const names = Object.keys(says)
    return (
      names.length > 0 &&
      names.length === Object.keys(members).length &&
      names.every((each) => says[each] === members[each])
    )
  })
  return (matching ?? rows.find(([, { says }]) => says === undefined))?.[0]
}

/** When a payment ended, in milliseconds of the sandbox clock; undefined for an open one. */
const storyEnd = ({ timeline }: RecordedStory): number | undefined =>
  timeline.findLast(({ what }) => resultMoments.includes(what))?.at

/** The expected end of a payment, without what later steps change. */
function storyExpectation({ status, record, timeline }: RecordedStory): Members {
  const isChanged = timeline.some(({ what }) => what === 'tip-adjusted')
  const amount = amountText(record.transactionAmount, record.priceCurrency)
  if (status === 'SUCCESS') return isChanged ? {} : { record: { transactionAmount: amount } }
  const code = record.transactionResultCode
  return { status: statusWordOf(status), ...(code !== null && { record: { transactionResultCode: code } }) }
}

/** Members that every run makes for itself, or that belong to the caller. */
const madeByEachRun = ['appId', 'merchantId', 'transactionRequestId', 'notifyUrl', 'terminalEventNotifyUrl']

/**
 * The value of an operation's step: members with short names, amounts with their currency; a single value if
 * possible. `referenceTo`: the reference for a captured id, undefined for other text.
 */
function operationValue(
  name: OperationName,
  members: Members,
  referenceTo: (value: unknown, member: string) => string | undefined,
): unknown {
  const shorts = new Map(Object.entries(shortNamesOf(name)).map(([short, member]) => [member, short]))
  const currency = asText(isObject(members.amount) ? members.amount.priceCurrency : members.priceCurrency)
  const entries = memberSchemas(name)
  const statedMembers = Object.entries(members).filter(
    ([member, value]) =>
      Object.hasOwn(entries, member) &&
      value !== null &&
      !madeByEachRun.includes(member) &&
      !isMadeUp(member, value),
  )
  const money = Object.entries(withMoney(Object.fromEntries(statedMembers), currency))
  const written = money.map(([member, value]): [string, unknown] => {
    const short = shorts.get(member) ?? member
    return [short, referenceTo(value, short) ?? (isRefund(name) ? value : plainAmount(value))]
  })
  const argument = shorts.get(commandArgument(name)?.member ?? '')
  const first = written.filter(([member]) => member === argument)
  if (first.length === 1 && written.length === 1) return first[0]?.[1]
  return Object.fromEntries([...first, ...written])
}

/** The value of a clock step; a duration in the largest unit without a fraction. */
function clockValue({ action, milliseconds, time }: Members): unknown {
  if (action !== 'advance') return action === 'set' ? { set: time } : action
  return { advance: durationText(Number(milliseconds)) }
}

/** True for values that the command line and the SDKs generate. */
const isMadeUp = (member: string, value: unknown): boolean =>
  (member === 'referenceOrderId' && /^TBX-[0-9a-f]{18}$/.test(asText(value) ?? '')) ||
  (member === 'description' && /^[\w -]+ by tillbox$/.test(asText(value) ?? ''))

/** Amounts at any depth with their currency, which then need not be named; without one, in minor units. */
function withMoney(members: Members, currency: string | undefined): Members {
  const isKnown = currency !== undefined && isCurrency(currency)
  const written = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((each) => written(name, each))
    if (isObject(value)) return withMoney(value, currency)
    if (!isMoneyMember(name) || typeof value !== 'number') return value
    return isKnown ? amountText(value, currency) : { minor: value }
  }
  const { priceCurrency, ...rest } = members
  return Object.fromEntries(
    Object.entries(isKnown ? rest : members).map(([name, value]) => [name, written(name, value)]),
  )
}

/** An amount object that has the order's amount alone says no more than that amount. */
const plainAmount = (value: unknown): unknown =>
  isObject(value) && Object.keys(value).join() === 'orderAmount' ? value.orderAmount : value
