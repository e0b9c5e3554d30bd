import * as v from 'valibot'
import {
  exists,
  flag,
  listOf,
  minorUnits,
  moment,
  name,
  oneOf,
  optional,
  text,
  whole,
} from '../member-kinds.ts'
import { operationNames } from '../operations.ts'
import * as answers from './answers.ts'
import { addressRange } from './applications/addresses.ts'
import * as applications from './applications/application-answers.ts'
import { checkpointControls } from './checkpoints.ts'
import { type Control, get, post, put, remove } from './control.ts'
import { faultList, faultView } from './fault-list.ts'
import { readFault } from './faults.ts'
import { requestList, requestStory } from './request-log.ts'
import { sessionStates } from './session-states.ts'
import { serialNumber, terminalControls } from './terminal-controls.ts'
import { limitMember, transactionList, wantedTransactions } from './transactions/transaction-list.ts'
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

/** Longest overlap of two keys or secrets, in milliseconds. */
const longestGrace = 366 * 86_400_000

/** Whose keys, addresses or secret are meant. Left out: of the application of the API key, or else of the first one. */
const ofApplication = {
  appId: optional(name('Application; left out, that of the merchant, of the API key, or the first one')),
  merchantId: optional(name('The application of this merchant')),
}

/** Id of a new merchant: what a request can name. */
const newMerchantId = v.pipe(
  v.string('must be a string'),
  v.regex(/^[\x21-\x7e]{1,32}$/, 'must be 1 to 32 printable characters without spaces'),
  v.description('Id of the merchant'),
)

/** What belongs to an application: its keys, who may call, its webhook secret, its merchants. */
export const applicationControls = {
  keys: get(
    '/keys',
    'List API keys, their middle hidden, with their times',
    {
      appId: optional(name('Only those of this application')),
      merchantId: optional(name('Only those of the application of this merchant')),
    },
    applications.keyList,
  ),
  'regenerate-key': post(
    '/keys/regenerate',
    'Make a new API key; the old one stays valid for a while',
    { ...ofApplication, graceMs: optional(whole('How long the old key stays valid', 0, longestGrace)) },
    applications.newKey,
  ),
  'allow-list': get('/allow-list', 'Show the IP allow-list', ofApplication, applications.allowList),
  'set-allow-list': put(
    '/allow-list',
    'Replace the IP allow-list; an empty one lets every address in',
    { ...ofApplication, addresses: listOf(addressRange, 100) },
    applications.allowList,
  ),
  'webhook-secret': get(
    '/webhook-secret',
    'Tell the secret that webhooks are signed with',
    ofApplication,
    webhooks.webhookSecret,
  ),
  'rotate-webhook-secret': post(
    '/webhook-secret/rotate',
    'Make a new webhook secret; the old one stays valid for a while',
    { ...ofApplication, graceMs: optional(whole('How long the old secret stays valid', 0, longestGrace)) },
    webhooks.webhookSecret,
  ),
  merchants: get('/merchants', 'List the merchants', {}, applications.merchantList),
  'add-merchant': post(
    '/merchants',
    'Add a merchant with terminals, and with an application of its own unless one is named',
    {
      merchantId: newMerchantId,
      name: optional(text('Name that customers know; left out, its id', 64)),
      appId: optional(name('Application that it joins; left out, a new one')),
      terminals: optional(listOf(serialNumber, 100, 'Serial numbers of its terminals')),
    },
    applications.addedMerchant,
  ),
} as const satisfies Record<string, Control>

/** What listeners say of themselves, and of attempts. */
const listener = name('Id of the listener, the same as long as it runs')
const url = name('Endpoint of the listener, a URL')
const count = (help: string, least = 0) => whole(help, least, 1_000_000_000)
const headers = v.record(v.string('must be a string'), v.string('must be a string'))

