import type { ReceiptLine, ScreenView, ShownTransaction } from '../../contract/sandbox/screens.ts'
import { statusOf } from '../../contract/statuses.ts'
import { amountText } from '../../presentation/money.ts'
import { fitText } from '../../text/display-width.ts'
import { clean } from '../output/clean.ts'
import { lookOf } from '../output/status-symbols.ts'
import { centre, justifiedLine, type Line, line } from './styled-line.ts'

/** How a transaction ended, in a line: `✗ 22.00 USD 005 Do not honor`. */
export function resultLine({
  status,
  transactionAmount,
  currency,
  resultCode,
  resultMsg,
}: ShownTransaction): Line {
  const [sign, style] = lookOf(statusOf(status))
  const why = status === 'CLOSED' ? 'closed unpaid' : [resultCode, resultMsg].filter(Boolean).join(' ')
  return [[sign, style], [` ${amountText(transactionAmount, currency)}`], [` ${clean(why)}`, 'faint']]
}

/** The transaction that ended before the current one of the terminal; no screen shows its result any more. */
export const previousTransaction = ({ screen, transaction, last }: ScreenView): ShownTransaction | null =>
  screen !== 'result' && transaction !== null && last?.transactionId !== transaction.transactionId
    ? last
    : null

/** Columns of a receipt. */
export const receiptColumns = 36

/** A copy of a receipt as it is printed. */
export const receiptLines = (copy: readonly ReceiptLine[], columns = receiptColumns): Line[] =>
  copy.flatMap((row) => printed(row, columns))

function printed(row: ReceiptLine, columns: number): Line[] {
  switch (row.kind) {
    case 'rule':
      return [line('─'.repeat(columns), 'faint')]
    case 'space':
      return [[]]
    case 'pair':
      return [justifiedLine(line(row.label, 'faint'), line(clean(row.value)), columns)]
    case 'total':
      return [justifiedLine(line(row.label, 'strong'), line(row.value, 'strong'), columns)]
    case 'text':
      return fitText(clean(row.text), columns).map((text) => centre(line(text), columns))
    default:
      return fitText(clean(row.text), columns).map((text) => centre(line(text, 'strong'), columns))
  }
}
