/** A line of a receipt; `rule` is a line across. */
export type ReceiptLine =
  | { readonly kind: 'title' | 'text' | 'strong'; readonly text: string }
  | { readonly kind: 'pair' | 'total'; readonly label: string; readonly value: string }
  | { readonly kind: 'rule' | 'space' }

/** What `receipt` answers: both copies, line by line. */
export interface Receipt {
  readonly transactionId: string
  readonly merchant: readonly ReceiptLine[]
  readonly customer: readonly ReceiptLine[]
}
