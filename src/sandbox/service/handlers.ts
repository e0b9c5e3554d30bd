import { readAmounts } from '../../contract/amounts.ts'
import { reject, rejectSaying } from '../../contract/errors.ts'
import { commandArgument } from '../../contract/operation-members.ts'
import type { OriginalReference } from '../../contract/operations/request-members.ts'
import type { OperationName, ServiceAnswer, ServiceInput } from '../../contract/operations.ts'
import { remedyText } from '../../contract/remedies.ts'
import { cardFor } from '../../domain/model/cards.ts'
import type { ChangeName, Command, OpeningName, Stamp } from '../../domain/model/commands.ts'
import { type BatchClose, type Ledger, terminalOf } from '../../domain/model/ledger.ts'
import type { Transaction } from '../../domain/model/transaction.ts'
import { requireSession } from '../../domain/rules/checkout-sessions.ts'
import { findRepeated, findReused, refuseReused } from '../../domain/rules/duplicates.ts'
import { hasReference, refundable, requireOriginal } from '../../domain/rules/originals.ts'
import { paymentOfOrder } from '../../domain/rules/refund.ts'
import { waitsBehind } from '../../domain/screen-flow.ts'
import { merchantProfileOf, type RequestMark } from '../../domain/state.ts'
import { command } from '../../shared/text/commands.ts'
import type { HandlerResult } from '../answering/answer.ts'
import { recordForReader } from '../records/transaction-record.ts'
import { readWalletPayload } from '../wallet/read-payload.ts'
import { settlementMembers } from './injected-fault.ts'
import {
  batchCloseAnswer,
  batchCloseList,
  batchList,
  merchantRecord,
  requireTransaction,
  terminalPage,
} from './lookups.ts'
import {
  directPaymentAnswer,
  expiredAnswer,
  onlineRefundAnswer,
  openedAnswer,
  originalIds,
  sessionAnswer,
} from './make-answers.ts'
import {
  checkTerminal,
  ledgerOfRequest,
  type OperationHandler,
  type ReadName,
  type RequestContext,
  type ServiceContext,
} from './request-context.ts'
import { requestMark } from './used-ids.ts'

const opened = (
  ledger: Ledger,
  { operation, input, reader }: RequestContext<OpeningName>,
  id: string | undefined,
) => openedAnswer(ledger, operation, required(ledger, id), input as OriginalReference, reader)

/**
 * Notes that a refund without reference has a payment under its order; strict, refuses it. assumption:
 * refund-without-reference
 */
function prepareRefund(context: ServiceContext, request: RequestContext<'refund'>) {
  const { input } = request
  const { ledger } = ledgerOfRequest(context, request)
  const paid = hasReference(input) ? undefined : paymentOfOrder(ledger, input.referenceOrderId ?? '')
  if (paid === undefined) return { members: {}, notes: [] }
  const detail = `${paid.orderId} has the payment ${paid.id}, to which this refund is not linked`
  const remedy = remedyText({ action: 'refund-payment', ...refundable(paid, readAmounts(input).order) })
  if (context.options.strict) rejectSaying('referenceOrderId', detail, remedy)
  return { members: {}, notes: [`referenceOrderId: ${detail}. ${remedy}`] }
}

