import { reject } from '../../contract/errors.ts'
import { screenNamed, terminalNamed } from '../../control/terminals.ts'
import { type Call, sharedBaseUrlOf } from '../../http/call.ts'
import { sendOnce } from '../dashboard/payments/form-parts.tsx'
import type { PagesContext } from '../frame/page-view.tsx'
import { amountIn, fieldsOf } from '../serving/form-fields.ts'
import { takesSale } from './screens/workbench-view.ts'

/**
 * Starts the sale that was typed at an idle terminal, as a request of the payment service. assumption: terminal-sale.
 * Errors: SBX_TERM_SCREEN when the terminal is busy by now; C17, SBX_UNREGISTERED, and the Refusal of the request.
 */
export async function startSale(context: PagesContext, call: Call, terminalSn: string): Promise<void> {
  const names = ['transactionRequestId', 'amount', 'currency', 'tip'] as const
  const { transactionRequestId = '', amount = '', currency = '', tip } = await fieldsOf(call, names)
  const { ledger } = terminalNamed(context, terminalSn)
  if (!takesSale(screenNamed(context, terminalSn))) reject('SBX_TERM_SCREEN', { field: 'transactionId' })
  const { appId, merchantId } = ledger.settings
  const members = {
    transactionRequestId,
    terminalSn,
    amount: amountIn(amount, currency, 'amount'),
    priceCurrency: currency,
    ...(tip === 'true' && { tipConfig: { onScreenTip: true } }),
  }
  const request = { operation: 'sale', appId, merchantId, members, outcome: null } as const
  await sendOnce(context, { ...request, baseUrl: sharedBaseUrlOf(call) }, transactionRequestId)
}
