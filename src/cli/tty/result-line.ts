import { formatAmount } from '../../contract/currencies.ts'
import type { ScreenView, ShownTransaction } from '../../contract/sandbox/screens.ts'
import type { Status } from '../../contract/statuses.ts'
import { clean } from '../output/clean.ts'
import { statusSymbols } from '../output/status-symbols.ts'
import type { Line } from './styled-line.ts'

/** How a transaction ended, in a line: `✗ 22.00 USD 005 Do not honor`. */
export function resultLine({
  status,
  transactionAmount,
  currency,
  resultCode,
  resultMsg,
}: ShownTransaction): Line {
  const amount = `${formatAmount(transactionAmount, currency)} ${currency}`
  const why = status === 'CLOSED' ? 'closed unpaid' : [resultCode, resultMsg].filter(Boolean).join(' ')
  return [
    [statusSymbols[status as Status] ?? '…', status === 'SUCCESS' ? 'good' : 'bad'],
    [` ${amount}`],
    [` ${clean(why)}`, 'faint'],
  ]
}

/** The transaction that ended before the current one of the terminal; no screen shows its result any more. */
export const previousTransaction = ({ screen, transaction, last }: ScreenView): ShownTransaction | null =>
  screen !== 'result' && transaction !== null && last?.transactionId !== transaction.transactionId
    ? last
    : null
