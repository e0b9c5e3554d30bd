import { flagName, hasFlag } from '../../contract/operation-members.ts'
import type { OperationName } from '../../contract/operations.ts'
import { jsonFault } from '../../text/json-fault.ts'
import { UsageError } from '../errors/usage-error.ts'

/** Flags that take JSON. */

/** An example of each JSON field, for its help. */
export const jsonExamples: Readonly<Record<string, unknown>> = {
  tipConfig: { onScreenTip: true, suggestions: { feeMode: 'RATE', values: [15, 18, 20] } },
  signatureConfig: { useHostConfig: false, entryLocation: 'ON_SCREEN', threshold: 5000 },
  paymentMethod: { category: 'CARD-CREDIT' },
  productList: [{ name: 'Coffee', amount: 450, num: 2 }],
  billingAddress: { line1: '1 Market Street', city: 'San Francisco', countryCode: 'US' },
  shippingAddress: { line1: '1 Market Street', city: 'San Francisco', countryCode: 'US' },
}

/** An example as typed: `'{"category":"CARD-CREDIT"}'`. */
export const exampleOf = (member: string): string => `'${JSON.stringify(jsonExamples[member] ?? {})}'`

/** The value of a flag; for the payment method its category alone will do. Errors: UsageError with the position. */
export function jsonFrom(name: OperationName, member: string, text: string): unknown {
  if (member === 'paymentMethod' && /^[A-Z-]+$/.test(text)) return { category: text }
  try {
    return JSON.parse(text)
  } catch (error) {
    const flag = hasFlag(name, member) ? `--${flagName(member)} ` : `--set ${member}=`
    const { reason, line, column } = jsonFault(text, error as Error)
    const position = line > 1 ? `line ${line}, column ${column}` : `column ${column}`
    throw new UsageError(
      `${flag.trim().replace(/=$/, '')} is not JSON: ${reason}, ${position}`,
      `Quote the value: ${flag}${exampleOf(member)}`,
      member,
    )
  }
}
