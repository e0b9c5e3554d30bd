import { call } from '../../client/client.ts'
import { recordView } from '../../client/record-view.ts'
import { asNumber, asText } from '../../client/tolerant.ts'
import { partNames } from '../../contract/amounts.ts'
import { type OperationName, operationRow, operations } from '../../contract/operations.ts'
import type { TransactionRecord } from '../../contract/records.ts'
import { type TransactionType, typeNamed, typeWordOf } from '../../contract/statuses.ts'
import type { Members } from '../../contract/validate.ts'
import { isObject } from '../../is-object.ts'
import { amountText } from '../../presentation/money.ts'
import { capitalize } from '../../text/words.ts'
import type { Profile } from '../connection/profile.ts'
import { originalQuery } from './operation-request.ts'

/** What a question names: `25.00 USD`, ` at TBX-AUTO-001`, and `sale 1795159696581000 of 25.00 USD`. */
type EffectText = (facts: {
  readonly amount: string | undefined
  readonly at: string
  readonly original: string | undefined
  readonly members: Members
}) => string

/** By the type of transaction that an operation opens. */
const effectsByType: Readonly<Record<TransactionType, EffectText>> = {
  SALE: ({ amount, at }) => `Take ${amount}${at}`,
  AUTH: ({ amount, at }) => `Pre-authorise ${amount}${at}`,
  FORCED_AUTH: ({ amount, at }) => `Force an authorisation of ${amount}${at}`,
  INCREMENTAL: ({ amount, original }) => `Add ${amount} to ${original}`,
  POST_AUTH: ({ amount, original }) => `Capture ${amount} of ${original}`,
  REFUND: ({ amount = 'what is left', original, at }) =>
    original === undefined ? `Refund ${amount}${at}, with no original` : `Refund ${amount} of ${original}`,
  VOID: ({ original }) => `Void ${original}`,
}

/** Of operations that open none, where the name of the command does not say it. */
const otherEffects: Partial<Record<OperationName, EffectText>> = {
  'tip-adjust': ({ amount, original }) => `Set the tip of ${original} to ${amount}`,
  'expire-session': ({ members }) =>
    `Close the payment page ${asText(members.sessionId) ?? asText(members.transactionRequestId) ?? asText(members.referenceOrderId)}`,
  'batch-close': ({ members }) =>
    `Settle the open batches of ${asText(members.terminalSn) ?? 'every terminal'}`,
}

function effectFor(name: OperationName): EffectText {
  const { opens, opensPage, command } = operationRow(name)
  if (opensPage === true) return ({ amount }) => `Open a payment page for ${amount}`
  const effect = opens === undefined ? otherEffects[name] : effectsByType[opens]
  return effect ?? (({ original }) => `${capitalize(command)} ${original ?? ''}`.trimEnd())
}

/**
 * The effect of a request with real money, with its amount, terminal and original. If the look-up of the original
 * fails, its amount is left out.
 */
export async function liveEffectOf(name: OperationName, members: Members, profile: Profile): Promise<string> {
  const { terminalSn } = members
  const original = await findOriginal(members, profile)
  const request = {
    amount: requestAmount(members, original?.currency),
    at:
      operations[name].runs === 'cloud'
        ? ' online'
        : ` at ${asText(terminalSn) ?? 'the terminal that the service chooses'}`,
    original: original?.text,
    members,
  }
  return effectFor(name)(request)
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
