import { disturbed, type SituationGroup } from './situation.ts'

const learnsNothingPaid = 'Record that nothing was paid.'

/** Payments that end late, or without being paid. */
export const unpaidSituations = {
  title: 'Late, cancelled and expired',
  laws: ['approved-known', 'charged-once', 'ends-known', 'paid-if-approved', 'shipped-if-paid'],
  situations: {
    'late-approval': {
      title: 'The approval arrives a minute late',
      advice: 'Wait for the result, and do not charge again in the meantime.',
      how: 'tillbox sale --amount 10.00 --outcome late-approval --no-wait && tillbox sandbox clock --advance 61s',
      seen: { result: { outcomes: ['late-approval'], status: 'SUCCESS' } },
      moves: disturbed('opening', 'outcome=late-approval'),
    },
    'cancelled-at-terminal': {
      title: 'The customer cancels at the terminal',
      advice: learnsNothingPaid,
      how: 'tillbox sale --amount 10.00 --terminal TBX-ATTENDED-001 --no-wait && tillbox terminal cancel TBX-ATTENDED-001',
      seen: { result: { status: 'CLOSED', closedBy: 'cancel', page: 'none' } },
    },
    aborted: {
      title: 'You abort the payment in time',
      advice: learnsNothingPaid,
      how: 'tillbox sale --amount 10.00 --terminal TBX-ATTENDED-001 --no-wait && tillbox abort @last:pending',
      seen: { result: { status: 'CLOSED', closedBy: 'abort' } },
    },
    'aborted-too-late': {
      title: 'You abort too late, and the payment keeps its result',
      advice: 'Record the result of the payment.',
      how: 'tillbox sale --amount 10.00 --outcome late-approval --no-wait; tillbox sandbox clock --advance 2s; tillbox abort @last:pending; tillbox sandbox clock --advance 61s',
      seen: { result: { moment: 'abort-too-late' } },
    },
    'expired-unpaid': {
      title: 'Nobody pays, and the payment expires, for example because the terminal is offline',
      advice: learnsNothingPaid,
      how: 'tillbox sale --amount 10.00 --terminal TBX-OFFLINE-001 --no-wait && tillbox sandbox clock --advance 2d',
      seen: { result: { status: 'CLOSED', closedBy: 'expiry' } },
      moves: [{ at: 'terminal', before: [{ action: 'terminal offline', value: '$terminal' }] }],
    },
    'page-left': {
      title: 'The customer leaves the hosted page without paying',
      advice: 'Record that nothing was paid. Do not trust the parameters of the return URL.',
      moves: [{ at: 'page', instead: [] }],
    },
    'terminal-busy': {
      title: 'The terminal is busy, and the payment is refused',
      advice: 'Use another terminal, or wait before you try again.',
      how: 'tillbox sale --amount 10.00 --terminal TBX-BUSY-001',
      seen: { busy: 'SBX_TERM_BUSY' },
    },
  },
} as const satisfies SituationGroup
