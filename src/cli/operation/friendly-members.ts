import { string } from '@oclif/core/flags'
import { formatAmount } from '../../contract/currencies.ts'
import { memberSchemas } from '../../contract/operation-members.ts'
import type { Product } from '../../contract/operations/checkout.ts'
import type { OperationName } from '../../contract/operations.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { parseAmount } from '../input/typed-values.ts'

/** Short forms of members that are objects or lists, beside their JSON. */

/** Both flags of such a member, as errors name it. */
export const shortForms = {
  amount: ['minor', 'amount'],
  productList: ['item', 'set productList'],
} as const

/** The flag of products. */
export function friendlyFlags(name: OperationName) {
  return {
    ...('productList' in memberSchemas(name) && {
      item: string({
        description:
          'Product, as name:price or name:pricexcount; repeat it for each. Without --amount, the items add up to it.',
        helpValue: 'Coffee:4.50x2',
        multiple: true,
      }),
    }),
  }
}

/** True for a value that is JSON, and no short form. */
export const isJsonText = (text: unknown): boolean => /^\s*[[{]/.test(String(text))

/** The fields that the short forms stand for. `currency` is called only if an amount is read. */
export async function friendlyMembers(
  { 'tip-config': tip, item, 'signature-config': signature }: Readonly<Record<string, unknown>>,
  currency: () => Promise<string>,
): Promise<Record<string, unknown>> {
  return {
    ...(tip !== undefined && !isJsonText(tip) && { tipConfig: await parseTipConfig(String(tip), currency) }),
    ...(Array.isArray(item) && { productList: parseProducts(item, await currency()) }),
    ...(signature !== undefined &&
      !isJsonText(signature) && { signatureConfig: await parseSignatureConfig(String(signature), currency) }),
  }
}

/** The sum of the products, in minor units. */
export const productTotal = (products: readonly Product[]): number =>
  products.reduce((sum, { amount, num }) => sum + amount * num, 0)

/** `15,18,20%`, or `1.00,2.00`. One amount alone is more likely a tip that was given already. */
async function parseTipConfig(text: string, currency: () => Promise<string>) {
  const parts = text.split(',').map((part) => part.trim())
  const isRate = parts.some((part) => part.endsWith('%'))
  if (!isRate && parts.length === 1)
    throw new UsageError(
      ['--set', `tipConfig=${text} is neither a percentage nor several amounts`],
      `To suggest tips: --set tipConfig=15,18,20%. A tip that was given already: --tip-amount ${text}`,
    )
  if (parts.length > 3)
    throw new UsageError(['--set', `tipConfig=${text} has ${parts.length} tips`], 'Give up to three')
  const code = isRate ? '' : await currency()
  const rates = `, or --set tipConfig=${text}% for percentages`
  const values = parts.map((part) =>
    isRate ? parseRate(part, text) : parseAmount(part, code, 'set tipConfig', rates),
  )
  const suggestions = { feeMode: isRate ? 'RATE' : 'AMOUNT', values }
  return { onScreenTip: true, useHostConfig: false, suggestions }
}

function parseRate(part: string, text: string): number {
  const [, digits] = /^(\d{1,3}(?:\.\d{1,2})?)%?$/.exec(part) ?? []
  if (digits !== undefined) return Number(digits)
  throw new UsageError(
    ['--set', `tipConfig=${text}: ${part} is not a percentage`],
    'Write --set tipConfig=15,18,20%',
  )
}

/** Products as they are typed. The name may have colons. */
const product = /^(.+):\s*(\d[\d.]*)\s*(?:[x×*]\s*(\d{1,7}))?$/s

const parseProducts = (items: readonly unknown[], currency: string): Product[] =>
  items.map((item) => {
    const [, name, price = '', count = '1'] = product.exec(String(item)) ?? []
    if (name?.trim() && Number(count) > 0)
      return { name: name.trim(), amount: parseAmount(price, currency, 'item'), num: Number(count) }
    throw new UsageError(
      ['--item', `${item} is not a product`],
      'Write its name, a colon and its price, and how many: --item "Coffee:4.50x2"',
    )
  })

/** The products add up to the amount, or are it. assumption: checkout */
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

async function parseSignatureConfig(text: string, currency: () => Promise<string>) {
  const common = { useHostConfig: false }
  if (Object.hasOwn(signatureLocations, text)) return { ...common, entryLocation: signatureLocations[text] }
  const [, amount] = /^above:(.+)$/.exec(text) ?? []
  if (amount === undefined)
    throw new UsageError(
      ['--set', `signatureConfig=${text} is not known`],
      'Use required, none, receipt, or above: with an amount, such as above:50.00',
    )
  const threshold = parseAmount(amount, await currency(), 'set signatureConfig')
  return { ...common, entryLocation: 'ON_SCREEN', threshold }
}
