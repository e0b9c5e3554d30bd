import type { SituationGroup } from './situation.ts'

const sold = 'tillbox sale --amount 10.00'

/** The end of the day. */
export const settlementSituations = {
  title: 'Settlement',
  laws: ['totals-agree'],
  situations: {
    'batch-closed': {
      title: 'A batch is closed',
      advice: 'Close the batches with a request that the service accepts.',
      how: `${sold} && tillbox batch close --yes`,
      seen: { accepted: 'batch-close' },
    },
    'batch-empty': {
      title: 'There is nothing to close',
      advice: 'Do not try again.',
      how: 'tillbox batch close --yes',
      seen: { refusal: 'SBX_BATCH_EMPTY' },
    },
    'settlement-failed': {
      title: 'The settlement fails',
      advice: 'Close the batch again.',
      how: `${sold} && tillbox sandbox fault settlement-failed && tillbox batch close --yes; tillbox batch close --yes`,
      seen: { correction: 'SBX_SETTLE_FAIL' },
    },
    'settled-in-part': {
      title: 'Only the batches of one channel are settled',
      advice: 'Close the others later.',
      how: `${sold} && tillbox sandbox fault partial-settlement && tillbox batch close --yes`,
      seen: { settledInPart: true },
    },
    'day-ends': {
      title: 'A day passes between two requests of a customer',
      advice: 'Refund what can no longer be voided, and capture while you still can.',
      moves: [{ at: 'step', after: [{ action: 'clock', value: { advance: '1d' } }] }],
    },
  },
} as const satisfies SituationGroup
