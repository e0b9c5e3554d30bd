import * as v from 'valibot'
import { list, shape, text, whether } from '../contract/answer-kinds.ts'
import { type AnsweredControl, type ControlAnswer, controls } from '../contract/control/controls/controls.ts'
import type { ToolName } from '../contract/control/mcp.ts'
import { foundPassages } from '../contract/documents/documents.ts'
import { isMoment, listOf, name, oneOf, optional, ruledText, whole } from '../contract/member-kinds.ts'
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

/** A tool: what it says of itself, and what it does. The schemas are those of the interface, as far as an agent needs them. */
export interface Tool {
  readonly title: string
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

const some = <E extends v.ObjectEntries, const K extends keyof E & string>(
  entries: E,
  ...names: readonly K[]
) => Object.fromEntries(names.map((each) => [each, entries[each]])) as Pick<E, K>

/** An answer with some of its members. */
const pick = <E extends v.ObjectEntries, const K extends keyof E & string>(
  { entries }: { readonly entries: E },
  ...names: readonly K[]
) => v.object(some(entries, ...names))

/** A tool that calls one operation of the control interface. */
const asking =
  <N extends AnsweredControl>(control: N, at: Readonly<Record<string, string>> = {}) =>
  async ({ self }: ToolContext, input: Members): Promise<ControlAnswer<N>> => {
    const inPath = new Set(Object.values(at))
    const members = Object.entries(input).filter(([member, value]) => value != null && !inPath.has(member))
    const names = Object.entries(at).map(([parameter, member]) => [parameter, String(input[member])])
    return self.control(control, Object.fromEntries(members), Object.fromEntries(names))
  }

const inputFor = <N extends AnsweredControl>(control: N): (typeof controls)[N]['input']['entries'] =>
  controls[control].input.entries

const limit = v.nullish(whole('At most this many; left out, 20', 1, 100), 20)
const id = (of: string) => name(`Id of the ${of}`)
const terminalSn = name('Serial number of the terminal')

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

const payment = controls.transactions.answer.entries.transactions.item
const story = controls.transaction.answer.entries
const request = controls.requests.answer.entries.requests.item
const requestStory = controls.request.answer.entries
const delivery = controls.webhooks.answer.entries.deliveries.item
const attempts = controls.webhook.answer.entries.deliveries.item.entries.tries
const screen = controls.screen.answer
const terminal = controls.terminals.answer.entries.terminals.item
const fault = controls.faults.answer.entries.faults.item

const shownMessage = pick(requestStory.request, 'headers', 'body')
const shownScreen = v.object({
  ...some(screen.entries, 'terminalSn', 'mode', 'online', 'screen', 'waiting', 'queue', 'acts'),
  transaction: v.nullable(
    pick(
      screen.entries.transaction.wrapped,
      ...(['transactionId', 'type', 'status', 'transactionAmount', 'currency'] as const),
    ),
  ),
})
const session = pick(
  controls.session.answer,
  ...(['sessionId', 'state', 'transactionId', 'amount', 'currency', 'tries', 'declined'] as const),
)

/** What a person does at a terminal, and its operation of the control interface. */
const acts = {
  present: 'present-card',
  tip: 'choose-tip',
  pin: 'enter-pin',
  sign: 'sign',
  cancel: 'cancel-at-terminal',
} as const satisfies Record<string, AnsweredControl>

/** Results of a search, and characters of each that are shown. */
const [mostFound, mostShown] = [5, 3_000]

/** How often a payment is looked at while it is waited for. Milliseconds. */
const lookPause = 200

/** What every tool is; their kinds are a table of the contract. Amounts in minor units. */
export const tools: Readonly<Record<ToolName, Tool>> = {
  get_status: tool({
    title: 'Show the sandbox',
    description: 'Which sandbox this is, its payments, webhooks, terminals, clock and faults. Start here.',
    input: {},
    output: v.object({
      sandbox: whichSandbox,
      counts: pick(controls.state.answer, 'transactions', 'byStatus', 'webhooks'),
      clock: pick(controls.clock.answer, 'now', 'frozen'),
      terminals: list(pick(terminal, 'terminalSn', 'merchantId', 'mode', 'online', 'screen', 'waiting')),
      faults: list(pick(fault, 'id', 'kind', 'state')),
    }),
    run: async ({ self, sandbox }) => {
      const counts = await self.control('state')
      const clock = await self.control('clock')
      return {
        sandbox,
        counts,
        clock,
        ...(await self.control('terminals')),
        ...(await self.control('faults')),
      }
    },
  }),
  list_payments: tool({
    title: 'List payments',
    description: 'Transactions, newest first, filtered.',
    input: {
      ...some(inputFor('transactions'), 'status', 'type', 'terminal', 'order', 'amount', 'allows'),
      since,
      limit,
    },
    output: v.object({
      transactions: list(
        pick(
          payment,
          ...(['transactionId', 'type', 'status', 'amount', 'currency', 'terminalSn'] as const),
          ...(['referenceOrderId', 'originalTransactionId', 'resultCode', 'createdAt'] as const),
        ),
      ),
      more: whether,
      note: v.optional(text),
    }),
    run: async (context, input) => {
      const members = { ...input, since: await timeOf(context, input.since) }
      const found = await asking('transactions')(context, members)
      const isUnknownOrder = input.order != null && found.transactions.length === 0
      return isUnknownOrder
        ? { ...found, note: 'A refused request opens no payment: see list_requests' }
        : found
    },
  }),
  get_payment: tool({
    title: 'Explain a payment',
    description:
      'Why it is where it is, what can follow (allows), its result, webhooks and timeline. Waits for its end if asked.',
    input: {
      transactionId: id('transaction'),
      waitSeconds: optional(whole('Wait at most so long until it ended', 0, 30)),
    },
    output: v.object({
      why: text,
      ...some(story, 'status', 'allows', 'refundedAmount', 'sessionId', 'children'),
      record: pick(
        story.record,
        ...(['transactionId', 'transactionType', 'transactionAmount', 'priceCurrency'] as const),
        ...(['terminalSn', 'referenceOrderId', 'transactionResultCode', 'transactionResultMsg'] as const),
      ),
      deliveries: list(pick(story.deliveries.item, 'id', 'event', 'url', 'state', 'last')),
      timeline: list(pick(story.timeline.item, 'time', 'what', 'detail')),
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
  list_requests: tool({
    title: 'List logged requests',
    description: 'The last requests, the newest last, with what was wrong with refused ones (notes).',
    input: { ...inputFor('requests'), limit },
    output: v.object({
      requests: list(
        pick(
          request,
          'traceId',
          'operation',
          'method',
          'path',
          'status',
          'code',
          'transactionId',
          'fault',
          'notes',
        ),
      ),
    }),
    run: asking('requests'),
  }),
  get_request: tool({
    title: 'Show a logged request',
    description:
      'Request and answer in full, why it was refused and the remedy, and the command that sends it again.',
    input: { traceId: id('request, its traceId') },
    output: v.object({
      ...some(requestStory, 'operation', 'status', 'code', 'fault', 'command'),
      url: requestStory.url,
      request: shownMessage,
      answer: shownMessage,
      refusal: v.nullable(pick(requestStory.refusal.wrapped, 'message', 'field', 'detail', 'remedy')),
    }),
    run: asking('request', { traceId: 'traceId' }),
  }),
  list_webhooks: tool({
    title: 'List webhooks',
    description: 'Deliveries of notifications, the newest last.',
    input: { ...some(inputFor('webhooks'), 'state', 'transactionId', 'order'), limit },
    output: v.object({
      deliveries: list(
        pick(delivery, 'id', 'event', 'transactionId', 'url', 'state', 'attempts', 'last', 'nextAt'),
      ),
    }),
    run: asking('webhooks'),
  }),
  get_webhook: tool({
    title: 'Show a webhook',
    description: 'A notification with every attempt: the signed request, and the answer of your server.',
    input: { id: id('notification') },
    output: v.object({
      deliveries: list(
        v.object({
          ...some(delivery.entries, 'transactionId', 'url', 'state'),
          tries: list(
            pick(
              attempts.item,
              ...(['at', 'requestHeaders', 'requestBody'] as const),
              ...(['status', 'responseBody', 'error', 'fault'] as const),
            ),
          ),
        }),
      ),
    }),
    run: asking('webhook', { id: 'id' }),
  }),
  verify_webhook: tool({
    title: 'Verify a webhook',
    description:
      'Checks signature and time, and says why they do not fit: of a notification by id, or of headers and body as your server got them.',
    input: {
      id: optional(id('notification; its last attempt is checked')),
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
  get_terminal: tool({
    title: 'Show a terminal',
    description: 'Its screen, the payment on it, and what can be done there now (acts).',
    input: { terminalSn },
    output: shownScreen,
    run: asking('screen', { sn: 'terminalSn' }),
  }),
  list_outcomes: tool({
    title: 'List outcomes and test cards',
    description: 'What the host can answer, by name, the amount that triggers it; and the test cards.',
    input: {},
    output: v.object({
      outcomes: list(
        pick(controls.outcomes.answer.entries.outcomes.item, 'name', 'code', 'message', 'status', 'amount'),
      ),
      cards: list(pick(controls.cards.answer.entries.cards.item, 'name', 'category', 'outcome')),
    }),
    run: async ({ self }) => ({ ...(await self.control('outcomes')), ...(await self.control('cards')) }),
  }),
  search_docs: tool({
    title: 'Search the docs',
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
    title: 'Call the payment API',
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
    title: 'Act at a terminal',
    description: 'What a cardholder does at an attended terminal: present a card, tip, PIN, sign, cancel.',
    input: {
      terminalSn,
      act: oneOf('Act, one of acts of get_terminal', Object.keys(acts) as (keyof typeof acts)[]),
      card: optional(inputFor('present-card').card),
      ...some(inputFor('present-card'), 'entry', 'outcome'),
      tipAmount: optional(inputFor('choose-tip').tipAmount),
      ...some(inputFor('enter-pin'), 'correct'),
    },
    output: shownScreen,
    run: (context, { act, ...input }) => asking(acts[act], { sn: 'terminalSn' })(context, input),
  }),
  pay_checkout: tool({
    title: 'Pay on the hosted page',
    description: 'Pays a checkout session as its shopper, with a test card.',
    input: { sessionId: id('session'), card: inputFor('pay-session').card },
    output: session,
    run: asking('pay-session', { id: 'sessionId' }),
  }),
  set_outcome: tool({
    title: 'Queue an outcome',
    description: 'Decides the next payments of a terminal; times 0 clears the queue.',
    input: { terminalSn, ...inputFor('queue-outcome') },
    output: pick(terminal, 'terminalSn', 'queue'),
    run: asking('queue-outcome', { sn: 'terminalSn' }),
  }),
  set_fault: tool({
    title: 'Inject a fault',
    description: 'A fault of the API or webhooks; search_docs lists them. Without kind, all are cleared.',
    input: {
      kind: optional(inputFor('add-fault').kind),
      ...some(inputFor('add-fault'), 'operation', 'terminalSn', 'times', 'share', 'always'),
    },
    output: v.object({
      faults: list(pick(fault, 'id', 'kind', 'state', 'operation', 'times', 'share', 'used')),
    }),
    run: async ({ self }, { kind, ...rest }) => {
      if (kind == null) return self.control('clear-faults')
      await self.control('add-fault', { kind, ...rest })
      return self.control('faults')
    },
  }),
  move_clock: tool({
    title: 'Move the sandbox clock',
    description: 'Expiries, retries and batches follow it.',
    input: { ...inputFor('set-clock'), milliseconds: optional(span) },
    output: pick(controls.clock.answer, 'now', 'wall', 'frozen'),
    run: asking('set-clock'),
  }),
  resend_webhook: tool({
    title: 'Resend webhooks',
    description: 'Sends notifications again, with the same id.',
    input: { ids: listOf(id('notification'), 100), to: inputFor('resend-webhooks').to },
    output: controls['resend-webhooks'].answer,
    run: asking('resend-webhooks'),
  }),
  run_scenario: tool({
    title: 'Run a scenario',
    description: 'A built-in one, with real requests in this sandbox. Some move the clock.',
    input: { name: oneOf('Scenario', builtInNames()) },
    output: v.object({
      outcome: oneOf('', ['passed', 'failed']),
      steps: list(shape({ step: text, transactionId: v.optional(text) })),
      failure: v.optional(text),
    }),
    run: ({ self }, input) => runBuiltIn(self, input.name),
  }),
  save_snapshot: tool({
    title: 'Save a snapshot',
    description: 'Saves the whole state under a name.',
    input: { name: name('Name: letters, digits, . _ -'), ...inputFor('save-snapshot') },
    output: pick(controls['save-snapshot'].answer, 'name', 'transactions', 'sandboxTime'),
    run: asking('save-snapshot', { name: 'name' }),
  }),
  restore_snapshot: tool({
    title: 'Restore a snapshot',
    description: 'Replaces the state; the one before is saved first, as the snapshot kept.',
    input: { name: name('Name of the snapshot') },
    output: pick(controls['restore-snapshot'].answer, 'name', 'transactions', 'replaced', 'kept'),
    run: ({ self }, input) => self.control('restore-snapshot', { keep: true }, { name: input.name }),
  }),
  reset: tool({
    title: 'Reset the sandbox',
    description:
      'Deletes the payments and webhooks of a space; the state before is saved first, as the snapshot kept.',
    input: { space: name('Its name, as in get_status') },
    output: v.object({ sandbox: whichSandbox, ...some(controls.reset.answer.entries, 'kept') }),
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
