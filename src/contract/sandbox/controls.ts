import * as v from 'valibot'
import { exists, flag, listOf, minorUnits, moment, name, oneOf, optional, whole } from '../member-kinds.ts'
import { operationNames } from '../operations.ts'
import * as answers from './answers.ts'
import { type Control, get, post, put, remove } from './control.ts'
import { faultList, faultView, readFault } from './faults.ts'
import { requestList, requestStory } from './request-log.ts'
import { terminalControls } from './terminal-controls.ts'
import * as webhooks from './webhooks.ts'

const share = (help: string) =>
  v.pipe(
    v.number('must be a number'),
    v.minValue(0, 'must be at least 0'),
    v.maxValue(1, 'must be at most 1'),
    v.description(help),
  )

/** Times are written with four digits for the year, and need room for what expires later. */
export const isReachable = (time: number): boolean =>
  time >= Date.UTC(2000, 0, 1) && time < Date.UTC(9999, 0, 1)

const clock = {
  action: v.pipe(
    v.picklist(
      ['freeze', 'resume', 'set', 'advance', 'reset'],
      'must be freeze, resume, set, advance or reset',
    ),
    v.description('What to do to the clock'),
  ),
  milliseconds: optional(whole('How far to advance', 0, 10 * 366 * 86_400_000)),
  time: optional(
    v.pipe(
      v.string('must be a string'),
      v.check(exists, 'must be a date-time in ISO 8601'),
      v.check((text) => isReachable(Date.parse(text)), 'must be within the years 2000 to 9998'),
      v.description('Time to set, ISO 8601'),
    ),
  ),
}

const wantedRequests = {
  status: optional(v.picklist(['accepted', 'refused'], 'must be accepted or refused')),
  operation: optional(
    v.pipe(
      v.picklist(operationNames, `must be one of ${operationNames.join(', ')}`),
      v.description('Of this operation'),
    ),
  ),
  transactionId: optional(name('About this transaction')),
  limit: optional(
    v.pipe(v.string(), v.regex(/^\d{1,5}$/, 'must be a whole number'), v.description('At most so many')),
  ),
}

