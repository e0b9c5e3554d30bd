import { pinLength, testPin } from '../../../contract/control/pin.ts'
import { formatAmount } from '../../../contract/currencies.ts'
import { money } from '../../../contract/presentation/money.ts'
import { Submit } from '../../components/actions.tsx'
import { Icon } from '../../components/icons.tsx'
import { actionLooks } from '../../components/looks.ts'
import { WorkbenchForm } from './forms.tsx'
import { type ScreenProps, workbenchId } from './workbench-view.ts'

const Sum = ({ transaction: { transactionAmount, currency } }: Pick<ScreenProps, 'transaction'>) => {
  const sum = money(transactionAmount, currency)
  return (
    <p class={sum.length > 12 ? 'sum font-semibold sum-long tabular-nums' : 'sum font-semibold tabular-nums'}>
      {sum}
    </p>
  )
}

/** A card is asked for. */
export const PresentScreen = ({ view, transaction }: ScreenProps) => (
  <div>
    <p class="first-letter:uppercase text-ink-soft text-sm font-medium">
      {transaction.type.replaceAll('_', ' ').toLowerCase()}
    </p>
    <Sum transaction={transaction} />
    {transaction.description !== null && (
      <p class="line-clamp-2 [@container_(max-height:19.5rem)]:line-clamp-1 text-ink-soft text-sm">
        {transaction.description}
      </p>
    )}
    {view.screen === 'insert-card' ? (
      <>
        <span class="insert-art" aria-hidden="true">
          <i />
        </span>
        <h2 class="display-heading leading-snug">Insert the card</h2>
        <p class="text-note text-ink-soft mt-1">The amount is above the contactless limit</p>
      </>
    ) : (
      <>
        <span class="tap-art" aria-hidden="true">
          <i />
          <Icon name="tap" look="w-[0.4em]" />
        </span>
        <h2 class="display-heading leading-snug">
          {view.acts.includes('present') ? 'Present card' : 'Reading the card'}
        </h2>
        {view.acts.includes('present') && <p class="text-note text-ink-soft mt-1">Tap, insert or swipe</p>}
      </>
    )}
    {transaction.referenceOrderId !== null && (
      <p class="text-ink-soft mt-2 code">{transaction.referenceOrderId}</p>
    )}
  </div>
)

/** Tip screen: the suggestions, no tip, or another amount. */
export const TipScreen = ({ view, transaction }: ScreenProps) => {
  const { currency, transactionAmount } = transaction
  const inert = !view.acts.includes('tip')
  return (
    <div>
      <h2 class="first-letter:uppercase text-ink-soft text-sm font-medium">
        Add a tip to {money(transactionAmount, currency)}?
      </h2>
      <WorkbenchForm view={view} act="tip" className="mt-3">
        <div class="grid-cols-2 grid gap-2">
          {[...view.tips, { label: 'No tip', tipAmount: 0 }].map(({ label, tipAmount }) => (
            <button
              class="tip-choice grid min-h-[17cqb] content-center rounded-xl border bg-(--display-sunken) p-2 enabled:hover:border-accent enabled:hover:bg-accent-tint focus-visible:border-accent focus-visible:bg-accent-tint"
              type="submit"
              name="tipAmount"
              value={tipAmount}
              disabled={inert}
            >
              <span class="text-lg font-semibold">{label}</span>
              {tipAmount > 0 && (
                <span class="text-ink-soft text-sm tabular-nums">{money(tipAmount, currency)}</span>
              )}
            </button>
          ))}
        </div>
      </WorkbenchForm>
      <WorkbenchForm view={view} act="tip" of="own">
        <input type="hidden" name="currency" value={currency} />
        <p class="mt-3 grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-2 text-sm">
          <label class="text-start leading-tight" for={`own-${workbenchId(view.terminalSn)}`}>
            Other amount <span class="block text-ink-soft text-xs">in {currency}</span>
          </label>
          <input
            id={`own-${workbenchId(view.terminalSn)}`}
            class="rounded-lg bg-(--display) text-end tabular-nums"
            name="own"
            type="text"
            inputmode="decimal"
            maxlength={14}
            placeholder={formatAmount(0, currency)}
            data-own
            disabled={inert}
          />
          <Submit disabled={inert}>Add</Submit>
        </p>
      </WorkbenchForm>
    </div>
  )
}

/** The PIN pad. The digits stay in the page; without scripts one says how the PIN was. */
export const PinScreen = ({ view, transaction }: ScreenProps) => (
  <div class="pin" data-pin={testPin}>
    <Sum transaction={transaction} />
    <h2 class="display-heading leading-snug mt-3">Enter PIN</h2>
    <p class="pin-dots flex justify-center gap-3 py-[5cqb]" data-dots aria-hidden="true">
      {Array.from({ length: pinLength.most }, () => (
        <i class="size-4 rounded-full border-2 border-line-strong nth-[n+5]:opacity-35 [&.pin-typed]:border-accent [&.pin-typed]:bg-accent [&.pin-typed]:opacity-100" />
      ))}
    </p>
    {view.pinTriesLeft !== null && view.pinTriesLeft < 3 && (
      <p class="text-bad font-semibold">
        Wrong PIN. {view.pinTriesLeft === 1 ? 'This is the last try' : `${view.pinTriesLeft} tries left`}
      </p>
    )}
    <p class="text-note text-ink-soft mt-1">Every test card has the PIN {testPin}</p>
    <WorkbenchForm view={view} act="pin" className="without-scripts flex justify-center gap-2 mt-3">
      <Submit name="correct" value="true">
        Correct PIN
      </Submit>
      <Submit name="correct" value="false">
        Wrong PIN
      </Submit>
    </WorkbenchForm>
  </div>
)

/** A field to sign in. The drawing is not sent. */
export const SignatureScreen = ({ view, transaction }: ScreenProps) => (
  <div class="signature">
    <p class="first-letter:uppercase text-ink-soft text-sm font-medium">Approved</p>
    <Sum transaction={transaction} />
    <h2 class="sr-only">Sign here</h2>
    <div class="relative mt-2 rounded-lg border border-line-strong bg-(--display-sunken)" aria-hidden="true">
      <canvas
        class="h-[36cqb] w-full cursor-crosshair touch-none text-ink"
        data-signature
        width="600"
        height="280"
      />
      <span class="pointer-events-none absolute inset-x-4 bottom-4 border-t-2 border-line-strong text-start text-note text-ink-soft">
        Sign here
      </span>
    </div>
    <WorkbenchForm view={view} act="sign" className="flex justify-center gap-2 mt-3">
      <button class={`${actionLooks.plain} flex-1`} type="button" data-wipe>
        Wipe
      </button>
      <Submit look="main" className="flex-1" disabled={!view.acts.includes('sign')}>
        Sign
      </Submit>
    </WorkbenchForm>
    <p class="text-note text-ink-soft mt-1">The red key skips the signature</p>
  </div>
)
