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
  sound: string,
  fault: string,
  judged: SeenWebhook['judged'],
  tried = fault,
): Situation => ({
  title,
  sound,
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
    'webhook-twice': faulty(
      'A notification comes twice',
      'It acknowledges both.',
      'duplicate',
      'acknowledged',
    ),
    'webhook-resent': {
      title: 'A notification comes again, long after it was acknowledged',
      sound: 'It acknowledges it again.',
      how: 'tillbox sale --amount 10.00 --wait-webhooks && tillbox webhook resend --all',
      seen: { webhook: 'resent', judged: 'acknowledged' },
      moves: [{ at: 'step', after: [{ action: 'webhook resend', value: { all: true } }] }],
    },
    'webhook-overtaken': {
      title: 'A notification is overtaken by a later one',
      sound: 'It acknowledges both, and keeps the last state.',
      how: 'tillbox webhook hold && tillbox sale --amount 10.00 && tillbox refund @last --amount 4.00 && tillbox webhook release $(tillbox webhook list --fields id --output csv | tail -n +2)',
      seen: { webhook: 'overtaken', judged: 'acknowledged' },
      moves: webhookFault('reorder=2'),
    },
    'webhook-late': faulty('A notification comes late', 'It learns the result.', 'delay=30s', 'learned'),
    'webhook-lost': faulty(
      'A notification never comes',
      'It asks for the result after a while.',
      'drop',
      'learned',
    ),
    'webhook-forged': {
      ...faulty(
        'Somebody else sends a notification',
        'It checks the signature over the raw body, and refuses it with 401, or changes nothing.',
        'bad-signature',
        'refused',
      ),
      moves: [
        ...webhookFault('bad-signature'),
        ...forgeries.map((after): MoveRow => ({ at: 'webhook', after: [after] })),
        // a payment that is approved anyway shows nothing
        ...forgeries.flatMap((after) =>
          disturbed('direct', 'outcome=insufficient-funds').map((row) => ({ ...row, after: [after] })),
        ),
        ...forgeries.map((forged): MoveRow => ({ at: 'page', instead: [forged] })),
      ],
    },
    'webhook-stale': faulty(
      'An old notification is played back',
      'It refuses the old notification, or changes nothing.',
      'stale',
      'harmless',
    ),
    'webhook-other-json': faulty(
      'A notification is written as another JSON library writes it',
      'It checks the signature over the body as it came, and acknowledges it.',
      'other-json',
      'acknowledged',
    ),
    'webhook-retried': {
      title: 'The endpoint fails, and the notification comes again',
      sound: 'It acknowledges a later attempt, or asks for the result.',
      how: 'tillbox sale --amount 10.00 --notify-url http://127.0.0.1:9/webhooks && tillbox sandbox clock --advance 5s',
      seen: { webhook: 'failed', judged: 'learned' },
    },
  },
} as const satisfies SituationGroup
