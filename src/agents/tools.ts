import * as v from 'valibot'
import { list, shape, text, whether } from '../contract/answer-kinds.ts'
import { type Control, namedInPath, pathMembers, type Shown } from '../contract/control/control.ts'
import { type AnsweredControl, type ControlAnswer, controls } from '../contract/control/controls/controls.ts'
import { shownScreen } from '../contract/control/controls/terminal-controls.ts'
import type { OwnTool } from '../contract/control/mcp.ts'
import { foundPassages } from '../contract/documents/documents.ts'
import { isMoment, name, oneOf, optional, ruledText, unwrap, whole } from '../contract/member-kinds.ts'
import { type OperationName, operationNames } from '../contract/operations.ts'
import { whyStatus } from '../contract/presentation/why-status.ts'
import { isFinal } from '../contract/statuses.ts'
import type { Members } from '../contract/validate.ts'
import { only } from '../sandbox/fixture-files/fixtures-problems.ts'
import { parseDuration, parseMilliseconds } from '../shared/text/duration.ts'
import { sleep } from '../shared/timers.ts'
import { builtInNames } from '../testing/scenario/file/built-in.ts'
import { runBuiltIn } from './scenarios.ts'
import type { SelfClient } from './self-client.ts'
import { verdictOn } from './verify.ts'

interface ToolContext {
  readonly self: SelfClient
  /** The sandbox that the caller is connected to. */
  readonly sandbox: v.InferOutput<typeof whichSandbox>
  /** What is odd about the JSON of the call. */
  readonly oddities: readonly string[]
  /** Aborted when the caller gives up. */
  readonly signal: AbortSignal
}

/** Which sandbox it is. */
const whichSandbox = v.object({ url: text, state: text, space: text })

/** A tool: what it says of itself, and what it does. Its schemas are what an agent needs of the interface. */
export interface Tool {
  readonly description: string
  readonly input: v.GenericSchema
  readonly output: v.GenericSchema<unknown, object>
  readonly run: (context: ToolContext, input: never) => Promise<object>
  /** What it answers is in the package: nothing in it has to be hidden. */
  readonly isPublic?: true
}

interface ToolRow<E extends v.ObjectEntries> extends Omit<Tool, 'input' | 'run'> {
  readonly input: E
  readonly run: (context: ToolContext, input: v.InferOutput<v.ObjectSchema<E, undefined>>) => Promise<object>
}

/** A tool that takes nothing ignores what a client sends all the same: some send a dummy. */
const tool = <E extends v.ObjectEntries>(row: ToolRow<E>): Tool => ({
  ...row,
  input: Object.keys(row.input).length === 0 ? v.object({}) : only(row.input),
})

/** A schema of an answer: of an object, of a list, or of either or null. */
interface Answer {
  readonly entries?: Readonly<Record<string, Answer>>
  readonly item?: Answer
  readonly wrapped?: Answer
}

/** What an agent is shown of an answer. */
function shown({ wrapped, item, entries = {} }: Answer, members: Shown): v.GenericSchema<unknown, object> {
  if (wrapped) return v.nullable(shown(wrapped, members)) as v.GenericSchema<unknown, object>
  if (item) return list(shown(item, members))
  const parts = members.flatMap((member): [string, unknown][] =>
    typeof member === 'string'
      ? [[member, entries[member]]]
      : Object.entries(member).map(([each, inner]) => [each, shown(entries[each] ?? {}, inner)]),
  )
  return v.object(Object.fromEntries(parts) as v.ObjectEntries)
}

/** The members of an answer that an agent is shown. */
const shownOf = (control: AnsweredControl, ...members: Shown): v.ObjectEntries =>
  (shown(controls[control].answer as Answer, members) as v.ObjectSchema<v.ObjectEntries, undefined>).entries

const some = <E extends v.ObjectEntries, const K extends keyof E & string>(
  entries: E,
  ...names: readonly K[]
) => Object.fromEntries(names.map((each) => [each, entries[each]])) as Pick<E, K>

