import { string } from '@oclif/core/flags'
import type { Product } from '../../contract/answers.ts'
import { formatAmount } from '../../contract/currencies.ts'
import { entriesOf } from '../../contract/operation-members.ts'
import type { OperationName } from '../../contract/operations.ts'
import { UsageError } from '../errors/usage-error.ts'
import { parseAmount } from '../input/amount.ts'

/** Short forms of members that are objects or lists, beside their JSON. */

/** Both flags of such a member, as errors name it. */
export const shortForms = {
  amount: ['minor', 'amount'],
  tipConfig: ['tip', 'tip-config'],
  productList: ['item', 'product-list'],
  signatureConfig: ['signature', 'signature-config'],
} as const

/** Flags of the members that the operation has. */
export function friendlyFlags(name: OperationName) {
  const members = entriesOf(name)
  return {
    ...('tipConfig' in members && {
      tip: string({
        description:
          'Tips that the terminal suggests, up to three: percentages (15,18,20%) or amounts (1.00,2.00,3.00).',
        helpValue: '15,18,20%',
        exclusive: ['tip-config', 'tip-amount'],
      }),
    }),
    ...('productList' in members && {
      item: string({
        description:
          'Product, as name:price or name:pricexcount; repeat it for each. Without --amount, the items add up to it.',
        helpValue: 'Coffee:4.50x2',
        multiple: true,
        exclusive: ['product-list'],
      }),
    }),
    ...('signatureConfig' in members && {
      signature: string({
        description:
          'Signature of the cardholder: required, none, receipt, or above:50.00 from that amount on.',
        helpValue: 'above:50.00',
        exclusive: ['signature-config', 'signature-entry-location'],
      }),
    }),
  }
}

/** The typed values of the short forms. */
export interface FriendlyValues {
  readonly tip?: unknown
  readonly item?: unknown
  readonly signature?: unknown
}

/** The fields that the short forms stand for. `currency` is called only if an amount is read. Errors: UsageError. */
export async function friendlyMembers(
  { tip, item, signature }: FriendlyValues,
  currency: () => Promise<string>,
): Promise<Record<string, unknown>> {
  return {
    ...(tip !== undefined && { tipConfig: await tipConfigOf(String(tip), currency) }),
    ...(Array.isArray(item) && { productList: productsOf(item, await currency()) }),
    ...(signature !== undefined && { signatureConfig: await signatureOf(String(signature), currency) }),
  }
}

/** The sum of the products, in minor units. */
export const productTotal = (products: readonly Product[]): number =>
  products.reduce((sum, { amount, num }) => sum + amount * num, 0)

/** `15,18,20%`, or `1.00,2.00`. One amount alone is more likely a tip that was given already. Errors: UsageError. */
async function tipConfigOf(text: string, currency: () => Promise<string>) {
  const parts = text.split(',').map((part) => part.trim())
  const isRate = parts.some((part) => part.endsWith('%'))
  if (!isRate && parts.length === 1)
    throw new UsageError(
      `--tip ${text} is neither a percentage nor several amounts`,
      `To suggest tips: --tip 15,18,20%. A tip that was given already: --tip-amount ${text}`,
      'tip',
    )
  if (parts.length > mostSuggestions)
    throw new UsageError(`--tip ${text} has ${parts.length} tips`, 'Give up to three', 'tip')
  const code = isRate ? '' : await currency()
  const rates = `, or --tip ${text}% for percentages`
  const values = parts.map((part) => (isRate ? rateOf(part, text) : parseAmount(part, code, 'tip', rates)))
  const suggestions = { feeMode: isRate ? 'RATE' : 'AMOUNT', values }
  return { onScreenTip: true, useHostConfig: false, suggestions }
}

const mostSuggestions = 3

function rateOf(part: string, text: string): number {
  const [, digits] = /^(\d{1,3}(?:\.\d{1,2})?)%?$/.exec(part) ?? []
  if (digits !== undefined) return Number(digits)
  throw new UsageError(`--tip ${text}: ${part} is not a percentage`, 'Write --tip 15,18,20%', 'tip')
}

/** Products as they are typed. The name may have colons. */
const product = /^(.+):\s*(\d[\d.]*)\s*(?:[x×*]\s*(\d{1,7}))?$/s

const productsOf = (items: readonly unknown[], currency: string): Product[] =>
  items.map((item) => {
    const [, name, price = '', count = '1'] = product.exec(String(item)) ?? []
    if (name?.trim() && Number(count) > 0)
      return { name: name.trim(), amount: parseAmount(price, currency, 'item'), num: Number(count) }
    throw new UsageError(
      `--item ${item} is not a product`,
      'Write its name, a colon and its price, and how many: --item "Coffee:4.50x2"',
      'item',
    )
  })

/** The products add up to the amount, or are it. assumption: product-list. Errors: UsageError. */
export function requireSum(products: readonly Product[], orderAmount: number, currency: string): void {
  const sum = productTotal(products)
  if (sum === orderAmount) return
  const shown = (amount: number) => formatAmount(amount, currency)
  throw new UsageError(
    `The products (--item) add up to ${shown(sum)} ${currency}, but --amount is ${shown(orderAmount)}`,
    `Pass --amount ${shown(sum)}, or leave it out`,
    'amount',
  )
}

const signatureLocations: Readonly<Record<string, string>> = {
  required: 'ON_SCREEN',
  none: 'NONE',
  receipt: 'ON_RECEIPT',
}

async function signatureOf(text: string, currency: () => Promise<string>) {
  const own = { useHostConfig: false }
  if (Object.hasOwn(signatureLocations, text)) return { ...own, entryLocation: signatureLocations[text] }
  const [, amount] = /^above:(.+)$/.exec(text) ?? []
  if (amount === undefined)
    throw new UsageError(
      `--signature ${text} is not known`,
      'Use required, none, receipt, or above: with an amount, such as above:50.00',
      'signature',
    )
  const threshold = parseAmount(amount, await currency(), 'signature')
  return { ...own, entryLocation: 'ON_SCREEN', threshold }
}