/** One handler for each row of the operation table. */
export const handlers: { readonly [N in OperationName]: OperationHandler<N> } = {
  sale: change(opened),
  auth: change(opened),
  'forced-auth': change(opened),
  'incremental-auth': change(opened),
  'post-auth': change(opened),
  refund: change(opened, prepareRefund),
  void: change(opened),
  abort: change((ledger, { input }, id) => ({
    ...originalIds(input),
    transactionStatus: required(ledger, id).status === 'CLOSED' ? 'C' : 'P', // P: the host was asked already, its outcome stands
  })),
  'tip-adjust': change((_, { input }) => ({ ...originalIds(input), tipAmount: input.tipAmount })),
  'create-session': change(
    (ledger, { baseUrl }, id) => sessionAnswer(ledger, required(ledger, id), baseUrl()),
    ({ identifiers }) => ({ members: { sessionId: identifiers.sessionId() }, notes: [] }),
  ),
  'direct-payment': change(
    (ledger, _, id) => directPaymentAnswer(required(ledger, id)),
    ({ catalogue, clock, options }, { input: { paymentMethod, cardEncryptedData } }) => {
      const { card, note } = readWalletPayload(paymentMethod, cardEncryptedData, {
        cards: catalogue,
        now: clock.wall(), // of who made it. assumption: wall-clock
        strict: options.strict,
      })
      return { members: { card: card.name }, notes: note === null ? [] : [note] }
    },
  ),
  'expire-session': change((ledger, _, id) => expiredAnswer(ledger, required(ledger, id))),
  'online-refund': change((ledger, _, id) => onlineRefundAnswer(ledger, required(ledger, id))),
  query: read((ledger, { input, reader }) =>
    recordForReader(ledger, requireTransaction(ledger, input), reader),
  ),
  'batch-query': read((ledger, { input, reader }) => batchList(ledger, input, reader)),
  'batch-close': change(
    (ledger, { input, reader }) =>
      batchCloseAnswer(ledger, ledger.closes.get(input.transactionRequestId) as BatchClose, reader),
    settlementMembers,
  ),
  'batch-close-list': read((ledger, { input, reader }, { clock }) =>
    batchCloseList(ledger, input, reader, clock.now()),
  ),
  'merchant-query': read((ledger, _, { engine, clock }) =>
    merchantRecord(ledger, merchantProfileOf(engine.state, ledger.settings.merchantId), clock.now()),
  ),
  'merchant-terminals': read((ledger, { input }, { engine }) =>
    terminalPage(ledger, input, merchantProfileOf(engine.state, ledger.settings.merchantId)),
  ),
}

/** The transaction of an accepted request; only a reset removes it. */
const required = (ledger: Ledger, id: string | undefined): Transaction =>
  ledger.transactions.get(id ?? '') ?? reject('SBX_TXN_UNKNOWN', { detail: 'it was forgotten by a reset' })

/** Handles a look-up: answers with the state once it is durable; after a failed write it reads again. */
function read<N extends ReadName>(
  look: (ledger: Ledger, request: RequestContext<N>, context: ServiceContext) => ServiceAnswer<N>,
): OperationHandler<N> {
  return async (context, request) => {
    const { engine } = context
    await engine.readable()
    const show = (): HandlerResult => {
      const { ledger, notes } = ledgerOfRequest(context, request)
      const all = [...notes, ...checkTerminal(context, request, ledger)]
      return { data: look(ledger, request, context), notes: all }
    }
    const shown = show()
    return !engine.unsettled || (await engine.written()) ? shown : show()
  }
}

/**
 * Makes the answer to an accepted request from the ledger after that request, both first and replayed.
 * `transactionId`: the transaction that the request opened or acted on, if any.
 */
type MakeAnswer<N extends ChangeName> = (
  ledger: Ledger,
  request: RequestContext<N>,
  transactionId: string | undefined,
) => ServiceAnswer<N>

/** The command's members that are not in the request, and notes for the request log. */
type Preparation<N extends ChangeName> = (
  context: ServiceContext,
  request: RequestContext<N>,
) => { readonly members: object; readonly notes: readonly string[] }

/**
 * Handles a request that changes the ledger, once. Nothing is awaited between the check for duplicates and
 * the decision, so of two equal requests at the same moment exactly one is accepted.
 */
function change<N extends ChangeName>(
  answer: MakeAnswer<N>,
  prepare: Preparation<N> = () => ({ members: {}, notes: [] }),
): OperationHandler<N> {
  const changeOnce = (context: ServiceContext, request: RequestContext<N>): Promise<HandlerResult> => {
    const { engine, options } = context
    const mark = requestMark(request)
    const repeated = findRepeated(engine.state, options.duplicates, mark)
    if (repeated === undefined) return applyChange(context, request, mark, answer, prepare)
    const { ledger } = ledgerOfRequest(context, request)
    return replay(context, answer(ledger, request, repeated.transactionId))
  }
  return (context, request) =>
    context.engine.isReloading
      ? context.engine.ready().then(() => changeOnce(context, request))
      : changeOnce(context, request)
}

