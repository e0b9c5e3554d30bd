import { call } from '../../client/client.ts'
import { recordView } from '../../client/record-view.ts'
import { asNumber, asText } from '../../client/tolerant.ts'
import { partNames } from '../../contract/amounts.ts'
import { type OperationName, operationRow } from '../../contract/operations.ts'
import { amountText } from '../../contract/presentation/money.ts'
import type { TransactionRecord } from '../../contract/records.ts'
import { typeNamed, typeWordOf } from '../../contract/statuses.ts'
import type { Members } from '../../contract/validate.ts'
import { isObject } from '../../shared/is-object.ts'
import { capitalize } from '../../shared/text/words.ts'
import type { Profile } from '../connection/profile.ts'
import { originalQuery } from './operation-request.ts'

/**
 * The effect of a request with real money: `Refund 4.00 USD of sale 1795159696581000 of 25.00 USD`, or `Sale
 * 25.00 USD at TBX-AUTO-001`. If the look-up of the original fails, its amount is left out.
 */
export async function liveEffectOf(name: OperationName, members: Members, profile: Profile): Promise<string> {
  const original = await findOriginal(members, profile)
  const words = [
    capitalize(operationRow(name).command),
    requestAmount(members, original?.currency),
    original ? `of ${original.text}` : operationRow(name).opens === 'REFUND' && 'with no original',
    asText(members.terminalSn)
      ? `at ${asText(members.terminalSn)}`
      : name === 'batch-close' && 'of every terminal',
    name === 'expire-session' &&
      (asText(members.sessionId) ?? asText(members.transactionRequestId) ?? asText(members.referenceOrderId)),
  ]
  return words.filter(Boolean).join(' ')
}

async function findOriginal(members: Members, { target, parties }: Profile) {
  const query = originalQuery({
    originalTransactionId: asText(members.originalTransactionId),
    originalTransactionRequestId: asText(members.originalTransactionRequestId),
  })
  const [id] = Object.values(query)
  if (id === undefined) return undefined
  const record = await call<TransactionRecord>(target, 'query', { ...parties, ...query }).catch(
    () => undefined,
  )
  if (record === undefined) return { text: `transaction ${id}` }
  const { type, transactionAmount, currency } = recordView(record)
  const recordType = typeNamed(type)
  const what = recordType === undefined ? 'transaction' : typeWordOf(recordType)
  return { text: `${what} ${id} of ${spelledAmount(transactionAmount, currency)}`, currency }
}

/** The sum of all parts, in either shape of the request; a tip alone for a tip adjust. */
function requestAmount({ amount, priceCurrency, ...beside }: Members, usual = ''): string | undefined {
  const parts: Members = isObject(amount) ? amount : { ...beside, orderAmount: amount }
  const found = ['orderAmount', ...partNames].flatMap((name) => asNumber(parts[name]) ?? [])
  const total = found.length === 0 ? asNumber(parts.totalAmount) : found.reduce((sum, part) => sum + part, 0)
  if (total === undefined) return undefined
  return spelledAmount(total, asText(parts.priceCurrency) ?? asText(priceCurrency) ?? usual)
}

const spelledAmount = (minorUnits: number, currency: string): string =>
  currency === '' ? `${minorUnits} minor units` : amountText(minorUnits, currency)
