import type { OwnRequest } from '../../../answering/own-request.ts'
import { entriesOf } from '../../../contract/operation-members.ts'
import type { Ledger } from '../../../domain/model/ledger.ts'
import type { PagesContext } from '../../frame/pages-context.ts'
import type { Values } from './form-parts.tsx'
import { typedTexts } from './read-members.ts'

/** Operations that start a payment, with their labels. */
export const beginnings = [
  ['sale', 'Sale'],
  ['auth', 'Auth'],
  ['forced-auth', 'Forced auth'],
  ['refund', 'Refund without original'],
  ['create-session', 'Checkout page'],
] as const

type Beginning = (typeof beginnings)[number][0]

/** Fields of the form, beside its transaction request id. */
export const paymentFields = [
  'operation',
  'amount',
  'priceCurrency',
  'tipAmount',
  'terminalSn',
  'merchantId',
  'referenceOrderId',
  'notifyUrl',
  'outcome',
  'from',
] as const

/** Fields whose texts are members of the request as they were typed. */
const texts = ['priceCurrency', 'terminalSn', 'referenceOrderId', 'notifyUrl'] as const

export const amountNames = ['amount', 'tipAmount'] as const

/** The operation that the form names; a sale where it names none. */
export const operationOf = ({ operation }: Values): Beginning =>
  beginnings.find(([name]) => name === operation)?.[0] ?? 'sale'

/** True for an operation that runs at a terminal. */
const runsAtTerminal = (operation: Beginning): boolean => 'terminalSn' in entriesOf(operation)

/** The merchant of the terminal or the checkout page; otherwise the first one. */
function ledgerFor(
  { engine, directory }: Pick<PagesContext, 'engine' | 'directory'>,
  values: Values,
): Ledger {
  const all = [...engine.state.ledgers.values()]
  const { terminalSn = '', merchantId = '' } = values
  const named = runsAtTerminal(operationOf(values))
    ? all.find(({ terminals }) => terminals.has(terminalSn))
    : engine.state.ledgers.get(merchantId)
  const first = directory.defaultApplication.merchants[0]?.merchantId ?? ''
  return (named ?? engine.state.ledgers.get(first) ?? all[0]) as Ledger
}

/** Preset values: the terminal, its merchant, and a currency that it accepts. */
export function presetPayment(context: Pick<PagesContext, 'directory' | 'engine'>, query: Values): Values {
  const ledger = ledgerFor(context, query)
  const { merchantId, currencies } = ledger.settings
  const [terminalSn = ''] = ledger.terminals.keys()
  return { operation: 'sale', priceCurrency: currencies?.[0] ?? 'USD', terminalSn, merchantId, ...query }
}

/** The request of the form. */
export function paymentRequest(
  context: Pick<PagesContext, 'directory' | 'engine'>,
  values: Values,
  amounts: Readonly<Record<string, number>>,
  baseUrl: string,
): OwnRequest {
  const operation = operationOf(values)
  const { appId, merchantId } = ledgerFor(context, values).settings
  const known = entriesOf(operation)
  const members = Object.fromEntries(
    Object.entries({ ...amounts, ...typedTexts(values, texts) }).filter(([name]) => name in known),
  )
  return {
    operation,
    appId,
    merchantId,
    members: { transactionRequestId: values.transactionRequestId, ...members },
    outcome: values.outcome || null,
    baseUrl,
  }
}
