import type { Receipt } from '../../contract/sandbox/receipts.ts'
import { Icon } from '../components/icons.tsx'
import { ReceiptLines } from '../components/receipt-lines.tsx'

/** The printer: its slot, and the last paper. */
export const Printer = ({ receipt }: { readonly receipt: Receipt | null }) => (
  <div class="printer">
    <div class="printer-head row between h-2-75">
      <h2 class="body-size">Receipt</h2>
      {receipt !== null && (
        <button
          class="printer-button inline-flex pad-0-2 middle gap-2 small medium h-2-75"
          type="button"
          data-print
        >
          <Icon name="print" />
          Print
        </button>
      )}
    </div>
    <div class="printer-slot relative" aria-hidden="true" />
    <div class="printer-out clipped">
      {receipt === null ? (
        <p class="printer-note soft small text-center">Nothing has been printed yet.</p>
      ) : (
        <Paper receipt={receipt} />
      )}
    </div>
  </div>
)

const copies = [
  ['customer', 'Customer copy'],
  ['merchant', 'Merchant copy'],
] as const

const Paper = ({ receipt }: { readonly receipt: Receipt }) => (
  <div class="paper">
    <fieldset class="copies flex gap-1 below-3">
      <legend class="visually-hidden">Copy that is shown</legend>
      {copies.map(([copy, label]) => (
        <label class="pick">
          <input
            type="radio"
            name={`copy-${receipt.transactionId}`}
            class={`pick-${copy}`}
            checked={copy === 'customer'}
            autocomplete="off"
          />
          {label}
        </label>
      ))}
    </fieldset>
    {copies.map(([copy]) => (
      <section class={`copy text-center copy-of-${copy}`}>
        <ReceiptLines lines={receipt[copy]} />
      </section>
    ))}
  </div>
)
