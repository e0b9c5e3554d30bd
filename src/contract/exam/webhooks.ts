import {
  disturbed,
  type MoveRow,
  type SeenWebhook,
  type Situation,
  type SituationGroup,
  webhookFault,
} from './situation.ts'

const faulty = (
  title: string,
  advice: string,
  fault: string,
  judged: SeenWebhook['judged'],
  tried = fault,
): Situation => ({
  title,
  advice,
  how: `tillbox sandbox fault ${fault} && tillbox sale --amount 10.00 && tillbox sandbox clock --advance 1m`,
  seen: { webhook: fault.replace(/=.*/, ''), judged },
  moves: webhookFault(tried),
})

const forgeries = [null, { signature: 'none' }].map((value) => ({ action: 'webhook forge', value }))

/** What may befall a notification. They go to the endpoint that `sandbox start --notify-url` names. */
export const webhookSituations = {
  title: 'Webhooks',
  laws: ['approved-known', 'paid-if-approved', 'shipped-if-paid', 'shipped-once', 'refunds-agree'],
  situations: {
    'webhook-twice': faulty('A notification arrives twice', 'Acknowledge both.', 'duplicate', 'acknowledged'),
    'webhook-resent': {
      title: 'A notification is sent again long after you acknowledged it',
      advice: 'Acknowledge it again.',
      how: 'tillbox sale --amount 10.00 --wait-webhooks && tillbox webhook resend --all',
      seen: { webhook: 'resent', judged: 'acknowledged' },
      moves: [{ at: 'step', after: [{ action: 'webhook resend', value: { all: true } }] }],
    },
    'webhook-overtaken': {
      title: 'A notification arrives after a newer notification',
      advice: 'Acknowledge both. Derive the order from all its payments, in any sequence.',
      how: 'tillbox webhook hold && tillbox sale --amount 10.00 && tillbox refund @last --amount 4.00 && tillbox webhook release $(tillbox webhook list --fields id --output csv | tail -n +2)',
      seen: { webhook: 'overtaken', judged: 'acknowledged' },
      moves: webhookFault('reorder=2'),
    },
    'webhook-late': faulty('A notification arrives late', 'Get the result.', 'delay=30s', 'learned'),
    'webhook-lost': faulty(
      'A notification never arrives',
      'Query the payment after a while.',
      'drop',
      'learned',
    ),
    'webhook-forged': {
      ...faulty(
        'Somebody other than the service sends a notification',
        'Check the signature over the raw body. If it is wrong, answer 401, or change nothing.',
        'bad-signature',
        'refused',
      ),
      moves: [
        ...webhookFault('bad-signature'),
        ...forgeries.map((after): MoveRow => ({ at: 'webhook', after: [after] })),
        // a payment that is approved anyway shows nothing; one that is open is asked for by nobody yet
        ...forgeries.flatMap((after) =>
          disturbed('direct', 'outcome=insufficient-funds', 'outcome=host-timeout').map((row) => ({
            ...row,
            after: [after],
          })),
        ),
        ...forgeries.map((forged): MoveRow => ({ at: 'page', instead: [forged] })),
      ],
    },
    'webhook-stale': faulty(
      'Somebody sends an old notification again, with its old X-Timestamp',
      'Refuse the old notification, or acknowledge it and change nothing.',
      'stale',
      'harmless',
    ),
    'webhook-other-json': faulty(
      'The JSON of a notification is formatted in another way',
      'Check the signature over the raw body, and acknowledge the notification.',
      'other-json',
      'acknowledged',
    ),
    'webhook-retried': {
      title: 'Your endpoint fails, and the service sends the notification again',
      advice: 'Acknowledge a later attempt, or query the payment.',
      how: 'tillbox sale --amount 10.00 --notify-url http://127.0.0.1:9/webhooks && tillbox sandbox clock --advance 5s',
      seen: { webhook: 'failed', judged: 'learned' },
    },
  },
} as const satisfies SituationGroup
