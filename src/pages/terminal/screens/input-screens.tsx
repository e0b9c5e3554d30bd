import { pinLength, testPin } from '../../../contract/control/pin.ts'
import { formatAmount } from '../../../contract/currencies.ts'
import { money } from '../../../contract/presentation/money.ts'
import { actionLooks, Submit } from '../../components/actions.tsx'
import { Icon } from '../../components/icons.tsx'
import { WorkbenchForm } from './forms.tsx'
import { type ScreenProps, workbenchId } from './workbench-view.ts'

const Sum = ({ transaction: { transactionAmount, currency } }: Pick<ScreenProps, 'transaction'>) => {
  const sum = money(transactionAmount, currency)
  return <p class={sum.length > 12 ? 'sum bold sum-long tabular' : 'sum bold tabular'}>{sum}</p>
}

/** A card is asked for. */
export const PresentScreen = ({ view, transaction }: ScreenProps) => (
  <div class="present">
    <p class="display-lead soft small medium">{transaction.type.replaceAll('_', ' ').toLowerCase()}</p>
    <Sum transaction={transaction} />
    {transaction.description !== null && (
      <p class="present-what clipped soft small">{transaction.description}</p>
    )}
    {view.screen === 'insert-card' ? (
      <>
        <span class="insert-art block" aria-hidden="true">
          <i class="block" />
        </span>
        <h2 class="display-heading line-1-3">Insert the card</h2>
        <p class="smaller soft above-1">The amount is above the contactless limit</p>
      </>
    ) : (
      <>
        <span class="tap-art accented stack centered circle relative" aria-hidden="true">
          <i class="absolute circle" />
          <Icon name="tap" />
        </span>
        <h2 class="display-heading line-1-3">
          {view.acts.includes('present') ? 'Present card' : 'Reading the card'}
        </h2>
        <p class="smaller soft above-1">Tap, insert or swipe</p>
      </>
    )}
    {view.acts.includes('present') && (
      <a
        class="to-cards inline-flex accented middle gap-1 small bold no-underline control"
        href={`#cards-${workbenchId(view.terminalSn)}`}
      >
        Choose a card
        <Icon name="chevron" />
      </a>
    )}
    {transaction.referenceOrderId !== null && <p class="soft above-2 code">{transaction.referenceOrderId}</p>}
  </div>
)

/** Tip screen: the suggestions, no tip, or another amount. */
export const TipScreen = ({ view, transaction }: ScreenProps) => {
  const { currency, transactionAmount } = transaction
  const inert = !view.acts.includes('tip')
  return (
    <div class="tip">
      <h2 class="display-lead soft small medium">Add a tip to {money(transactionAmount, currency)}?</h2>
      <WorkbenchForm view={view} act="tip" className="above-3">
        <div class="halves stack gap-2">
          {[...view.tips, { label: 'No tip', tipAmount: 0 }].map(({ label, tipAmount }) => (
            <button
              class="tip-choice lined pad-2 stack"
              type="submit"
              name="tipAmount"
              value={tipAmount}
              disabled={inert}
            >
              <span class="large bold">{label}</span>
              {tipAmount > 0 && <span class="soft small tabular">{money(tipAmount, currency)}</span>}
            </button>
          ))}
        </div>
      </WorkbenchForm>
      <WorkbenchForm view={view} act="tip" of="own">
        <input type="hidden" name="currency" value={currency} />
        <p class="tip-own stack middle gap-2 small above-3">
          <label for={`own-${workbenchId(view.terminalSn)}`}>
            Other amount <span class="block soft smallest">in {currency}</span>
          </label>
          <input
            id={`own-${workbenchId(view.terminalSn)}`}
            class="tabular"
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
    <h2 class="display-heading line-1-3 above-3">Enter PIN</h2>
    <p class="pin-dots flex amid gap-3" data-dots aria-hidden="true">
      {Array.from({ length: pinLength.most }, () => (
        <i />
      ))}
    </p>
    {view.pinTriesLeft !== null && view.pinTriesLeft < 3 && (
      <p class="pin-wrong bad bold">
        Wrong PIN. {view.pinTriesLeft === 1 ? 'This is the last try' : `${view.pinTriesLeft} tries left`}
      </p>
    )}
    <p class="smaller soft above-1">Every test card has the PIN {testPin}</p>
    <WorkbenchForm view={view} act="pin" className="without-scripts flex amid gap-2 above-3">
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
    <p class="display-lead soft small medium">Approved</p>
    <Sum transaction={transaction} />
    <h2 class="visually-hidden">Sign here</h2>
    <div class="signature-pad round-m relative above-2" aria-hidden="true">
      <canvas data-signature width="600" height="280" />
      <span class="signature-line no-pointer text-start note absolute">Sign here</span>
    </div>
    <WorkbenchForm view={view} act="sign" className="signature-form flex amid gap-2 above-3">
      <button class={`${actionLooks.plain} grows`} type="button" data-wipe>
        Wipe
      </button>
      <Submit look="main" className="grows" disabled={!view.acts.includes('sign')}>
        Sign
      </Submit>
    </WorkbenchForm>
    <p class="smaller soft above-1">The red key skips the signature</p>
  </div>
)
