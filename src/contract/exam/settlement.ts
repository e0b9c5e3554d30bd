import type { SituationGroup } from './situation.ts'

const sold = 'tillbox sale --amount 10.00'

/** The end of the day. */
export const settlementSituations = {
  title: 'Settlement',
  laws: ['totals-agree'],
  situations: {
    'batch-closed': {
      title: 'You close the batches',
      advice: 'Close the batches with a request that the service accepts.',
      how: `${sold} && tillbox batch close --yes`,
      seen: { accepted: 'batch-close' },
    },
    'batch-empty': {
      title: 'You close batches, and none is open',
      advice: 'Do not close again before there are new payments.',
      how: 'tillbox batch close --yes',
      seen: { refusal: 'SBX_BATCH_EMPTY' },
    },
    'settlement-failed': {
      title: 'The close fails',
      advice: 'Close the batch again.',
      how: `${sold} && tillbox sandbox fault settlement-failed && tillbox batch close --yes; tillbox batch close --yes`,
      seen: { correction: 'SBX_SETTLE_FAIL' },
    },
    'settled-in-part': {
      title: 'A close settles only the batches of one channel',
      advice: 'Close the remaining batches later.',
      how: `${sold} && tillbox sandbox fault partial-settlement && tillbox batch close --yes`,
      seen: { settledInPart: true },
    },
    'day-ends': {
      title: 'A day passes between two requests of a customer',
      advice: 'Refund a payment that can no longer be voided. Capture before the authorisation expires.',
      moves: [{ at: 'step', after: [{ action: 'clock', value: { advance: '1d' } }] }],
    },
  },
} as const satisfies SituationGroup
