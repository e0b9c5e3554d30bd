import { disturbed, type SituationGroup } from './situation.ts'

const hold = { action: 'webhook hold', value: null }
const release = { action: 'webhook release', value: null }

/** A look-up in that moment is answered after the webhooks were handled. */
const slowLookUps = { action: 'fault', value: { kind: 'latency=300', operation: 'query', times: 3 } }

/**
 * The answer, the notification, what the customer does next and the end of the payment, in the orders that
 * are rare on a fast network. A late approval (unpaid) is the end after all of them.
 */
export const orderSituations = {
  title: 'Order of events',
  laws: ['charged-once', 'approved-known', 'refunds-agree', 'ends-known'],
  situations: {
    'webhook-before-answer': {
      title: 'Your endpoint handles the notification before the answer to the request arrives',
      advice: 'Keep the result from the notification, and do not overwrite it with the older answer.',
      how: 'tillbox sandbox fault after-webhook --operation sale && tillbox sale --amount 10.00',
      seen: { held: 'after-webhook' },
      moves: disturbed('direct', 'after-webhook'),
    },
    'end-before-answer': {
      title: 'The payment ends before the answer arrives; the answer still shows it as pending',
      advice: 'Query again, or wait for the notification: the answer is out of date.',
      how: 'tillbox sandbox fault after-end --operation sale && tillbox sale --amount 10.00',
      seen: { held: 'after-end' },
      moves: disturbed('direct', 'after-end'),
    },
    'look-up-overtaken': {
      title: 'The answer to a query arrives after a newer notification',
      advice: 'Keep the state from the notification.',
      moves: disturbed('look-up', 'after-webhook').flatMap((row) => [
        row,
        { ...row, previous: { before: [hold] }, instead: { together: 'webhooks' } },
      ]),
    },
    'webhook-after-next-step': {
      title: 'The notification arrives only after the customer’s next request',
      advice: 'Query the result when you need it, and still accept the notification later.',
      moves: [{ at: 'webhook', before: [hold], next: { after: [release] } }],
    },
    'webhook-with-next-step': {
      title: 'The notification and the customer’s next request arrive at the same moment',
      advice: 'Apply both changes to the order, one after the other.',
      moves: [
        { at: 'webhook', before: [hold], next: { instead: { together: 'webhooks' } } },
        { at: 'webhook', before: [hold], next: { before: [slowLookUps], instead: { together: 'webhooks' } } },
      ],
    },
    'webhooks-at-the-end': {
      title: 'All notifications arrive at the end, newest first',
      advice: 'Derive the order from all its payments, in any sequence.',
      moves: [{ at: 'webhook', before: [hold] }],
    },
    'two-requests-at-once': {
      title: 'Two different requests about an order arrive at the same time',
      advice: 'Handle one after the other: the second must see the changes of the first.',
      moves: [{ at: 'request', instead: { together: 'next' } }],
    },
  },
} as const satisfies SituationGroup
