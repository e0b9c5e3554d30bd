import type { Receipt } from '../../contract/control/screens.ts'
import { capitalize } from '../../shared/text/words.ts'
import { ReceiptLines, Slip } from './basics.tsx'
import { actionLooks, operationLook } from './looks.ts'

const copies = ['customer', 'merchant'] as const

/** One copy of a receipt, a switch to the other one, and a button that prints both. */
export const Receipts = ({ receipt }: { readonly receipt: Receipt }) => (
  <div class="receipts grid gap-3">
    <fieldset class="mx-auto flex w-[min(20rem,100%)] flex-wrap items-center justify-between gap-1">
      <legend class="sr-only">Copy that is shown</legend>
      {copies.map((copy) => (
        <label class={operationLook}>
          <input
            class="absolute opacity-0"
            type="radio"
            name="copy"
            value={copy}
            checked={copy === 'customer'}
            autocomplete="off"
          />
          {capitalize(copy)} copy
        </label>
      ))}
      <button class={`${actionLooks.link} with-scripts ms-2`} type="button" data-print>
        Print
      </button>
    </fieldset>
    {copies.map((copy) => (
      <div
        class={`copy copy-of-${copy} mx-auto w-[min(20rem,100%)] text-center font-mono text-note/[1.45] print:break-after-page`}
      >
        <Slip>
          <ReceiptLines lines={receipt[copy]} />
        </Slip>
      </div>
    ))}
  </div>
)
