import type { Receipt, ReceiptLine } from '../../contract/sandbox/receipts.ts'
import { Barcode } from '../components/barcode.tsx'
import { Icon } from '../components/icons.tsx'

/** The printer: its slot, and the paper that came out of it last. */
export const Printer = ({ receipt }: { readonly receipt: Receipt | null }) => (
  <div class="printer">
    <div class="printer-head">
      <h2 class="printer-title">Receipt</h2>
      {receipt !== null && (
        <button class="printer-button" type="button" data-print>
          <Icon name="print" />
          Print
        </button>
      )}
    </div>
    <div class="printer-slot" aria-hidden="true" />
    <div class="printer-out">
      {receipt === null ? (
        <p class="printer-note">Nothing has been printed yet.</p>
      ) : (
        <div class="paper">
          <fieldset class="copies">
            <legend class="visually-hidden">Copy that is shown</legend>
            <Pick id={receipt.transactionId} copy="customer" label="Customer copy" />
            <Pick id={receipt.transactionId} copy="merchant" label="Merchant copy" />
          </fieldset>
          <Copy id={receipt.transactionId} copy="customer" lines={receipt.customer} />
          <Copy id={receipt.transactionId} copy="merchant" lines={receipt.merchant} />
        </div>
      )}
    </div>
  </div>
)

type CopyName = 'customer' | 'merchant'

const Pick = ({
  id,
  copy,
  label,
}: {
  readonly id: string
  readonly copy: CopyName
  readonly label: string
}) => (
  <label class="pick">
    <input
      type="radio"
      name={`copy-${id}`}
      class={`pick-${copy}`}
      checked={copy === 'customer'}
      autocomplete="off"
    />
    {label}
  </label>
)

interface CopyProps {
  readonly id: string
  readonly copy: CopyName
  readonly lines: readonly ReceiptLine[]
}

const Copy = ({ id, copy, lines }: CopyProps) => (
  <section class={`copy copy-of-${copy}`}>
    {lines.map((line) => (
      <Line line={line} />
    ))}
    <Barcode digits={id.replace(/\D/g, '')} />
  </section>
)

const Line = ({ line }: { readonly line: ReceiptLine }) => {
  if ('text' in line) return <p class={`copy-${line.kind}`}>{line.text}</p>
  if (!('label' in line)) return <hr class={`copy-${line.kind}`} />
  return (
    <p class={`copy-${line.kind}`}>
      <span>{line.label}</span>
      <span>{line.value}</span>
    </p>
  )
}
