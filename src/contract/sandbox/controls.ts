import * as v from 'valibot'
import { exists, flag, moment, name, optional, whole } from '../member-kinds.ts'
import { operationNames } from '../operations.ts'
import * as answers from './answers.ts'
import type { Control } from './control.ts'
import { requestList, requestStory } from './request-log.ts'
import { terminalControls } from './terminal-controls.ts'
import * as webhooks from './webhooks.ts'

const none = v.object({})
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

const clock = v.object({
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
})

const wantedRequests = v.object({
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
})

/** The control interface. Paths with `:sn` name a terminal, with `:id` a transaction. */
export const controls = {
  health: {
    method: 'GET',
    path: '/_sandbox/health',
    summary: 'Tell that the sandbox is up',
    input: none,
    answer: answers.health,
  },
  connection: {
    method: 'GET',
    path: '/_sandbox/connection',
    summary: 'Tell a client on this machine how to connect, the API key included',
    input: none,
    answer: answers.connection,
  },
  state: {
    method: 'GET',
    path: '/_sandbox/state',
    summary: 'Count what is stored',
    input: none,
    answer: answers.stateSummary,
  },
  outcomes: {
    method: 'GET',
    path: '/_sandbox/outcomes',
    summary: 'List the outcomes',
    input: none,
    answer: answers.anything,
  },
  ...terminalControls,
  transaction: {
    method: 'GET',
    path: '/_sandbox/transactions/:id',
    summary: 'Show a transaction with everything that happened to it',
    input: v.object({
      attempts: optional(v.picklist(['true', 'false'], 'must be true or false')),
    }),
    answer: answers.story,
  },
  session: {
    method: 'GET',
    path: '/_sandbox/sessions/:id',
    summary: 'Show a session of the hosted payment page',
    input: none,
    answer: answers.sessionView,
  },
  'pay-session': {
    method: 'POST',
    path: '/_sandbox/sessions/:id/pay',
    summary: 'Pay a session as its shopper would, with a test card',
    input: v.object({ card: name('Test card by name') }),
    answer: answers.sessionView,
  },
  'cancel-session': {
    method: 'POST',
    path: '/_sandbox/sessions/:id/cancel',
    summary: 'Give a session up as its shopper would',
    input: none,
    answer: answers.sessionView,
  },
  webhooks: {
    method: 'GET',
    path: '/_sandbox/webhooks',
    summary: 'List webhook deliveries, the newest last',
    input: v.object({
      state: optional(v.picklist(['pending', 'delivered', 'failed'], 'must be pending, delivered or failed')),
      transactionId: optional(name('Of this transaction')),
      since: optional(moment('Of this time or later')),
      limit: optional(
        v.pipe(v.string(), v.regex(/^\d{1,5}$/, 'must be a whole number'), v.description('At most so many')),
      ),
    }),
    answer: webhooks.deliveryList,
  },
  webhook: {
    method: 'GET',
    path: '/_sandbox/webhooks/:id',
    summary: 'Show a notification with every attempt to deliver it',
    input: none,
    answer: webhooks.webhookStory,
  },
  'resend-webhooks': {
    method: 'POST',
    path: '/_sandbox/webhooks/resend',
    summary: 'Send notifications again, with the same id; to another URL when one is named',
    input: v.object({
      ids: optional(
        v.pipe(v.array(name('Notification by id')), v.maxLength(10_000, 'must have at most 10000 entries')),
      ),
      failed: optional(flag('Those that were given up')),
      since: optional(moment('Those of this time or later')),
      all: optional(flag('All of them')),
      to: optional(name('URL to send them to')),
    }),
    answer: webhooks.resent,
  },
  'send-webhook': {
    method: 'POST',
    path: '/_sandbox/webhooks/send',
    summary: 'Send an edited notification once, marked as a test',
    input: v.object({
      transactionId: name('Transaction it tells of'),
      type: optional(v.picklist(['payment', 'terminal'], 'must be payment or terminal')),
      set: optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean(), v.null()]))),
      to: optional(name('URL to send it to')),
    }),
    answer: webhooks.attemptView,
  },
  'webhook-secret': {
    method: 'GET',
    path: '/_sandbox/webhook-secret',
    summary: 'Tell the secret that webhooks are signed with',
    input: none,
    answer: webhooks.webhookSecret,
  },
  'rotate-webhook-secret': {
    method: 'POST',
    path: '/_sandbox/webhook-secret/rotate',
    summary: 'Make a new webhook secret; the old one stays valid for a while',
    input: v.object({ graceMs: optional(whole('How long the old one stays valid', 0, 366 * 86_400_000)) }),
    answer: webhooks.webhookSecret,
  },
  'webhook-faults': {
    method: 'GET',
    path: '/_sandbox/webhook-faults',
    summary: 'Show what is done wrong with webhooks on purpose',
    input: none,
    answer: webhooks.webhookFaults,
  },
  'set-webhook-faults': {
    method: 'PUT',
    path: '/_sandbox/webhook-faults',
    summary: 'Do things wrong with webhooks on purpose; members left out are off',
    input: v.object({
      duplicate: optional(share('Share that is sent twice')),
      drop: optional(share('Share that is never sent')),
      badSignature: optional(share('Share that is signed with another secret')),
      stale: optional(share('Share with a timestamp of an hour ago')),
      delayMs: optional(
        v.pipe(
          v.tuple([whole('Delay from', 0, 366 * 86_400_000), whole('Delay to', 0, 366 * 86_400_000)]),
          v.check(([from, to]) => from <= to, 'must have the shorter delay first'),
        ),
      ),
      reorder: optional(whole('One of the first so many that wait comes next', 1, 1000)),
      seed: optional(whole('The same seed does the same again', 0, 2 ** 31)),
    }),
    answer: webhooks.webhookFaults,
  },
  events: {
    method: 'GET',
    path: '/_sandbox/events',
    summary: 'Stream notifications as server-sent events; Last-Event-ID asks for what was missed',
    input: none,
    answer: null,
  },
  requests: {
    method: 'GET',
    path: '/_sandbox/requests',
    summary: 'List the last requests, the newest last',
    input: wantedRequests,
    answer: requestList,
  },
  'request-events': {
    method: 'GET',
    path: '/_sandbox/requests/events',
    summary: 'Stream requests as server-sent events; Last-Event-ID asks for those after it',
    input: wantedRequests,
    answer: null,
  },
  request: {
    method: 'GET',
    path: '/_sandbox/requests/:traceId',
    summary: 'Show a request and its answer in full, as curl and as a command',
    input: none,
    answer: requestStory,
  },
  clock: {
    method: 'GET',
    path: '/_sandbox/clock',
    summary: 'Show the sandbox clock',
    input: none,
    answer: answers.clockReading,
  },
  'set-clock': {
    method: 'POST',
    path: '/_sandbox/clock',
    summary: 'Freeze, resume, set or advance the sandbox clock',
    input: clock,
    answer: answers.clockReading,
  },
  'allow-list': {
    method: 'GET',
    path: '/_sandbox/allow-list',
    summary: 'Show the IP allow-list',
    input: none,
    answer: answers.anything,
  },
  'set-allow-list': {
    method: 'PUT',
    path: '/_sandbox/allow-list',
    summary: 'Replace the IP allow-list; an empty one lets every address in',
    input: v.object({
      addresses: v.pipe(
        v.array(v.pipe(v.string('must be a string'), v.ip('must be an IP address')), 'must be a list'),
        v.maxLength(100, 'must have at most 100 entries'),
      ),
    }),
    answer: answers.anything,
  },
  'regenerate-key': {
    method: 'POST',
    path: '/_sandbox/keys/regenerate',
    summary: 'Make a new API key; the old one stays valid for a while',
    input: v.object({ graceMs: optional(whole('How long the old key stays valid', 0, 366 * 86_400_000)) }),
    answer: answers.anything,
  },
  reset: {
    method: 'POST',
    path: '/_sandbox/reset',
    summary: 'Forget what happened: transactions, batches, lines, queued outcomes, webhooks',
    input: none,
    answer: answers.anything,
  },
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
