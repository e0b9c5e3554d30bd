import * as v from 'valibot'
import { flag, name, oneOf, optional, queryFlag } from '../../member-kinds.ts'
import { operationNames } from '../../operations.ts'
import { sessionStates } from '../../statuses.ts'
import { type Control, get, post } from '../control.ts'
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
import { whyAnswer } from '../why-answers.ts'
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
  health: get('/health', { summary: 'Check that the sandbox is up', answer: answers.health }),
  connection: get('/connection', {
    summary: 'Show a client on this machine how to connect, with the API key',
    answer: answers.connection,
    input: { merchantId: optional(name('Merchant to act as; left out, the first one')) },
  }),
  state: get('/state', { summary: 'Count what is stored', answer: answers.stateSummary }),
  outcomes: get('/outcomes', {
    summary: 'List the outcomes',
    command: 'outcomes',
    answer: answers.outcomeList,
  }),
  cards: get('/cards', { summary: 'List the test cards', command: 'cards', answer: answers.cardList }),
  ...terminalControls,
  transactions: get('/transactions', {
    summary: 'List transactions, newest first',
    command: 'list',
    answer: transactionList,
    input: wantedTransactions,
  }),
  'online-totals': get('/online-totals', {
    summary: 'Show the totals of online payments, which are in no batch',
    answer: onlineTotals,
    input: { merchant: wantedTransactions.merchant },
  }),
  transaction: get('/transactions/:id', {
    summary: 'Show a transaction with everything that happened to it',
    answer: answers.storySchema,
    input: { attempts: queryFlag('With every attempt to deliver its notifications') },
  }),
  sessions: get('/sessions', {
    summary: 'List checkout sessions, newest first',
    command: 'checkout list',
    answer: answers.sessionList,
    input: {
      state: optional(oneOf('In this state', sessionStates)),
      merchant: optional(name('Of this merchant; left out, of all')),
      limit: limitMember,
    },
  }),
  session: get('/sessions/:id', {
    summary: 'Show a checkout session: status, amount, page, expiry',
    command: 'checkout show',
    step: 'session',
    answer: answers.sessionViewSchema,
  }),
  'pay-session': post('/sessions/:id/pay', {
    summary: 'Pay a session with a test card, without a browser',
    command: 'checkout pay',
    step: 'session',
    tool: {
      name: 'pay_checkout',
      shows: ['sessionId', 'state', 'transactionId', 'amount', 'currency', 'tries', 'declined'],
    },
    answer: answers.sessionViewSchema,
    input: { card: name('Test card by name') },
  }),
  'cancel-session': post('/sessions/:id/cancel', {
    summary: 'Cancel a session as its shopper, without a browser',
    command: 'checkout cancel',
    step: 'session',
    answer: answers.sessionViewSchema,
  }),
  ...webhookControls,
  ...faultControls,
  events: get('/events', {
    summary: 'Stream notifications as server-sent events; Last-Event-ID asks for what was missed',
    answer: null,
  }),
  requests: get('/requests', {
    summary: 'List the last requests, newest last',
    tool: {
      name: 'list_requests',
      note: 'Refused ones say why (notes).',
      shows: [
        {
          requests: [
            'traceId',
            'operation',
            'method',
            'path',
            'status',
            'code',
            'transactionId',
            'fault',
            'notes',
          ],
        },
      ],
    },
    answer: requestList,
    input: wantedRequests,
  }),
  'request-events': get('/requests/events', {
    summary: 'Stream requests as server-sent events; Last-Event-ID asks for those after it',
    answer: null,
    input: wantedRequests,
  }),
  request: get('/requests/:traceId', {
    summary: 'Show a request and its answer, as curl and as a command',
    command: 'logs show',
    tool: {
      name: 'get_request',
      note: 'With why it was refused, and the remedy.',
      shows: [
        'operation',
        'status',
        'code',
        'fault',
        'command',
        'url',
        {
          request: ['headers', 'body'],
          answer: ['headers', 'body'],
          refusal: ['message', 'field', 'detail', 'remedy'],
        },
      ],
    },
    answer: requestStory,
  }),
  'request-why': get('/requests/:traceId/why', {
    summary: 'Show which rules decided the answer to a request',
    answer: whyAnswer,
  }),
  why: get('/why', {
    summary: 'Show which rules decided an answer, with their sources',
    command: 'why',
    tool: {
      name: 'explain',
      shows: [
        'summary',
        'remedy',
        { steps: ['what', 'result', 'detail'], claims: ['name', 'kind', 'says', 'setting'] },
      ],
    },
    answer: whyAnswer,
    input: { about: name('Trace id, transaction, error code, operation, member or claim') },
  }),
  coverage: get('/coverage', {
    summary: 'Show which situations the requests met, and whether they were dealt with',
    answer: coverageReport,
  }),
  openapi: get('/openapi.json', {
    summary: 'Send the OpenAPI document of the service, the control interface and the webhooks',
    answer: null,
  }),
  ...clockControls,
  ...applicationControls,
  ...snapshotControls,
  ...spaceControls,
  ...tokenControls,
  reset: post('/reset', {
    summary: 'Delete what happened: transactions, batches, waiting payments, queued outcomes, webhooks',
    answer: answers.resetAnswer,
    input: {
      everything: optional(
        flag(
          'Everything: also the clock, faults, added terminals and merchants, settings, keys, secrets, allow-lists and the log',
        ),
      ),
      keep: keepMember,
    },
  }),
  stop: post('/stop', {
    summary: 'Stop the server with all its spaces, as a signal does',
    answer: answers.stopAnswer,
  }),
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