const inputFor = <N extends AnsweredControl>(control: N): (typeof controls)[N]['input']['entries'] =>
  controls[control].input.entries

const limit = v.nullish(whole('At most this many; left out, 20', 1, 100), 20)
const named = (place: keyof typeof pathMembers) => name(pathMembers[place].help)

/** Calls an operation of the control interface: a member of the input names what is in its path. */
async function ask<N extends AnsweredControl>(
  self: SelfClient,
  control: N,
  input: Members,
): Promise<ControlAnswer<N>> {
  const inPath = namedInPath(controls[control].path)
  const members = Object.entries(input).filter(
    ([member, value]) => value != null && member !== inPath?.member,
  )
  const names = inPath && { [inPath.parameter]: String(input[inPath.member]) }
  return self.control(control, Object.fromEntries(members), names)
}

/** The tool of a row of the control table. */
function rowTool([control, row]: [string, Control]): [string, Tool][] {
  const { tool: face, summary, input, answer, path } = row
  if (face === undefined) return []
  const { takes = Object.keys(input.entries), needs = [], says } = face
  const needed = needs.map((each) => [each, unwrap(input.entries[each] as v.GenericSchema)])
  const inPath = namedInPath(path)
  const made = tool({
    description: [`${summary}.`, face.note].filter(Boolean).join(' '),
    input: {
      ...(inPath && { [inPath.member]: name(inPath.help) }),
      ...some(input.entries, ...takes),
      ...Object.fromEntries(needed),
      ...(takes.includes('limit') && { limit }),
    },
    output: face.shows ? shown(answer as Answer, face.shows) : (answer as Tool['output']),
    run: ({ self }, typed) => ask(self, control as AnsweredControl, { ...typed, ...says }),
  })
  return [[face.name, made]]
}

const sinceForm = 'how long ago (2h), or a time (2026-01-31T12:00:00Z)'
const since = optional(
  ruledText(
    `Created since: ${sinceForm}`,
    v.check((typed) => parseDuration(typed) !== undefined || isMoment(typed), `must be ${sinceForm}`),
  ),
)

/** The time of a `since`, by the sandbox clock. */
async function timeOf({ self }: ToolContext, typed: string | null | undefined) {
  const ago = parseDuration(typed ?? '')
  if (ago === undefined) return typed
  return new Date(Math.max(Date.parse((await self.control('clock')).now) - ago, 0)).toISOString()
}

const notSpan = 'must be milliseconds, or a duration such as 90s, 2h or 30d'
const span = v.pipe(
  v.union([v.number(), v.string()], notSpan),
  v.description('How far to advance: milliseconds, or 30d, 2h, 90s'),
  v.transform((typed) => (typeof typed === 'number' ? typed : parseMilliseconds(typed))),
  v.number(notSpan),
)

const acting = Object.entries<Control>(controls).filter(([, { act }]) => act !== undefined)

/** What a person does at a terminal, and its operation of the control interface. */
const acts = new Map(acting.map(([control, { act = '' }]) => [act as string, control as AnsweredControl]))

/** Results of a search, and characters of each that are shown. */
const [mostFound, mostShown] = [5, 3_000]

/** How often a payment is looked at while it is waited for. Milliseconds. */
const lookPause = 200

