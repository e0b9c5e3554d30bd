import * as v from 'valibot'
import { list, one, shape, text } from '../answer-kinds.ts'

/** A line of a receipt; `rule` is a line across. */
const receiptLine = v.variant('kind', [
  v.object({ kind: one(['title', 'text', 'strong']), text }),
  v.object({ kind: one(['pair', 'total']), label: text, value: text }),
  v.object({ kind: one(['rule', 'space']) }),
])
export type ReceiptLine = v.InferOutput<typeof receiptLine>

/** Answer of `receipt`: both copies, line by line. */
export const receipt = shape({
  transactionId: text,
  merchant: list(receiptLine),
  customer: list(receiptLine),
})
export type Receipt = v.InferOutput<typeof receipt>