/** Applies the business rules, from the check of merchant and terminal to the decision. */
function applyChange<N extends ChangeName>(
  context: ServiceContext,
  request: RequestContext<N>,
  mark: RequestMark,
  answer: MakeAnswer<N>,
  prepare: Preparation<N>,
): Promise<HandlerResult> {
  const { operation, input, outcome, traceparent, fault } = request
  const injected = fault?.kind === 'outcome' ? fault.name : undefined
  const { fingerprint } = mark
  const { ledger, notes } = ledgerOfRequest(context, request)
  const command = { type: operation, input, fingerprint, outcome, injected, traceparent }
  const mayReplay = context.options.duplicates === 'replay'
  const reused = mayReplay ? findReused(ledger, command) : undefined
  if (reused !== undefined) {
    const again = { ...mark, ...reused }
    return context.engine
      .rememberRequest(ledger, again)
      .then(() => replay(context, answer(ledger, request, reused.transactionId)))
  }
  refuseReused(ledger, command)
  const before = [...notes, ...checkTerminal(context, request, ledger)]
  const more = prepare(context, request)
  const full = Object.assign(command, more.members) as Command // a spread would be slower
  const makeResult = ({ transactionId: made }: Stamp): HandlerResult => {
    const transactionId = ledger.transactions.has(made) ? made : actedOn(ledger, request)
    if (transactionId !== undefined) mark.transactionId = transactionId
    const later = [...more.notes, ...notesOnOpened(ledger, input, made), ...tipNote(ledger, input, made)]
    return {
      data: answer(ledger, request, transactionId),
      notes: [...before, ...later],
    }
  }
  return context.engine.run(ledger, full, makeResult, mark)
}

const isPushed = (input: object): boolean => !('pushToTerminal' in input) || input.pushToTerminal !== false

/**
 * Notes on a new transaction: that its terminal is gone, that it waits because its terminal is busy, or that
 * no card fits it. assumption: terminal-identity, terminal-queue, cards
 */
function notesOnOpened(ledger: Ledger, input: object, id: string): readonly string[] {
  const opened = ledger.transactions.get(id)
  if (opened === undefined) return []
  if (opened.inCloud && opened.online === null && isPushed(input))
    return [`pushToTerminal: ${opened.terminalSn} is gone, so the follow-up runs in the cloud`]
  const behind = waitsBehind(ledger, opened)
  const terminal = terminalOf(ledger, opened)
  const asksCard = opened.originalId === null && terminal !== undefined
  const notes = behind == null ? [] : [`terminalSn: waits for ${behind}`]
  if (!asksCard || cardFor(ledger, terminal, opened.instructions) !== undefined) return notes
  const { category, method } = opened.instructions ?? {}
  const field = category === undefined && method === undefined ? 'cardNetworkType' : 'paymentMethod'
  return [...notes, `${field}: no test card of the terminal fits; the payment is declined (no-card-fits)`]
}

/** A note that an automatic terminal is asked for a tip and gives none. assumption: terminal-screens */
function tipNote(ledger: Ledger, input: object, id: string): readonly string[] {
  const { instructions, terminalSn } = ledger.transactions.get(id) ?? {}
  const profile = ledger.terminals.get(terminalSn ?? '')?.profile
  if (!isPushed(input) || !instructions?.tip || profile?.mode !== 'auto' || profile.tipPercent !== undefined)
    return []
  return [
    `tipConfig: ${terminalSn} gives no tip by itself; ${command('terminal set', terminalSn ?? '', '--tip-percent', '20')} makes it give one`,
  ]
}

/** Id of the transaction that a request acted on without opening one. */
function actedOn(ledger: Ledger, { operation, input }: RequestContext<ChangeName>): string | undefined {
  if (commandArgument(operation)?.member === 'sessionId')
    return requireSession(ledger, input as ServiceInput<'expire-session'>).id
  return hasReference(input as OriginalReference)
    ? requireOriginal(ledger, input as OriginalReference).id
    : undefined
}

/** Answers a replay only once its content is durable. */
async function replay({ engine }: ServiceContext, data: object): Promise<HandlerResult> {
  if (!(await engine.written())) reject('SBX_STORE_FAIL')
  return { data, notes: [], replayed: true }
}
