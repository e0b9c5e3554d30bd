import { formatAmount } from '../../../contract/currencies.ts'
import { type Refusal, rejectField } from '../../../contract/errors.ts'
import { commandArgument, memberSchemas } from '../../../contract/operation-members.ts'
import { operations } from '../../../contract/operations.ts'
import { type Status, statuses, statusWordOf } from '../../../contract/statuses.ts'
import { partFields } from '../../../domain/rules/refund.ts'
import type { FormRequest } from '../../../sandbox/answering/answer.ts'
import { sharedBaseUrlOf } from '../../../sandbox/http/call.ts'
import { refusalOfFollowUp } from '../../../sandbox/views/possible-follow-ups.ts'
import { transactionNamed } from '../../../sandbox/views/views.ts'
import { capitalize } from '../../../shared/text/words.ts'
import { actionLooks } from '../../components/looks.ts'
import type {
  FormState,
  MakePage,
  PageAction,
  PageRequest,
  PagesContext,
  PageView,
  Values,
} from '../../frame/page-view.tsx'
import { formEquivalents } from './equivalents.tsx'
import { type FollowUp, followUpOperation, possibleActions } from './follow-ups.ts'
import {
  actionPage,
  fieldPair,
  formAction,
  newTransactionRequestId,
  outcomeField,
  paymentLine,
  sendOnce,
  sentText,
  typedAmounts,
} from './form-parts.tsx'

/** What an action acts on, and how. */
type FollowUpTarget = ReturnType<typeof targetIn>

const targetIn = (context: PagesContext, action: FollowUp, { id, baseUrl }: PageRequest) => ({
  action,
  ...transactionNamed(context.engine.state.ledgers, id),
  baseUrl,
})

/** The form of an action on a transaction; a query fills its fields. */
export const followUpPage =
  (action: FollowUp): MakePage =>
  (context, request, form) => {
    const target = targetIn(context, action, request)
    const { transaction } = target
    const preset = action
      .amounts(transaction)
      .map(({ name, value }) => [name, value === null ? '' : formatAmount(value, transaction.currency)])
    const transactionRequestId = newTransactionRequestId()
    const values = { ...Object.fromEntries(preset), ...request.query, transactionRequestId }
    return formView(context, target, form ?? { values })
  }

/** Carries out the action. */
export const followUpAction = (action: FollowUp): PageAction =>
  formAction(
    followUpPage(action),
    [...Object.values(partFields), 'where', 'outcome', 'transactionRequestId'],
    async (context, values, request) => {
      const target = targetIn(context, action, request)
      const sent = await sendOnce(context, followUpRequest(target, values), values.transactionRequestId ?? '')
      const done = action.done?.(target.transaction, sent.data) ?? `${action.label}: done.`
      return { to: `/transactions/${request.id}`, notice: { text: sentText(sent, action.label) ?? done } }
    },
    sharedBaseUrlOf,
  )

/** The request of the form. */
function followUpRequest(target: FollowUpTarget, values: Values): FormRequest {
  const { action, ledger, transaction, baseUrl } = target
  const fields = action.amounts(transaction)
  const names = fields.map(({ name }) => name)
  const amounts = typedAmounts(values, names, transaction.currency)
  const [first] = fields
  if (first !== undefined && Object.keys(amounts).length === 0) rejectField(first.name, 'is required') // without one, the service would take all that is left
  const { appId, merchantId } = ledger.settings
  const operation = followUpOperation(action, transaction)
  const { transactionRequestId, where, outcome } = values
  const named =
    commandArgument(operation)?.member === 'sessionId'
      ? { sessionId: transaction.online?.sessionId }
      : { originalTransactionId: transaction.id, transactionRequestId }
  const inCloud = runsAnywhere(target) && where !== 'terminal'
  return {
    operation,
    appId,
    merchantId,
    members: { ...named, ...amounts, ...(inCloud && { pushToTerminal: false }) },
    outcome: outcome || null,
    baseUrl,
  }
}

/** True if both the cloud and the terminal can process it. */
const runsAnywhere = ({ action, transaction }: FollowUpTarget): boolean =>
  'pushToTerminal' in memberSchemas(followUpOperation(action, transaction))

/** A reason with the words of statuses in place of their names: `is declined, not approved`. */
const statusesInWords = (why: string): string =>
  why.replace(/\b[A-Z]+\b/g, (name) => (isStatus(name) ? statusWordOf(name) : name))

const isStatus = (name: string): name is Status => (statuses as readonly string[]).includes(name)

/** Why an action is not possible, without the API's words where others say it. */
function whyNot({ code, message, why, detail }: Refusal): string {
  const says = why === undefined ? detail : `this payment ${statusesInWords(why)}`
  const isSaid = says !== undefined && (code === 'SBX_NOT_ALLOWED' || code === 'SBX_SESSION_NONE')
  return capitalize([!isSaid && message, says].filter(Boolean).join(': '))
}

function formView(context: PagesContext, target: FollowUpTarget, form: FormState): PageView {
  const { action, transaction, ledger } = target
  const { id, currency } = transaction
  const remaining = action.remaining?.(transaction) ?? null
  const back = `/transactions/${id}`
  const now = context.clock.now()
  const refusal = refusalOfFollowUp(ledger, transaction, followUpOperation(action, transaction), now)
  const asks = action.isDestructive && refusal === null
  return actionPage({
    title: `${action.label} ${id}`,
    heading: asks ? `${action.label.replace(/^\w+$/, '$& this payment')}?` : action.label,
    lead: (
      <>
        {paymentLine(transaction, remaining)}
        {refusal === null && <p class="text-sm text-ink-soft">{action.lead}</p>}
      </>
    ),
    form,
    against: refusal && {
      why: whyNot(refusal),
      instead: possibleActions(ledger, transaction, now).map(({ path, label, isDestructive }) => (
        <a class={actionLooks[isDestructive ? 'danger' : 'plain']} href={`${back}/${path}`} data-drawer>
          {label}
        </a>
      )),
    },
    action: `${back}/${action.path}`,
    submit: action.label,
    ...(action.isDestructive && { name: 'question' }),
    ...(asks && { look: 'commit' as const, cancel: 'Keep it' }),
    back,
    fields: followUpFields(context, target, form),
    equivalents: () => formEquivalents(context, followUpRequest(target, form.values), currency),
  })
}

function followUpFields(context: PagesContext, target: FollowUpTarget, form: FormState) {
  const { action, transaction } = target
  const { currency, terminalSn } = transaction
  const amounts = action.amounts(transaction)
  const places = [
    ['cloud', 'in the cloud, immediately'],
    ['terminal', `on ${terminalSn}`],
  ] as const
  return (
    <>
      {amounts.length > 0 &&
        fieldPair(
          form,
          amounts.map(({ name, label }) => ({ name, label, currency })),
        )}
      {fieldPair(form, [
        runsAnywhere(target) && { name: 'where', label: 'Processed', options: places },
        'opens' in operations[followUpOperation(action, transaction)] && outcomeField(context),
      ])}
    </>
  )
}
