import * as v from 'valibot'
import { limits } from '../../headers.ts'
import {
  flag,
  freeText,
  isoTime,
  listOf,
  maxCharacters,
  milliseconds,
  name,
  oneOf,
  optional,
  statuses,
  text,
  transactionType,
  whole,
} from '../../member-kinds.ts'
import { type Control, controlLimits, get, post, put } from '../control.ts'
import * as answers from '../control-answers.ts'
import { limitFrom } from '../transaction-list.ts'
import {
  longestAnswer,
  mostConcurrency,
  mostReleased,
  webhookOrders,
  webhookSchedule,
} from '../webhook-delivery.ts'
import * as webhooks from '../webhooks.ts'

const headers = v.record(v.string('must be a string'), v.string('must be a string'))
const names = (help: string) => listOf(name(help), controlLimits.ids)

/** Operations on deliveries, and on the listeners that make some of them. */
export const webhookControls = {
  webhooks: get('/webhooks', {
    summary: 'List webhook deliveries, newest last',
    command: 'webhook list',
    tool: {
      name: 'list_webhooks',
      takes: ['state', 'transactionId', 'order', 'limit'],
      shows: [{ deliveries: ['id', 'event', 'transactionId', 'url', 'state', 'attempts', 'last', 'nextAt'] }],
    },
    answer: webhooks.deliveryList,
    input: {
      /** `failing`: failed, or pending after an attempt that failed. */
      state: optional(
        v.picklist(
          [...webhooks.deliveryStates, 'failing'],
          'must be pending, delivered, failed, or failing: failed at least at the last attempt',
        ),
      ),
      transactionId: optional(name('Of this transaction')),
      order: optional(name('Of this order, by referenceOrderId')),
      merchant: optional(name('Of this merchant; left out, of all')),
      since: optional(isoTime('Of this time or later')),
      until: optional(isoTime('Before this time')),
      limit: limitFrom(1, 99_999),
    },
  }),
  webhook: get('/webhooks/:id', {
    summary: 'Show a notification with its attempts in full',
    command: 'webhook show',
    tool: {
      name: 'get_webhook',
      note: 'The signed request, and the answer of your server.',
      shows: [
        {
          deliveries: [
            'transactionId',
            'url',
            'state',
            { tries: ['at', 'requestHeaders', 'requestBody', 'status', 'responseBody', 'error', 'fault'] },
          ],
        },
      ],
    },
    answer: webhooks.webhookStory,
  }),
  'resend-webhooks': post('/webhooks/resend', {
    summary: 'Resend webhooks with the same id and a new signature',
    command: 'webhook resend',
    step: null,
    tool: { name: 'resend_webhook', takes: ['ids', 'to'], needs: ['ids'] },
    answer: webhooks.resent,
    input: {
      ids: optional(names('Notification by id')),
      failed: optional(flag('Those that were given up')),
      since: optional(isoTime('Those of this time or later')),
      until: optional(isoTime('Those before this time')),
      all: optional(flag('All of them')),
      to: optional(text('URL to send them to', limits.url)),
      listener: optional(name('Machine whose tillbox listen posts to that URL; left out, the sandbox does')),
    },
  }),
  'send-webhook': post('/webhooks/send', {
    summary: 'Send one edited test notification of a transaction',
    command: 'webhook send',
    answer: webhooks.attemptViewSchema,
    input: {
      transactionId: name('Transaction it tells of'),
      type: optional(v.picklist(['payment', 'terminal'], 'must be payment or terminal')),
      set: optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean(), v.null()]))),
      to: optional(text('URL to send it to', limits.url)),
    },
  }),
  'send-webhook-body': post('/webhooks/:id/send', {
    summary: 'Send a notification once with another body, byte for byte, with or without a new signature',
    command: 'webhook resend',
    answer: webhooks.attemptViewSchema,
    input: {
      body: freeText('What is sent, as it is', limits.body),
      headers: optional(headers),
      sign: optional(flag('false sends the headers as they are; left out, time and signature are new')),
      to: optional(text('URL to send it to; left out, its own', limits.url)),
    },
  }),
  'wait-for-webhooks': post('/webhooks/wait', {
    summary: 'Wait until deliveries are acknowledged, or none is pending',
    changes: 'nothing',
    command: 'webhook wait',
    answer: webhooks.webhookWait,
    input: {
      ids: optional(names('Notification by id')),
      transactionIds: optional(names('Of one of these transactions')),
      event: optional(name('payment, terminal, or a terminal event by name')),
      status: optional(
        statuses('Status of the transaction at that time, or several with commas between them'),
      ),
      type: optional(transactionType('Type of the transaction')),
      merchant: optional(name('Of this merchant; left out, of all')),
      delivered: optional(flag('Wait until every matching delivery is delivered, given up or held')),
      count: optional(whole('Wait until this many are acknowledged', 1, controlLimits.waitCount)),
      timeoutMs: milliseconds('How long to wait at most', 0, controlLimits.webhookWait),
    },
  }),
  'webhook-schedule': get('/webhook-schedule', {
    summary: 'Show when failed deliveries are retried',
    command: 'webhook order',
    answer: webhookSchedule,
  }),
  'set-webhook-schedule': put('/webhook-schedule', {
    summary: 'Set in which order deliveries go to one URL; it survives a restart',
    answer: webhookSchedule,
    input: {
      order: oneOf('relaxed, strict or concurrent', webhookOrders),
      concurrency: optional(
        whole('Attempts to one URL at the same time, for concurrent', 1, mostConcurrency),
      ),
    },
  }),
  'webhook-hold': get('/webhook-hold', {
    summary: 'Show whether deliveries are held back',
    answer: webhooks.webhookHold,
  }),
  'hold-webhooks': put('/webhook-hold', {
    summary: 'Hold back every webhook delivery, or end that',
    command: 'webhook hold',
    steps: {
      'webhook hold': { summary: 'Hold webhooks back until they are released', says: { hold: true } },
    },
    answer: webhooks.webhookHold,
    input: { hold: flag('true holds deliveries back, after a restart, too; false sends them as usual') },
  }),
  'release-webhooks': post('/webhooks/release', {
    summary: 'Send held webhooks in the order given, or end the hold',
    command: 'webhook release',
    answer: webhooks.webhookRelease,
    input: { ids: optional(listOf(name('Notification by id; left out, the hold ends'), mostReleased)) },
  }),
  listen: post('/listeners', {
    summary: 'Stream every notification; with `url`, the deliveries that the listener posts there',
    changes: 'nothing',
    answer: null,
    input: {
      listener: name('Name of the machine; its position is kept under it'),
      url: optional(text('URL that it posts to; left out, it only reads', limits.url)),
      retries: optional(
        listOf(
          milliseconds('Pause before a retry', 0, controlLimits.retryPause),
          controlLimits.retries,
          'Pauses between attempts; left out, those of the sandbox',
        ),
      ),
      addedHeaders: optional(names('Header that it adds to each request')),
      fromNow: optional(flag('Skip what was missed')),
      events: optional(names('payment, terminal, or a terminal event by name')),
      status: optional(
        statuses('Status of the transaction at that time, or several with commas between them'),
      ),
      types: optional(names('Type of the transaction')),
      terminal: optional(name('Of this terminal')),
      merchant: optional(name('Of this merchant; left out, of all')),
    },
  }),
  'report-attempt': post('/listeners/attempts', {
    summary: 'Report an attempt that a listener made',
    changes: 'nothing',
    answer: answers.anything,
    input: {
      handed: name('Attempt, as it was handed over'),
      status: optional(whole('HTTP status of the answer', 100, 999)),
      responseHeaders: headers,
      responseBody: v.pipe(v.string('must be a string'), maxCharacters(longestAnswer)),
      durationMs: v.pipe(v.number('must be a number'), v.minValue(0, 'must be at least 0')),
      error: optional(text('Why there was no answer', 2048)),
      unreachable: optional(flag('No connection could be opened')),
    },
  }),
} as const satisfies Record<string, Control>
