import { terminalPath } from '../../../contract/control/screens.ts'
import { formatAmount } from '../../../contract/currencies.ts'
import { rejectField } from '../../../contract/errors.ts'
import { acceptedBy, memberSchemas } from '../../../contract/operation-members.ts'
import { type Operation, operations } from '../../../contract/operations.ts'
import type { Ledger } from '../../../domain/model/ledger.ts'
import type { Transaction } from '../../../domain/model/transaction.ts'
import { sharedBaseUrlOf } from '../../../sandbox/http/call.ts'
import { operationLook } from '../../components/looks.ts'
import type { FormState, MakePage, PagesContext, Values } from '../../frame/page-view.tsx'
import { queryString } from '../lists/filter-form.tsx'
import { formEquivalents } from './equivalents.tsx'
import {
  actionPage,
  exampleUrl,
  fieldPair,
  formAction,
  newTransactionRequestId,
  outcomeField,
  sendOnce,
  sentText,
  typedAmounts,
  typedTexts,
} from './form-parts.tsx'

/** The form of a new payment; a query fills its fields. */
export const newPaymentPage: MakePage = (context, { query, baseUrl }, typed) => {
  const transactionRequestId = newTransactionRequestId()
  const form = typed ?? { values: { ...presetPayment(context, query), transactionRequestId } }
  const { values } = form
  const { terminalSn = '', priceCurrency = '', from = '' } = values
  return actionPage({
    title: 'New payment',
    heading: 'New payment',
    name: 'new-payment',
    form,
    action: '/payments/new',
    submit: 'Send payment',
    back: from === 'terminal' ? terminalPath(terminalSn) : '/',
    hidden: { from },
    fields: (
      <>
        <Operations chosen={chosenOperation(values)} />
        {paymentFields(context, form)}
      </>
    ),
    equivalents: () => {
      const amounts = { amount: exampleAmount, ...typedAmounts(values, amountNames, priceCurrency) }
      return formEquivalents(context, paymentRequest(context, values, amounts, baseUrl))
    },
  })
}

/** Path of the form filled with what opened a transaction; undefined for one that it cannot open. */
export function newPaymentLike({ settings }: Ledger, transaction: Transaction): string | undefined {
  const { type, online, originalId, currency, order, tip, terminalSn } = transaction
  const found = beginnings.find(([name]) => {
    const { opens, opensPage }: Operation = operations[name]
    return opens === type && Boolean(opensPage) === (online?.sessionId != null)
  })
  if (found === undefined || originalId !== null) return undefined
  return `/payments/new${queryString({
    operation: found[0],
    amount: formatAmount(order, currency),
    priceCurrency: currency,
    tipAmount: tip === 0 ? '' : formatAmount(tip, currency),
    terminalSn: terminalSn ?? '',
    merchantId: terminalSn === null ? settings.merchantId : '',
    notifyUrl: transaction.notifyUrl ?? '',
  })}`
}

/** Starts the payment. */
export const newPaymentAction = formAction(
  newPaymentPage,
  [
    ...['operation', 'amount', 'priceCurrency', 'tipAmount', 'terminalSn', 'merchantId'],
    ...['referenceOrderId', 'notifyUrl', 'outcome', 'from', 'transactionRequestId'],
  ],
  async (context, values, { baseUrl }) => {
    if (values.operation === 'refund' && !values.referenceOrderId)
      rejectField('referenceOrderId', 'is required')
    const amounts = typedAmounts(values, amountNames, values.priceCurrency ?? '')
    const request = paymentRequest(context, values, amounts, baseUrl)
    const sent = await sendOnce(context, request, values.transactionRequestId ?? '')
    const { terminalSn = '', from } = values
    const to = from === 'terminal' ? terminalPath(terminalSn) : `/transactions/${sent.opened?.id ?? ''}`
    return { to, notice: { text: sentText(sent) ?? '' } }
  },
  sharedBaseUrlOf,
)

/** Example amount in the commands until one is typed, in minor units, so that they run as copied. */
const exampleAmount = 1000

