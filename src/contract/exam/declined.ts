import { disturbed, type Situation, type SituationGroup } from './situation.ts'

/** Payments that are declined for this reason. `isAlike`: a merchant learns the same as from another one. */
const declined = (
  title: string,
  outcome: string,
  {
    others = [],
    isAlike = true,
    how = '',
    advice = 'Record the payment as failed, and send no follow-up for it.',
  }: { others?: readonly string[]; isAlike?: boolean; how?: string; advice?: string } = {},
): Situation => ({
  title,
  advice,
  how: `tillbox sale --amount 10.00 --outcome ${outcome}${how}`,
  seen: { result: { outcomes: [outcome, ...others] } },
  moves: disturbed('opening', `outcome=${outcome}`).map((move) => (isAlike ? { ...move, isAlike } : move)),
})

/** Payments and refunds that the host or the terminal declines. */
export const declinedSituations = {
  title: 'Declined',
  laws: ['paid-if-approved', 'shipped-if-paid', 'refunds-agree'],
  situations: {
    'insufficient-funds': declined('There is not enough money in the account', 'insufficient-funds', {
      isAlike: false,
    }),
    'do-not-honor': declined('The bank declines without a reason, or for a rare reason', 'do-not-honor', {
      others: [
        ...['refer-to-issuer', 'invalid-account', 'restricted-card', 'over-limit'],
        ...['cvv-mismatch', 'no-card-fits', 'already-settled'],
      ],
    }),
    'expired-card': declined('The card has expired', 'expired-card'),
    'lost-or-stolen': declined('The card is lost or stolen', 'lost-card', { others: ['stolen-card'] }),
    'suspected-fraud': declined('The bank suspects fraud', 'suspected-fraud'),
    'pin-tries-exceeded': declined('The PIN was wrong three times', 'pin-tries-exceeded', {
      others: ['wrong-pin'],
    }),
    'issuer-unavailable': declined('The bank cannot be reached', 'issuer-unavailable', {
      others: ['system-malfunction'],
    }),
    'host-timeout': declined('The host does not answer in time', 'host-timeout', {
      isAlike: false,
      advice:
        'Record the payment as failed. A real issuer may still hold the money: clear that with your acquirer.',
      how: ' --no-wait && tillbox sandbox clock --advance 61s',
    }),
    'refund-declined': {
      title: 'A refund is declined',
      advice: 'Record that the money was not refunded.',
      how: 'tillbox sale --amount 10.00 && tillbox refund @last --amount 10.00 --outcome do-not-honor',
      seen: { result: { type: 'REFUND', status: 'FAIL' } },
    },
    'online-try-declined': {
      title: 'A card is declined on the hosted page, and the customer pays with another card',
      advice: 'Wait for the result of the session: one declined card does not end it.',
      how: 'SESSION=$(tillbox checkout create --amount 10.00 --fields sessionId --output csv | tail -1); tillbox checkout pay $SESSION --card visa-declined; tillbox checkout pay $SESSION',
      seen: { result: { type: 'SALE', status: 'SUCCESS', page: 'tried-again' } },
      moves: [
        {
          at: 'page',
          before: [{ action: 'checkout pay', value: { session: '$session', card: 'visa-declined' } }],
        },
      ],
    },
    'online-declined': {
      title: 'The only card of the customer is declined on the hosted page',
      advice: 'Record that nothing was paid, even if the customer returns to your shop.',
      moves: [
        {
          at: 'page',
          instead: [{ action: 'checkout pay', value: { session: '$session', card: 'visa-declined' } }],
        },
      ],
    },
  },
} as const satisfies SituationGroup
