import type { PropsWithChildren } from 'hono/jsx'
import { type ScreenView, terminalPath } from '../../../contract/control/screens.ts'
import { formatAmount } from '../../../contract/currencies.ts'
import { errorTable, type Refusal } from '../../../contract/errors.ts'
import { withoutCommands } from '../../../shared/text/commands.ts'
import { Hidden, Select, Submit } from '../../components/actions.tsx'
import { Notice } from '../../components/basics.tsx'
import { AddressedCommand } from '../../components/command.tsx'
import { Icon } from '../../components/icons.tsx'
import { iconButtonLook } from '../../components/looks.ts'
import { Panel } from '../../components/panel.tsx'
import { type WorkbenchView, workbenchId } from './workbench-view.ts'

interface ActionFormProps {
  readonly view: ScreenView
  readonly act: 'present' | 'tip' | 'pin' | 'sign' | 'cancel' | 'set' | 'sell' | 'pair'
  readonly className?: string
  /** Distinguishes two forms of the same act. */
  readonly of?: string
  /** The transaction before a sale. */
  readonly after?: string
}

/** A form that does something at the terminal, for the transaction that is shown and no other. */
export const WorkbenchForm = ({ view, act, of, ...form }: PropsWithChildren<ActionFormProps>) => {
  const action = `${terminalPath(view.terminalSn)}/${act}`
  return (
    <form
      id={[of, act, workbenchId(view.terminalSn)].filter(Boolean).join('-')}
      class={form.className}
      method="post"
      action={action}
      hx-post={action}
      hx-swap="none ignoreTitle:true"
      hx-sync="this:drop"
      autocomplete="off"
      data-after={form.after}
    >
      {act !== 'set' && act !== 'sell' && view.transaction !== null && (
        <input type="hidden" name="transactionId" value={view.transaction.transactionId} />
      )}
      {form.children}
    </form>
  )
}

/** It takes no room, so that nothing moves: it hangs over the device's upper end, and stays in sight. */
export const refusalLook =
  'fragment-refusal sticky top-[calc(var(--masthead)+1rem)] z-3 h-0 *:absolute *:inset-x-0 *:-top-2 *:mx-auto *:max-w-88 *:animate-arrive *:px-3 *:py-2 *:text-note *:shadow-lg @min-[44rem]/counter:*:mx-0 @min-[44rem]/counter:*:w-88 [&_.notice-title]:pe-8 [&_.notice-title]:text-sm'

/** A refused action and the reason. It covers the device and moves nothing. */
export function RefusalNotice({ refusal }: { readonly refusal: Refusal | undefined }) {
  if (refusal === undefined) return null
  const [title, text] = refusalText(refusal)
  return (
    <Notice tone="error" title={title}>
      <p>{text}</p>
      <CloseButton />
    </Notice>
  )
}

/** Template that the page's script fills for an action that was refused before it reached the terminal. */
export const RefusalNoticeTemplate = () => (
  <template data-refused>
    <Notice tone="error" title="That did not work">
      <p />
      <CloseButton />
    </Notice>
  </template>
)

const CloseButton = () => (
  <button
    class={`${iconButtonLook} absolute top-0 right-0 with-scripts`}
    type="button"
    data-close
    aria-label="Close this message"
  >
    <Icon name="cross" />
  </button>
)

/** Title and text of a refused action. A parameter is named as the screen names it. */
function refusalText({ code, field = '', detail, message }: Refusal): readonly [title: string, text: string] {
  if (code === 'SBX_TERM_SCREEN')
    return field === 'transactionId'
      ? [
          'This window was out of date',
          'The terminal has moved on. Nothing was changed. You now see its current screen.',
        ]
      : ['Not possible on this screen', `${detail ?? message}. Nothing was changed.`]
  const title = 'That did not work'
  if (code !== 'C17') return [title, `${message}. ${withoutCommands(errorTable[code].remedy)}.`]
  const wrong = field in fieldNames ? `${fieldNames[field]}: ${detail ?? message}` : message
  return [title, `${wrong}. Nothing was changed.`]
}

const fieldNames: Readonly<Record<string, string>> = { tipAmount: 'Other amount', amount: 'Amount' }

/**
 * The amount of a sale, typed on the keys, and its soft keys. `data-after` names the payment before: a form
 * that takes the place of an equal one keeps what was typed. `transactionRequestId`: of the sale that the
 * form starts: sent twice, it is one sale.
 */
export const saleForm = (workbench: WorkbenchView, transactionRequestId: string) => {
  const { screen: view, currencies } = workbench
  const [currency = ''] = currencies
  const id = `amount-${workbenchId(view.terminalSn)}`
  return (
    <WorkbenchForm
      view={view}
      act="sell"
      className="sale grid gap-3 mt-6 with-scripts"
      after={view.last?.transactionId ?? ''}
    >
      <Hidden fields={{ transactionRequestId, ...(currencies.length === 1 && { currency }) }} />
      <label class="sr-only" for={id}>
        Amount
      </label>
      <input
        id={id}
        class="sale-amount w-full border-0 bg-transparent p-0 text-center text-[clamp(1.75rem,10.5cqi,3rem)]/[1.2] font-semibold tracking-[-0.03em] tabular-nums"
        name="amount"
        inputmode="decimal"
        placeholder={formatAmount(0, currency)}
        readonly
      />
      <div class="flex justify-center gap-2">
        {currencies.length > 1 ? (
          <label class="soft-key min-h-control px-3 flex items-center rounded-full text-sm font-medium">
            <span class="sr-only">Currency</span>
            <Select name="currency" options={currencies} />
          </label>
        ) : (
          <span class="flex items-center text-sm font-medium">{currency}</span>
        )}
        <label class="soft-key min-h-control px-3 flex items-center gap-2 rounded-full text-sm font-medium">
          <input type="checkbox" name="tip" value="true" />
          Ask for tip
        </label>
      </div>
      <Submit look="main">Start the sale</Submit>
    </WorkbenchForm>
  )
}

/** What pairs a terminal with a merchant: here, or from a shell. */
export const pairingForm = ({ screen: view, merchants, command }: WorkbenchView) => (
  <Panel title="Pair with a merchant" name="pairing">
    <p class="text-ink-soft text-sm">It takes payments once it is paired.</p>
    <p class="viewer-only text-sm">This terminal is not paired. Someone with an admin token can pair it.</p>
    <WorkbenchForm view={view} act="pair" className="my-3 grid grid-cols-[minmax(0,1fr)_auto] gap-2">
      <Hidden fields={{ code: view.pairingCode ?? '' }} />
      <Select name="merchantId" aria-label="Merchant" options={merchants} />
      <Submit look="main">Pair</Submit>
    </WorkbenchForm>
    <p class="mt-4 mb-1 text-sm">Or with its code, from a shell:</p>
    <AddressedCommand text={command} />
  </Panel>
)
