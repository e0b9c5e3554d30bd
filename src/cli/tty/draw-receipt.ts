import type { ReceiptLine } from '../../contract/sandbox/receipts.ts'
import { fitText } from '../../text/wrap.ts'
import { clean } from '../output/clean.ts'
import { centre, justifiedLine, type Line, line } from './styled-line.ts'

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
