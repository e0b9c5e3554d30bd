import type { HandlerResult } from '../answering/answer.ts'
import { readAmounts } from '../contract/amounts.ts'
import { reject } from '../contract/errors.ts'
import type { OriginalReference } from '../contract/operations/request-members.ts'
import type { OperationName, ServiceAnswer } from '../contract/operations.ts'
import type { OpeningName } from '../domain/model/commands.ts'
import type { BatchClose, Ledger } from '../domain/model/ledger.ts'
import type { Transaction } from '../domain/model/transaction.ts'
import { commandToRefund, hasReference } from '../domain/rules/originals.ts'
import { paymentOfOrder } from '../domain/rules/refund.ts'
import { merchantProfileOf } from '../domain/state.ts'
import { recordOf } from '../records/transaction-record.ts'
import { readWalletPayload } from '../wallet/read-payload.ts'
import { change } from './change-handler.ts'
import { settlementMembers } from './injected-fault.ts'
import {
  batchCloseAnswer,
  batchCloseList,
  batchList,
  merchantRecord,
  terminalPage,
  transactionOf,
} from './lookups.ts'
import {
  directPaymentAnswer,
  expiredAnswer,
  onlineRefundAnswer,
  openedAnswer,
  pairOf,
  sessionAnswer,
} from './make-answers.ts'
import {
  type OperationHandler,
  partiesOfRequest,
  type ReadName,
  type RequestContext,
  type ServiceContext,
} from './request-context.ts'

const opened = (
  ledger: Ledger,
  { operation, input, reader }: RequestContext<OpeningName>,
  id: string | undefined,
) => openedAnswer(ledger, operation, required(ledger, id), input as OriginalReference, reader)

/** Notes that a refund without reference has a payment under its order; strict, refuses it. assumption: refund-without-reference */
function prepareRefund(context: ServiceContext, request: RequestContext<'refund'>) {
  const { input } = request
  const { ledger } = partiesOfRequest(context, request)
  const paid = hasReference(input) ? undefined : paymentOfOrder(ledger, input.referenceOrderId ?? '')
  if (paid === undefined) return { members: {}, notes: [] }
  const detail = `${paid.orderId} has the payment ${paid.id}, to which this refund is not linked`
  const remedy = `Refund the payment: ${commandToRefund(paid, readAmounts(input).order)}`
  if (context.options.strict) reject('C17', { field: 'referenceOrderId', detail, remedy })
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
    ...pairOf(input),
    transactionStatus: required(ledger, id).status === 'CLOSED' ? 'C' : 'P', // P: the host was asked already, its outcome stands
  })),
  'tip-adjust': change((_, { input }) => ({ ...pairOf(input), tipAmount: input.tipAmount })),
  'create-session': change(
    (ledger, { baseUrl }, id) => sessionAnswer(ledger, required(ledger, id), baseUrl()),
    ({ identifiers }) => ({ members: { sessionId: identifiers.sessionId() }, notes: [] }),
  ),
  'direct-payment': change(
    (ledger, _, id) => directPaymentAnswer(required(ledger, id)),
    ({ catalogue, clock, options }, { input: { paymentMethod, cardEncryptedData } }) => {
      const { card, note } = readWalletPayload(paymentMethod, cardEncryptedData, {
        cards: catalogue,
        now: clock.wall(), // of who made it. assumption: clocks
        strict: options.strict,
      })
      return { members: { card: card.name }, notes: note === null ? [] : [note] }
    },
  ),
  'expire-session': change((ledger, _, id) => expiredAnswer(ledger, required(ledger, id))),
  'online-refund': change((ledger, _, id) => onlineRefundAnswer(ledger, required(ledger, id))),
  query: read((ledger, { input, reader }) => recordOf(ledger, transactionOf(ledger, input), reader)),
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

/** The transaction of an accepted request; only a reset removes it. Errors: SBX_TXN_UNKNOWN. */
const required = (ledger: Ledger, id: string | undefined): Transaction =>
  ledger.transactions.get(id ?? '') ?? reject('SBX_TXN_UNKNOWN', { detail: 'it was forgotten by a reset' })

/** Reads the data of an answer from the ledger of the request. */
type LookUp<N extends ReadName> = (
  ledger: Ledger,
  request: RequestContext<N>,
  context: ServiceContext,
) => ServiceAnswer<N>

/** Handles a look-up: answers with the current state once that is durable; after a failed write it reads again. */
function read<N extends ReadName>(look: LookUp<N>): OperationHandler<N> {
  return async (context, request) => {
    const { engine } = context
    if (engine.isReloading) await engine.ready()
    const show = (): HandlerResult => {
      const { ledger, notes } = partiesOfRequest(context, request)
      return { data: look(ledger, request, context), notes }
    }
    const shown = show()
    return !engine.unsettled || (await engine.written()) ? shown : show()
  }
}
