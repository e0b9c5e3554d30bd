import { nextWebhook, type SituationGroup } from './situation.ts'

const killed = (on?: string) => ({ action: 'server crash', value: on === undefined ? null : { on } })

/** The customer got no answer, or none that he saw. */
const sentAgain = { action: 'server request', value: '$request' }

/** What befalls the merchant's server. */
export const serverSituations = {
  title: 'The server itself',
  laws: ['charged-once', 'approved-known', 'ends-known', 'refunds-agree'],
  situations: {
    'killed-after-request': {
      title: 'Your server is killed after a request, and started again',
      advice: 'Store each payment before you send it, and query pending payments after a start.',
      moves: [{ at: 'step', needs: 'start', after: [killed()] }],
    },
    'killed-in-request': {
      title: 'Your server is killed while it waits for an answer from the service',
      advice: 'Store a payment with its transactionRequestId before you send it.',
      moves: [
        { at: 'changing', needs: 'start', before: [killed('$command')] },
        { at: 'changing', needs: 'start', before: [killed('$command'), nextWebhook('drop')] },
      ],
    },
    'killed-on-webhook': {
      title: 'Your server is killed just after it acknowledged a notification',
      advice: 'Store a notification before you acknowledge it.',
      moves: [{ at: 'webhook', needs: 'start', before: [killed('webhook')] }],
    },
    'killed-and-sent-again': {
      title: 'Your server is killed, and the customer sends the request again',
      advice: 'Store the idempotency keys of requests where they survive a restart.',
      moves: [
        { at: 'request', needs: 'start', after: [killed(), sentAgain] },
        { at: 'changing', needs: 'start', before: [killed('$command')], after: [sentAgain] },
      ],
    },
    'reconciled-early': {
      title: 'Your reconciliation job runs while payments are still open',
      advice: 'Query the open payments, and do not change orders that are final.',
      moves: [{ at: 'step', needs: 'reconcile', after: [{ action: 'server reconcile', value: null }] }],
    },
  },
} as const satisfies SituationGroup
