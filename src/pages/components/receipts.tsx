import type { Receipt } from '../../contract/control/screens.ts'
import { capitalize } from '../../shared/text/words.ts'
import { actionLooks } from './actions.tsx'
import { ReceiptLines, Slip } from './basics.tsx'

const copies = ['customer', 'merchant'] as const

/** One copy of a receipt, a switch to the other one, and a button that prints both. */
export const Receipts = ({ receipt }: { readonly receipt: Receipt }) => (
  <div class="receipts stack gap-3">
    <fieldset class="row wrap amid gap-1">
      <legend class="visually-hidden">Copy that is shown</legend>
      {copies.map((copy) => (
        <label class="operation row round-s pressable small">
          <input type="radio" name="copy" value={copy} checked={copy === 'customer'} autocomplete="off" />
          {capitalize(copy)} copy
        </label>
      ))}
      <button class={`${actionLooks.plain} with-scripts`} type="button" data-print>
        Print
      </button>
    </fieldset>
    {copies.map((copy) => (
      <div class={`copy copy-of-${copy}`}>
        <Slip>
          <ReceiptLines lines={receipt[copy]} />
        </Slip>
      </div>
    ))}
  </div>
)
