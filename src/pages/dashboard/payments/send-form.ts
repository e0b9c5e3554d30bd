import type { OwnRequest } from '../../../answering/own-request.ts'
import { errorTable, Refusal, rejectField } from '../../../contract/errors.ts'
import type { Transaction } from '../../../domain/model/transaction.ts'
import type { Call } from '../../../http/call.ts'
import { refuseCardData } from '../../../http/card-data.ts'
import type { PagesContext } from '../../frame/pages-context.ts'
import { fieldsOf } from '../../serving/form-fields.ts'
import { isOwnTransactionRequestId, type Values } from './form-parts.tsx'

/** The result of a submitted form. */
export interface SendResult {
  readonly data: object
  /** The new transaction, or that of the first submission; undefined when the operation opens none. */
  readonly opened: Transaction | undefined
  /** True when the same form was sent before: nothing more was done. */
  readonly wasSent: boolean
}

/** The posted fields. Errors: SBX_CARD_DATA, SBX_TOO_LARGE; C17 for a form that is not of a page. */
export async function postedValues(call: Call, names: readonly string[]): Promise<Values> {
  const values = await fieldsOf(call, [...names, 'transactionRequestId'])
  refuseCardData(JSON.stringify(values))
  if (!isOwnTransactionRequestId(values.transactionRequestId ?? ''))
    rejectField('transactionRequestId', 'the form does not come from this page')
  return values
}

/** Sends the request of a form; a second submission does nothing more. Errors: the Refusal of the request. */
export async function sendOnce(
  context: Pick<PagesContext, 'carryOut' | 'engine'>,
  own: OwnRequest,
  transactionRequestId: string,
): Promise<SendResult> {
  const openedBy = () =>
    context.engine.state.ledgers
      .get(own.merchantId)
      ?.transactions.withTransactionRequestId(transactionRequestId)
  try {
    const { data, replayed } = await context.carryOut(own)
    return { data, opened: openedBy(), wasSent: replayed === true }
  } catch (error) {
    if (!(error instanceof Refusal) || !isDuplicate(error)) throw error
    return { data: {}, opened: openedBy(), wasSent: true }
  }
}

const isDuplicate = ({ code }: Refusal): boolean => code === 'SBX_DUP_TXN_ID' || code === 'SBX_DUP_OTHER'

/** A refusal to show beside the input. Card data is not shown again. Errors: any other error. */
export function shownRefusal(error: unknown): Refusal {
  const isShown =
    error instanceof Refusal && errorTable[error.code].kind === 'business' && error.code !== 'SBX_CARD_DATA'
  if (!isShown) throw error
  return error
}