/** Tools that do more than one operation does. Amounts in minor units. */
const ownTools: Readonly<Record<OwnTool, Tool>> = {
  get_status: tool({
    description: 'Which sandbox this is, its payments, webhooks, terminals, clock and faults. Start here.',
    input: {},
    output: v.object({
      sandbox: whichSandbox,
      counts: v.object(shownOf('state', 'transactions', 'byStatus', 'webhooks')),
      clock: v.object(shownOf('clock', 'now', 'frozen')),
      ...shownOf('terminals', {
        terminals: ['terminalSn', 'merchantId', 'mode', 'online', 'screen', 'waiting'],
      }),
      ...shownOf('faults', { faults: ['id', 'kind', 'state'] }),
    }),
    run: async ({ self, sandbox }) => ({
      sandbox,
      counts: await self.control('state'),
      clock: await self.control('clock'),
      ...(await self.control('terminals')),
      ...(await self.control('faults')),
    }),
  }),
  list_payments: tool({
    description: 'Transactions, newest first, filtered.',
    input: {
      ...some(inputFor('transactions'), 'status', 'type', 'terminal', 'order', 'amount', 'allows'),
      since,
      limit,
    },
    output: v.object({
      ...shownOf('transactions', 'more', {
        transactions: [
          ...['transactionId', 'type', 'status', 'amount', 'currency', 'terminalSn'],
          ...['referenceOrderId', 'originalTransactionId', 'resultCode', 'createdAt'],
        ],
      }),
      note: v.optional(text),
    }),
    run: async (context, input) => {
      const found = await ask(context.self, 'transactions', {
        ...input,
        since: await timeOf(context, input.since),
      })
      const isUnknownOrder = input.order != null && found.transactions.length === 0
      return isUnknownOrder
        ? { ...found, note: 'A refused request opens no payment: see list_requests' }
        : found
    },
  }),
  get_payment: tool({
    description:
      'Why it is where it is, what can follow (allows), its result, webhooks and timeline. Waits for its end if asked.',
    input: {
      transactionId: named('transactions'),
      waitSeconds: optional(whole('Wait at most so long until it ended', 0, 30)),
    },
    output: v.object({
      why: text,
      ...shownOf('transaction', ...['status', 'allows', 'refundedAmount', 'sessionId', 'children'], {
        record: [
          ...['transactionId', 'transactionType', 'transactionAmount', 'priceCurrency'],
          ...['terminalSn', 'referenceOrderId', 'transactionResultCode', 'transactionResultMsg'],
        ],
        deliveries: ['id', 'event', 'url', 'state', 'last'],
        timeline: ['time', 'what', 'detail'],
      }),
    }),
    run: async ({ self, signal }, { transactionId, waitSeconds }) => {
      const look = () => self.control('transaction', {}, { id: transactionId })
      const looks = ((waitSeconds ?? 0) * 1000) / lookPause
      let found = await look()
      for (let count = 0; count < looks && !isFinal(found.status) && !signal.aborted; count++) {
        await sleep(lookPause, signal)
        found = await look()
      }
      return { ...found, why: whyStatus(found) }
    },
  }),
  verify_webhook: tool({
    description:
      'Checks signature and time, and says why they do not fit: of a notification by id, or of headers and body as your server got them.',
    input: {
      id: optional(name('Id of the notification; its last attempt is checked')),
      headers: optional(inputFor('send-webhook-body').headers.wrapped),
      body: optional(inputFor('send-webhook-body').body),
      merchantId: optional(name('Its merchant; left out, the first one')),
    },
    output: v.object({
      valid: whether,
      note: v.optional(text),
      why: v.optional(text),
      remedy: v.optional(text),
    }),
    run: ({ self }, input) => verdictOn(self, input),
  }),
  list_outcomes: tool({
    description: 'What the host can answer, by name, the amount that triggers it; and the test cards.',
    input: {},
    output: v.object({
      ...shownOf('outcomes', { outcomes: ['name', 'code', 'message', 'status', 'amount'] }),
      ...shownOf('cards', { cards: ['name', 'category', 'outcome'] }),
    }),
    run: async ({ self }) => ({ ...(await self.control('outcomes')), ...(await self.control('cards')) }),
  }),
  search_docs: tool({
    description: 'Finds passages of the guides, and operations by name with their members and an example.',
    input: { query: name('Words') },
    output: v.object({ passages: list(shape({ path: text, title: text, text })) }),
    run: async (_, { query }) => ({
      passages: foundPassages(query)
        .slice(0, mostFound)
        .map((each) => ({ ...each, text: each.text().slice(0, mostShown) })),
    }),
    isPublic: true,
  }),
  run_operation: tool({
    description:
      'sale, refund, void, … as a client. Members as in search_docs; ids, application and merchant are made when left out. Accepted is not paid: get_payment waits.',
    input: {
      operation: oneOf('Operation', operationNames),
      members: v.pipe(
        v.record(v.string(), v.unknown(), 'must be an object'),
        v.description('Request: {"amount":1000,"priceCurrency":"USD","terminalSn":"TBX-AUTO-001"}'),
      ),
      outcome: optional(name('What the host answers, by name')),
    },
    output: v.object({ answer: v.record(v.string(), v.unknown()), notes: v.array(text) }),
    run: async ({ self, oddities }, { operation, members, outcome }) => {
      const notes = [...oddities]
      const noted = (note: string) => notes.push(note)
      const options = { outcome: outcome ?? undefined, noted }
      return { answer: await self.operation(operation as OperationName, members, options), notes }
    },
  }),
  act_at_terminal: tool({
    description: 'What a cardholder does at an attended terminal: present a card, tip, PIN, sign, cancel.',
    input: {
      terminalSn: named('terminals'),
      act: oneOf('Act, one of acts of get_terminal', [...acts.keys()]),
      card: optional(inputFor('present-card').card),
      ...some(inputFor('present-card'), 'entry', 'outcome'),
      tipAmount: optional(inputFor('choose-tip').tipAmount),
      ...some(inputFor('enter-pin'), 'correct'),
    },
    output: shown(controls.screen.answer as Answer, shownScreen),
    run: ({ self }, { act, ...input }) => ask(self, acts.get(act) ?? 'screen', input),
  }),
  set_fault: tool({
    description: 'A fault of the API or webhooks; search_docs lists them. Without kind, all are cleared.',
    input: {
      kind: optional(inputFor('add-fault').kind),
      ...some(inputFor('add-fault'), 'operation', 'terminalSn', 'times', 'share', 'always'),
    },
    output: v.object(
      shownOf('faults', {
        faults: ['id', 'kind', 'state', 'operation', 'times', 'share', 'used'],
      }),
    ),
    run: async ({ self }, { kind, ...rest }) => {
      if (kind == null) return self.control('clear-faults')
      await self.control('add-fault', { kind, ...rest })
      return self.control('faults')
    },
  }),
  move_clock: tool({
    description: 'Expiries, retries and batches follow it.',
    input: { ...inputFor('set-clock'), milliseconds: optional(span) },
    output: v.object(shownOf('clock', 'now', 'wall', 'frozen')),
    run: ({ self }, input) => ask(self, 'set-clock', input),
  }),
  run_scenario: tool({
    description: 'A built-in one, with real requests in this sandbox. Some move the clock.',
    input: { name: oneOf('Scenario', builtInNames()) },
    output: v.object({
      outcome: oneOf('', ['passed', 'failed']),
      steps: list(shape({ step: text, transactionId: v.optional(text) })),
      failure: v.optional(text),
    }),
    run: ({ self }, input) => runBuiltIn(self, input.name),
  }),
  reset: tool({
    description:
      'Deletes the payments and webhooks of a space; the state before is saved first, as the snapshot kept.',
    input: { space: name('Its name, as in get_status') },
    output: v.object({ sandbox: whichSandbox, ...shownOf('reset', 'kept') }),
    run: async ({ self, sandbox }, { space }) => {
      const { url, state } = sandbox
      if (space !== sandbox.space)
        throw new Error(
          `Nothing was reset: this is the space ${sandbox.space} at ${url}, in ${state}, not ${space}`,
        )
      return { sandbox, ...(await self.control('reset', { keep: true })) }
    },
  }),
}

/** Every tool by its name: those of their own, and those that rows of the control table have. */
export const tools: ReadonlyMap<string, Tool> = new Map([
  ...Object.entries(ownTools),
  ...Object.entries<Control>(controls).flatMap(rowTool),
])
