import type { ErrorCode } from '../errors.ts'
import type { Situation, SituationGroup } from './situation.ts'

const corrected = (title: string, how: string, code: ErrorCode): Situation => ({
  title,
  advice: 'Correct the request, or query the first request.',
  how,
  seen: { correction: code },
})

const twice = (flag: string): string =>
  `tillbox sale --amount 10.00 ${flag} && tillbox sale --amount 10.00 ${flag}`

/** Requests that are refused for an id, a key or a clock. */
export const identitySituations = {
  title: 'Ids, keys and clocks',
  laws: ['charged-once', 'approved-known'],
  situations: {
    'request-id-reused': corrected(
      'A request has an X-Client-Request-Id that was used before',
      twice('--client-request-id FIRST-1'),
      'SBX_DUP_REQUEST',
    ),
    'transaction-request-id-reused': corrected(
      'A request has a transactionRequestId that was used before',
      twice('--transaction-request-id FIRST-2'),
      'SBX_DUP_TXN_ID',
    ),
    'clock-wrong': corrected(
      'The clock of your machine is wrong',
      'tillbox api post /v1/semi-integration/transaction/sale -H X-Timestamp:1000000000000',
      'SBX_TIME_SKEW',
    ),
    'key-unknown': corrected(
      'The API key is wrong',
      'tillbox sale --amount 10.00 --api-key wrong',
      'SBX_KEY_UNKNOWN',
    ),
    'key-expired': corrected(
      'The API key was replaced',
      'KEY=$TILLBOX_API_KEY; tillbox sandbox key rotate --overlap 0 --yes && tillbox sale --amount 10.00 --api-key $KEY',
      'SBX_KEY_EXPIRED',
    ),
  },
} as const satisfies SituationGroup