/** The control interface, below `/_sandbox`. Paths with `:sn` name a terminal, with `:id` a transaction. */
export const controls = {
  health: get('/health', 'Tell that the sandbox is up', {}, answers.health),
  connection: get(
    '/connection',
    'Tell a client on this machine how to connect, the API key included',
    {},
    answers.connection,
  ),
  state: get('/state', 'Count what is stored', {}, answers.stateSummary),
  outcomes: get('/outcomes', 'List the outcomes', {}, answers.outcomeList),
  cards: get('/cards', 'List the test cards', {}, answers.cardList),
  ...terminalControls,
  transaction: get(
    '/transactions/:id',
    'Show a transaction with everything that happened to it',
    {
      attempts: optional(v.picklist(['true', 'false'], 'must be true or false')),
    },
    answers.story,
  ),
  session: get('/sessions/:id', 'Show a session of the hosted payment page', {}, answers.sessionView),
  'pay-session': post(
    '/sessions/:id/pay',
    'Pay a session as its shopper would, with a test card',
    { card: name('Test card by name') },
    answers.sessionView,
  ),
  'cancel-session': post(
    '/sessions/:id/cancel',
    'Give a session up as its shopper would',
    {},
    answers.sessionView,
  ),
  webhooks: get(
    '/webhooks',
    'List webhook deliveries, the newest last',
    {
      state: optional(v.picklist(['pending', 'delivered', 'failed'], 'must be pending, delivered or failed')),
      transactionId: optional(name('Of this transaction')),
      since: optional(moment('Of this time or later')),
      limit: optional(
        v.pipe(v.string(), v.regex(/^\d{1,5}$/, 'must be a whole number'), v.description('At most so many')),
      ),
    },
    webhooks.deliveryList,
  ),
  webhook: get(
    '/webhooks/:id',
    'Show a notification with every attempt to deliver it',
    {},
    webhooks.webhookStory,
  ),
  'resend-webhooks': post(
    '/webhooks/resend',
    'Send notifications again, with the same id; to another URL when one is named',
    {
      ids: optional(listOf(name('Notification by id'), 10_000)),
      failed: optional(flag('Those that were given up')),
      since: optional(moment('Those of this time or later')),
      all: optional(flag('All of them')),
      to: optional(name('URL to send them to')),
    },
    webhooks.resent,
  ),
  'send-webhook': post(
    '/webhooks/send',
    'Send an edited notification once, marked as a test',
    {
      transactionId: name('Transaction it tells of'),
      type: optional(v.picklist(['payment', 'terminal'], 'must be payment or terminal')),
      set: optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean(), v.null()]))),
      to: optional(name('URL to send it to')),
    },
    webhooks.attemptView,
  ),
  'webhook-secret': get(
    '/webhook-secret',
    'Tell the secret that webhooks are signed with',
    {},
    webhooks.webhookSecret,
  ),
  'rotate-webhook-secret': post(
    '/webhook-secret/rotate',
    'Make a new webhook secret; the old one stays valid for a while',
    { graceMs: optional(whole('How long the old secret stays valid', 0, 366 * 86_400_000)) },
    webhooks.webhookSecret,
  ),
  'webhook-faults': get('/webhook-faults', 'Show the injected webhook faults', {}, webhooks.webhookFaults),
  'set-webhook-faults': put(
    '/webhook-faults',
    'Inject webhook faults; members left out are off',
    {
      ...webhooks.forEachShare((name) => optional(share(`Share that is ${webhooks.faultShares[name]}`))),
      delayMs: optional(
        v.pipe(
          v.tuple([whole('Delay from', 0, 366 * 86_400_000), whole('Delay to', 0, 366 * 86_400_000)]),
          v.check(([from, to]) => from <= to, 'must have the shorter delay first'),
        ),
      ),
      reorder: optional(whole('One of the first so many that wait comes next', 1, 1000)),
      seed: optional(whole('The same seed does the same again', 0, 2 ** 31)),
    },
    webhooks.webhookFaults,
  ),
  faults: get('/faults', 'List the injected faults of answers and webhooks', {}, faultList),
  'add-fault': post(
    '/faults',
    'Inject a fault into answers of the payment API or into webhooks',
    {
      kind: v.pipe(
        v.string('must be a string'),
        v.rawCheck(({ dataset, addIssue }) => {
          const fault = dataset.typed ? readFault(dataset.value) : ''
          if (typeof fault === 'string') addIssue({ message: `is no fault: ${fault}` })
        }),
        v.description('The fault, such as lost-answer, http-503 or latency=100-500'),
      ),
      operation: optional(oneOf('Only requests of this operation', operationNames)),
      terminalSn: optional(name('Only requests for this terminal')),
      merchantId: optional(name('Only requests for this merchant')),
      amount: optional(minorUnits('Only requests of this amount')),
      times: optional(whole('How often at most', 1, 1_000_000)),
      always: optional(flag('Without end; without this, times, share and until a fault hits once')),
      share: optional(share('Share of the requests that is hit')),
      seed: optional(whole('The same seed does the same again', 0, 2 ** 31)),
      from: optional(moment('From this time of the sandbox clock on')),
      until: optional(moment('Until this time of the sandbox clock')),
    },
    faultView,
  ),
  'clear-faults': remove('/faults', 'Remove all faults', {}, faultList),
  'remove-fault': remove('/faults/:id', 'Remove a fault', {}, faultList),
  events: get(
    '/events',
    'Stream notifications as server-sent events; Last-Event-ID asks for what was missed',
    {},
    null,
  ),
  requests: get('/requests', 'List the last requests, the newest last', wantedRequests, requestList),
  'request-events': get(
    '/requests/events',
    'Stream requests as server-sent events; Last-Event-ID asks for those after it',
    wantedRequests,
    null,
  ),
  request: get(
    '/requests/:traceId',
    'Show a request and its answer in full, as curl and as a command',
    {},
    requestStory,
  ),
  clock: get('/clock', 'Show the sandbox clock', {}, answers.clockReading),
  'set-clock': post(
    '/clock',
    'Freeze, resume, set or advance the sandbox clock',
    clock,
    answers.clockReading,
  ),
  'allow-list': get('/allow-list', 'Show the IP allow-list', {}, answers.anything),
  'set-allow-list': put(
    '/allow-list',
    'Replace the IP allow-list; an empty one lets every address in',
    {
      addresses: listOf(v.pipe(v.string('must be a string'), v.ip('must be an IP address')), 100),
    },
    answers.anything,
  ),
  'regenerate-key': post(
    '/keys/regenerate',
    'Make a new API key; the old one stays valid for a while',
    { graceMs: optional(whole('How long the old key stays valid', 0, 366 * 86_400_000)) },
    answers.anything,
  ),
  reset: post(
    '/reset',
    'Forget what happened: transactions, batches, lines, queued outcomes, webhooks',
    {},
    answers.anything,
  ),
} as const satisfies Record<string, Control>

/** Name of a control operation. */
export type ControlName = keyof typeof controls

/** Control operations that answer with a stream of server-sent events. */
export type StreamName = {
  [N in ControlName]: (typeof controls)[N]['answer'] extends null ? N : never
}[ControlName]

/** Name of a control operation that is answered with an envelope. */
export type AnsweredControl = Exclude<ControlName, StreamName>

/** What a control operation answers. */
export type ControlAnswer<N extends AnsweredControl> = N extends 'connection'
  ? answers.Connection
  : v.InferOutput<(typeof controls)[N]['answer']>

/** Validated request of a control operation. */
export type ControlInput<N extends ControlName> = v.InferOutput<(typeof controls)[N]['input']>
