import { disturbed, nextWebhook, type Situation, type SituationGroup } from './situation.ts'

/** `seen`: as in the name of the fault before any `=`. */
const spoilt = (title: string, fault: string): Situation => ({
  title,
  advice:
    'Before you try again with a new transactionRequestId, query the first request, repeat it with the same id, or void or abort it.',
  how: `tillbox sandbox fault ${fault} --operation sale && tillbox sale --amount 10.00`,
  seen: { spoilt: fault.replace(/=.*/, '') },
  moves: disturbed('changing', fault),
})

/** Answers that do not arrive, or say nothing. */
export const lostSituations = {
  title: 'Lost and broken answers',
  laws: ['charged-once', 'approved-known', 'refunds-asked', 'refunds-agree'],
  situations: {
    'answer-lost': spoilt('The service carries out the request, but its answer is lost', 'lost-answer'),
    'request-lost': spoilt('The request never arrives', 'lost-request'),
    'connection-reset': spoilt('The connection is reset', 'reset'),
    'answer-truncated': spoilt('Only a part of the answer arrives', 'truncated'),
    'answer-empty': spoilt('The answer is empty', 'empty'),
    'answer-not-json': spoilt('A proxy answers with an HTML page', 'not-json'),
    'answer-late': {
      ...spoilt('The answer arrives after the timeout of your client', 'latency=600'),
      how: 'tillbox sandbox fault latency=2m --operation sale; tillbox sale --amount 10.00 & sleep 1; tillbox query @last',
    },
    'error-500': spoilt('The service answers with HTTP 500', 'http-500'),
    'error-503': spoilt('The service answers with HTTP 503', 'http-503'),
    'rate-limited': spoilt(
      'The service answers with HTTP 429; Retry-After says how long to wait',
      'http-429',
    ),
    'cut-off': {
      title: 'The network is down for a while: neither the answer nor the notification arrives',
      advice: 'Query each payment without a result until you have its result.',
      moves: disturbed('direct', 'lost-answer', 'not-json', 'http-500').map((row) => ({
        ...row,
        before: [...(row.before ?? []), nextWebhook('drop')],
      })),
    },
    'look-up-lost': {
      title: 'The answer to a query is lost',
      advice: 'Query again, or get the result from a notification.',
      how: 'tillbox sale --amount 10.00 && tillbox sandbox fault lost-answer --operation query && tillbox query @last; tillbox query @last',
      seen: { lookUp: 'spoilt' },
      moves: disturbed('look-up', 'lost-answer', 'not-json', 'http-503', 'latency=600'),
    },
  },
} as const satisfies SituationGroup
