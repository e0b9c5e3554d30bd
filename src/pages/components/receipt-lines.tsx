import type { ReceiptLine } from '../../contract/sandbox/receipts.ts'

/** The lines of one copy of a receipt. */
export const ReceiptLines = ({ lines }: { readonly lines: readonly ReceiptLine[] }) => (
  <>
    {lines.map((line) => {
      const className = `receipt-${line.kind}`
      if ('text' in line) return <p class={className}>{line.text}</p>
      if (!('label' in line)) return <hr class={className} />
      return (
        <p class={className}>
          <span>{line.label}</span>
          <span>{line.value}</span>
        </p>
      )
    })}
  </>
)