/** What `wait-for-webhooks` is asked: which deliveries are looked at, and how long it may wait. */
const waitMembers = {
  ids: optional(listOf(name('Notification by id'), 10_000)),
  transactionIds: optional(listOf(name('Of one of these transactions'), 10_000)),
  event: optional(name('payment, terminal, or a terminal event by name')),
  status: optional(name('Status of the transaction at that time')),
  type: optional(name('Type of the transaction')),
  settled: optional(flag('Wait until nothing that fits is pending')),
  count: optional(whole('Wait until so many were acknowledged', 1, 1_000_000)),
  timeoutMs: whole('How long to wait at most', 0, 600_000),
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
  transactions: get(
    '/transactions',
    'List the transactions, the newest first',
    wantedTransactions,
    transactionList,
  ),
  transaction: get(
    '/transactions/:id',
    'Show a transaction with everything that happened to it',
    {
      attempts: optional(v.picklist(['true', 'false'], 'must be true or false')),
    },
    answers.story,
  ),
  sessions: get(
    '/sessions',
    'List the sessions of the hosted payment page, the newest first',
    {
      state: optional(
        v.pipe(
          v.picklist(sessionStates, `must be one of ${sessionStates.join(', ')}`),
          v.description('In this state'),
        ),
      ),
      merchant: optional(name('Of this merchant; left out, of all')),
      limit: limitMember,
    },
    answers.sessionList,
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
      until: optional(moment('Before this time')),
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
      until: optional(moment('Those before this time')),
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
  'wait-for-webhooks': post(
    '/webhooks/wait',
    'Wait until deliveries are acknowledged, or settled: delivered or given up',
    waitMembers,
    webhooks.webhookWait,
  ),
  'webhook-schedule': get(
    '/webhook-schedule',
    'Show when failed deliveries are retried',
    {},
    webhooks.webhookSchedule,
  ),
  'set-webhook-schedule': put(
    '/webhook-schedule',
    'Set in which order deliveries go to one URL; it is kept over a restart',
    {
      order: oneOf('relaxed, strict or concurrent', webhooks.webhookOrders),
      concurrency: optional(
        whole('Attempts to one URL at once, for concurrent', 1, webhooks.mostConcurrency),
      ),
    },
    webhooks.webhookSchedule,
  ),
  'take-webhook': post(
    '/listeners/take',
    'Tell a listener which notification its endpoint gets next, signed anew and with the injected faults',
    {
      url,
      waiting: listOf(
        v.object({ id: name('Notification by id'), number: count('Its number at this listener', 1) }),
        webhooks.mostWaiting,
        'Notifications that wait, in order; a retry alone',
      ),
      attempts: count('Attempts that were made of the first'),
      passed: optional(count('How many overtook the first')),
    },
    webhooks.takenWebhook,
  ),
  'report-attempt': post(
    '/listeners/attempts',
    'Report an attempt that a listener made',
    {
      url,
      id: name('Notification by id'),
      attempt: count('Number of the attempt', 1),
      at: moment('Time of the attempt'),
      requestHeaders: headers,
      requestBody: v.string('must be a string'),
      status: optional(whole('HTTP status of the answer', 100, 999)),
      responseHeaders: headers,
      responseBody: v.pipe(
        v.string('must be a string'),
        v.maxLength(8192, 'must have at most 8192 characters'),
      ),
      durationMs: v.pipe(v.number('must be a number'), v.minValue(0, 'must be at least 0')),
      error: optional(text('Why there was no answer', 2048)),
      fault: optional(text('Injected faults by name', 200)),
      nextAt: optional(moment('Time of the next attempt; left out: there is none')),
    },
    answers.anything,
  ),
  'report-position': post(
    '/listeners/position',
    'Report how far a listener came',
    { listener, id: name('Id of the last notification that it dealt with') },
    answers.anything,
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
      reorder: optional(whole('Send any of the first so many in the queue next; 1 keeps the order', 1, 1000)),
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
      always: optional(flag('Never ends; without this, times, share and until a fault hits once')),
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
  ...applicationControls,
  ...checkpointControls,
  reset: post(
    '/reset',
    'Forget what happened: transactions, batches, lines, queued outcomes, webhooks',
    {
      everything: optional(
        flag(
          'As new: also the clock, faults, added terminals and merchants, settings, keys, secrets, allow-lists and the log',
        ),
      ),
    },
    answers.anything,
  ),
} as const satisfies Record<string, Control>

/** Name of a control operation. */
export type ControlName = keyof typeof controls

/** Control operations that answer with a stream: server-sent events, or a file. */
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
