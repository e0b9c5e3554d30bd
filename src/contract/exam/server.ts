import { nextWebhook, type SituationGroup } from './situation.ts'

const killed = (on?: string) => ({ action: 'server crash', value: on === undefined ? null : { on } })

/** What befalls the merchant's server. */
export const serverSituations = {
  title: 'The server itself',
  laws: ['charged-once', 'approved-known', 'ends-known', 'refunds-agree'],
  situations: {
    'killed-after-request': {
      title: 'The server is killed after a request, and started again',
      sound: 'It has stored what it began, and asks what became of it.',
      moves: [{ at: 'step', needs: 'start', after: [killed()] }],
    },
    'killed-in-request': {
      title: 'The server is killed while it waits for an answer of the service',
      sound: 'It stores a payment with its transactionRequestId before it asks for it.',
      moves: [
        { at: 'changing', needs: 'start', before: [killed('$command')] },
        { at: 'changing', needs: 'start', before: [killed('$command'), nextWebhook('drop')] },
      ],
    },
    'killed-on-webhook': {
      title: 'The server is killed just after it acknowledged a notification',
      sound: 'It stores a notification before it acknowledges it.',
      moves: [{ at: 'webhook', needs: 'start', before: [killed('webhook')] }],
    },
    'reconciled-early': {
      title: 'The cron job runs in the middle of the day',
      sound: 'It asks for what is open, and changes nothing that has ended.',
      moves: [{ at: 'step', needs: 'reconcile', after: [{ action: 'server reconcile', value: null }] }],
    },
  },
} as const satisfies SituationGroup
