import { disturbed, nextWebhook, type Situation, type SituationGroup } from './situation.ts'

/** `seen`: as in the name of the fault before any `=`. */
const spoilt = (title: string, fault: string): Situation => ({
  title,
  advice:
    'Before you pay with another transactionRequestId, ask what became of the request, send it again with the same id, or take it back.',
  how: `tillbox sandbox fault ${fault} --operation sale && tillbox sale --amount 10.00`,
  seen: { spoilt: fault.replace(/=.*/, '') },
  moves: disturbed('changing', fault),
})

/** Answers that do not arrive, or tell nothing. */
export const lostSituations = {
  title: 'Lost and broken answers',
  laws: ['charged-once', 'approved-known', 'refunds-asked', 'refunds-agree'],
  situations: {
    'answer-lost': spoilt('The request is carried out, and its answer is lost', 'lost-answer'),
    'request-lost': spoilt('The request never arrives', 'lost-request'),
    'connection-reset': spoilt('The connection is reset', 'reset'),
    'answer-truncated': spoilt('The answer breaks off', 'truncated'),
    'answer-empty': spoilt('The answer is empty', 'empty'),
    'answer-not-json': spoilt('A proxy answers with a page', 'not-json'),
    'answer-late': {
      ...spoilt('The answer comes after the timeout', 'latency=600'),
      how: 'tillbox sandbox fault latency=2m --operation sale; tillbox sale --amount 10.00 & sleep 1; tillbox query @last',
    },
    'error-500': spoilt('The service fails', 'http-500'),
    'error-503': spoilt('The service is overloaded', 'http-503'),
    'rate-limited': spoilt('Too many requests; Retry-After says how long to wait', 'http-429'),
    'cut-off': {
      title: 'The network is down for a while: neither the answer arrives nor the notification',
      advice: 'Ask for each result that you do not know, until you have it.',
      moves: disturbed('direct', 'lost-answer', 'not-json', 'http-500').map((row) => ({
        ...row,
        before: [...(row.before ?? []), nextWebhook('drop')],
      })),
    },
    'look-up-lost': {
      title: 'A look-up is not answered',
      advice: 'Ask again, or learn the result from a notification.',
      how: 'tillbox sale --amount 10.00 && tillbox sandbox fault lost-answer --operation query && tillbox query @last; tillbox query @last',
      seen: { lookUp: 'spoilt' },
      moves: disturbed('look-up', 'lost-answer', 'not-json', 'http-503', 'latency=600'),
    },
  },
} as const satisfies SituationGroup
