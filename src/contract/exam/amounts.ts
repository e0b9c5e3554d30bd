import { learnsResult } from './approved.ts'
import type { SeenResult, Situation, SituationGroup } from './situation.ts'

const paid = (title: string, how: string, result: SeenResult, more: Partial<Situation> = {}): Situation => ({
  title,
  advice: learnsResult,
  how,
  seen: { result: { status: 'SUCCESS', ...result } },
  ...more,
})

const inCurrency = (currency: string): Pick<Situation, 'moves'> => ({
  moves: [{ at: 'request', instead: { currency } }],
})

/** Amounts that are other than 10.00 USD. */
export const amountSituations = {
  title: 'Amounts',
  laws: ['amount-charged', 'refunds-agree', 'totals-agree'],
  situations: {
    'no-decimals': paid(
      'A payment in a currency without decimals',
      'tillbox sale --amount 1000 --price-currency JPY',
      { decimals: 0 },
      inCurrency('JPY'),
    ),
    'three-decimals': paid(
      'A payment in a currency with three decimals',
      'tillbox sale --amount 1.000 --price-currency KWD',
      { decimals: 3 },
      inCurrency('KWD'),
    ),
    tip: paid('A payment with a tip', 'tillbox sale --amount 10.00 --tip-amount 2.00', { has: 'tip' }),
    tax: paid('A payment with tax', 'tillbox sale --amount 10.00 --set taxAmount=1.00', { has: 'tax' }),
    surcharge: paid('A payment with a surcharge', 'tillbox sale --amount 10.00 --set surchargeAmount=0.50', {
      has: 'surcharge',
    }),
    'odd-amount': {
      title: 'An amount that floating-point numbers cannot store exactly: 19.99 × 100 gives 1998.999…',
      advice: 'Count in minor units, as integers.',
      moves: ['0.29', '1.15', '8.29', '19.99'].map((amount) => ({ at: 'request', instead: { amount } })),
    },
  },
} as const satisfies SituationGroup