/** The operation to start; fields that it does not use are hidden. */
const Operations = ({ chosen }: { readonly chosen: string }) => (
  <fieldset class="flex flex-wrap gap-1">
    <legend class="block mb-1.5 text-sm font-medium">Operation</legend>
    {beginnings.map(([name, label]) => (
      <label class={`${operationLook} flex-[1_0_auto] text-center`}>
        <input
          class="absolute opacity-0"
          type="radio"
          name="operation"
          value={name}
          checked={name === chosen}
        />
        <span class="flex-[1_0_auto] text-center">{label}</span>
      </label>
    ))}
  </fieldset>
)

function paymentFields(context: PagesContext, form: FormState) {
  const ledgers = [...context.engine.state.ledgers.values()]
  const terminals = ledgers.flatMap((ledger) =>
    [...ledger.terminals.values()].map(({ terminalSn, profile }) => {
      const merchant = ledgers.length === 1 ? '' : `, ${ledger.settings.merchantId}`
      return [terminalSn, `${profile.label ?? terminalSn} · ${profile.mode}${merchant}`] as const
    }),
  )
  const merchants = ledgers.map(({ settings }) => settings.merchantId)
  const { priceCurrency: currency = '' } = form.values
  return (
    <>
      {fieldPair(form, [
        {
          name: 'amount',
          label: 'Amount',
          ...decimal,
          placeholder: `e.g. ${formatAmount(exampleAmount, currency)}`,
        },
        { name: 'priceCurrency', label: 'Currency', maxLength: 3 },
        { name: 'tipAmount', label: 'Tip', ...decimal, optional: true },
      ])}
      {fieldPair(form, [
        { name: 'terminalSn', label: 'Terminal', options: terminals },
        merchants.length > 1 && { name: 'merchantId', label: 'Merchant', options: merchants },
        outcomeField(context),
      ])}
      {fieldPair(form, [
        {
          name: 'referenceOrderId',
          label: 'Order',
          optional: true,
          maxLength: 32,
          hint: '6 to 32 letters, digits, _ or -.',
        },
        { name: 'notifyUrl', label: 'Webhook URL', optional: true, placeholder: exampleUrl },
      ])}
    </>
  )
}

/** An amount whose currency is a field beside it. */
const decimal = { inputMode: 'decimal', maxLength: 16 } as const

/** Operations that start a payment, with their labels. */
export const beginnings = [
  ['sale', 'Sale'],
  ['auth', 'Auth'],
  ['forced-auth', 'Forced auth'],
  ['refund', 'Refund without original'],
  ['create-session', 'Checkout page'],
] as const

/** Fields whose texts are members of the request as they were typed. */
const texts = ['priceCurrency', 'terminalSn', 'referenceOrderId', 'notifyUrl'] as const

const amountNames = ['amount', 'tipAmount'] as const

/** The operation that the form names; a sale where it names none. */
const chosenOperation = ({ operation }: Values) =>
  beginnings.find(([name]) => name === operation)?.[0] ?? 'sale'

/** The merchant of the terminal or the checkout page; otherwise the first one. */
function ledgerFor({ engine, directory }: PagesContext, values: Values): Ledger {
  const all = [...engine.state.ledgers.values()]
  const { terminalSn = '', merchantId = '' } = values
  const runsAtTerminal = 'terminalSn' in memberSchemas(chosenOperation(values))
  const named = runsAtTerminal
    ? all.find(({ terminals }) => terminals.has(terminalSn))
    : engine.state.ledgers.get(merchantId)
  const first = directory.defaultApplication.merchants[0]?.merchantId ?? ''
  return (named ?? engine.state.ledgers.get(first) ?? all[0]) as Ledger
}

/** Preset values: the terminal, its merchant, and a currency that it accepts. */
function presetPayment(context: PagesContext, query: Values): Values {
  const ledger = ledgerFor(context, query)
  const { merchantId, currencies } = ledger.settings
  const [terminalSn = ''] = ledger.terminals.keys()
  return { operation: 'sale', priceCurrency: currencies?.[0] ?? 'USD', terminalSn, merchantId, ...query }
}

function paymentRequest(context: PagesContext, values: Values, amounts: object, baseUrl: string) {
  const operation = chosenOperation(values)
  const { appId, merchantId } = ledgerFor(context, values).settings
  const members = acceptedBy(operation, { ...amounts, ...typedTexts(values, texts) })
  return {
    operation,
    appId,
    merchantId,
    members: { transactionRequestId: values.transactionRequestId, ...Object.fromEntries(members) },
    outcome: values.outcome || null,
    baseUrl,
  }
}
