import * as v from 'valibot'
import { flag, name, oneOf, optional, queryFlag } from '../../member-kinds.ts'
import { operationNames } from '../../operations.ts'
import { sessionStates } from '../../statuses.ts'
import { type Control, get, ofPayment, post } from '../control.ts'
import * as answers from '../control-answers.ts'
import { coverageReport } from '../coverage-answers.ts'
import { requestList, requestStory } from '../request-log-answers.ts'
import { keepMember, snapshotControls } from '../snapshot-answers.ts'
import {
  limitFrom,
  limitMember,
  onlineTotals,
  transactionList,
  wantedTransactions,
} from '../transaction-list.ts'
import { applicationControls, spaceControls, tokenControls } from './application-controls.ts'
import { clockControls } from './clock-controls.ts'
import { faultControls } from './fault-controls.ts'
import { terminalControls } from './terminal-controls.ts'
import { webhookControls } from './webhook-controls.ts'

const wantedRequests = {
  status: optional(v.picklist(['accepted', 'refused'], 'must be accepted or refused')),
  operation: optional(oneOf('Of this operation', operationNames)),
  transactionId: optional(name('About this transaction')),
  order: optional(name('That name this order, by referenceOrderId; refused ones, too')),
  limit: limitFrom(0, 99_999), // 0: none of the past, before a stream
}

/** The control interface, below `/_sandbox`. Paths with `:sn` name a terminal, with `:id` a transaction. */
export const controls = {
  health: get('/health', 'Tell that the sandbox is up', answers.health),
  connection: get(
    '/connection',
    'Tell a client on this machine how to connect, the API key included',
    answers.connection,
    { merchantId: optional(name('Merchant to act as; left out, the first one')) },
  ),
  state: get('/state', 'Count what is stored', answers.stateSummary),
  outcomes: get('/outcomes', 'List the outcomes', answers.outcomeList),
  cards: get('/cards', 'List the test cards', answers.cardList),
  ...terminalControls,
  transactions: get(
    '/transactions',
    'List the transactions, the newest first',
    transactionList,
    wantedTransactions,
  ),
  'online-totals': get(
    '/online-totals',
    'Count and sum up the online payments, which no batch has',
    onlineTotals,
    { merchant: wantedTransactions.merchant },
  ),
  transaction: get(
    '/transactions/:id',
    'Show a transaction with everything that happened to it',
    answers.storySchema,
    { attempts: queryFlag('With every attempt to deliver its notifications') },
  ),
  sessions: get(
    '/sessions',
    'List the sessions of the hosted payment page, the newest first',
    answers.sessionList,
    {
      state: optional(oneOf('In this state', sessionStates)),
      merchant: optional(name('Of this merchant; left out, of all')),
      limit: limitMember,
    },
  ),
  session: get('/sessions/:id', 'Show a session of the hosted payment page', answers.sessionViewSchema),
  'pay-session': ofPayment(
    post(
      '/sessions/:id/pay',
      'Pay a session as its shopper would, with a test card',
      answers.sessionViewSchema,
      { card: name('Test card by name') },
    ),
  ),
  'cancel-session': ofPayment(
    post('/sessions/:id/cancel', 'Give a session up as its shopper would', answers.sessionViewSchema),
  ),
  ...webhookControls,
  ...faultControls,
  events: get(
    '/events',
    'Stream notifications as server-sent events; Last-Event-ID asks for what was missed',
    null,
  ),
  requests: get('/requests', 'List the last requests, the newest last', requestList, wantedRequests),
  'request-events': get(
    '/requests/events',
    'Stream requests as server-sent events; Last-Event-ID asks for those after it',
    null,
    wantedRequests,
  ),
  request: get(
    '/requests/:traceId',
    'Show a request and its answer in full, as curl and as a command',
    requestStory,
  ),
  coverage: get(
    '/coverage',
    'Tell which situations the requests met, and whether they were dealt with',
    coverageReport,
  ),
  openapi: get(
    '/openapi.json',
    'Send the OpenAPI document of the service, the control interface and the webhooks',
    null,
  ),
  ...clockControls,
  ...applicationControls,
  ...snapshotControls,
  ...spaceControls,
  ...tokenControls,
  reset: post(
    '/reset',
    'Forget what happened: transactions, batches, payments in line, queued outcomes, webhooks',
    answers.resetAnswer,
    {
      everything: optional(
        flag(
          'Everything: also the clock, faults, added terminals and merchants, settings, keys, secrets, allow-lists and the log',
        ),
      ),
      keep: keepMember,
    },
  ),
  stop: post('/stop', 'Stop the server with all its spaces, as a signal does', answers.stopAnswer),
} as const satisfies Record<string, Control>

/** Name of a control operation. */
export type ControlName = keyof typeof controls

/** Control operations that answer with a stream: server-sent events, or a file. */
export type StreamName = {
  [N in ControlName]: (typeof controls)[N]['answer'] extends null ? N : never
}[ControlName]

/** Name of a control operation that is answered with an envelope. */
export type AnsweredControl = Exclude<ControlName, StreamName>

/** Answer of a control operation. */
export type ControlAnswer<N extends AnsweredControl> = N extends 'connection'
  ? answers.Connection
  : v.InferOutput<(typeof controls)[N]['answer']>

/** Validated request of a control operation. */
export type ControlInput<N extends ControlName> = v.InferOutput<(typeof controls)[N]['input']>

/** Path of a control operation with the values of its parameters; what UTF-8 cannot encode becomes U+FFFD. */
export const controlPath = (name: ControlName, values: Readonly<Record<string, string>>): string =>
  controls[name].path.replace(/:(\w+)/g, (_, key: string) =>
    encodeURIComponent((values[key] ?? '').toWellFormed()),
  )

const rows = Object.entries(controls).map(([name, { method, path }]) => ({
  name: name as ControlName,
  method: method as Control['method'],
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
}))

/** Control operations of a path, such as `/_sandbox/faults/1`, with their methods. */
export const controlsAt = (path: string): readonly (typeof rows)[number][] =>
  rows.filter(({ pattern }) => pattern.test(path))
