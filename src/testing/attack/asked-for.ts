import { formatAmount } from '../../contract/currencies.ts'
import { isGivenBack, orderedIn } from '../scenario/merchant/laws.ts'
import type { ServerSection } from '../scenario/merchant/server-schema.ts'
import type { Observed } from './observe.ts'

/**
 * What the drive asks for while nothing goes wrong: orders, perhaps paid in parts, and what is given back by
 * refunds and voids, in one currency.
 */
export function askedFor(observed: readonly Observed[]): Partial<ServerSection> {
  const payments = observed.at(-1)?.payments ?? []
  const purchases = orderedIn(payments)
  const charged = payments.filter(({ status, type }) => status === 'SUCCESS' && type === 'SALE')
  const inParts = new Set(charged.map(({ referenceOrderId }) => referenceOrderId)).size < charged.length
  const asked = purchases === 0 ? {} : { purchases, ...(inParts && { inParts }) }
  const approved = payments.filter(({ status }) => status === 'SUCCESS')
  const [currency, ...more] = [...new Set(approved.map((each) => each.currency))]
  if (currency === undefined || more.length > 0) return asked
  const total = approved.filter(isGivenBack).reduce((sum, { amount }) => sum + amount, 0)
  return { ...asked, refunds: `${formatAmount(total, currency)} ${currency}` }
}
