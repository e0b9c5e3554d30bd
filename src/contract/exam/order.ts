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
      title: 'The notification is handled before the answer arrives',
      advice: 'Keep the result of the notification, and write no older state over it.',
      how: 'tillbox sandbox fault after-webhook --operation sale && tillbox sale --amount 10.00',
      seen: { held: 'after-webhook' },
      moves: disturbed('direct', 'after-webhook'),
    },
    'end-before-answer': {
      title: 'The payment ends before the answer arrives, which still calls it open',
      advice: 'Ask again, or wait for the notification: the answer is older.',
      how: 'tillbox sandbox fault after-end --operation sale && tillbox sale --amount 10.00',
      seen: { held: 'after-end' },
      moves: disturbed('direct', 'after-end'),
    },
    'look-up-overtaken': {
      title: 'The answer to a look-up arrives after the notification, which is newer',
      advice: 'Keep the newer state.',
      moves: disturbed('look-up', 'after-webhook').flatMap((row) => [
        row,
        { ...row, previous: { before: [hold] }, instead: { together: 'webhooks' } },
      ]),
    },
    'webhook-after-next-step': {
      title: 'The notification comes once the customer is back, or has asked for the next thing',
      advice: 'Ask for the result when you need it, and take the notification afterwards.',
      moves: [{ at: 'webhook', before: [hold], next: { after: [release] } }],
    },
    'webhook-with-next-step': {
      title: 'The notification comes in the same moment as the customer’s next request',
      advice: 'Let both change the order, one after the other, and lose neither.',
      moves: [
        { at: 'webhook', before: [hold], next: { instead: { together: 'webhooks' } } },
        { at: 'webhook', before: [hold], next: { before: [slowLookUps], instead: { together: 'webhooks' } } },
      ],
    },
    'webhooks-at-the-end': {
      title: 'All notifications come in the end, the newest first',
      advice: 'Keep the last state of each payment.',
      moves: [{ at: 'webhook', before: [hold] }],
    },
    'two-requests-at-once': {
      title: 'Two different requests about an order come at the same time',
      advice: 'Handle one after the other: the second must see what the first changed.',
      moves: [{ at: 'request', instead: { together: 'next' } }],
    },
  },
} as const satisfies SituationGroup
