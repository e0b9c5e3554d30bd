import { formatAmount } from '../../../contract/currencies.ts'
import { pinLength, testPin } from '../../../contract/sandbox/pin.ts'
import { money } from '../../../presentation/money.ts'
import { Icon } from '../../components/icons.tsx'
import { WorkbenchForm } from './action-form.tsx'
import type { ScreenProps } from './screen-texts.ts'
import { workbenchId } from './workbench-view.ts'

const Sum = ({ transaction: { transactionAmount, currency } }: Pick<ScreenProps, 'transaction'>) => {
  const sum = money(transactionAmount, currency)
  return <p class={sum.length > 12 ? 'sum sum-long tabular' : 'sum tabular'}>{sum}</p>
}

/** A card is asked for. */
export const PresentScreen = ({ view, transaction }: ScreenProps) => (
  <div class="present">
    <p class="display-lead">{transaction.type.replaceAll('_', ' ').toLowerCase()}</p>
    <Sum transaction={transaction} />
    {transaction.description !== null && <p class="present-what">{transaction.description}</p>}
    {view.screen === 'insert-card' ? (
      <>
        <span class="insert-art" aria-hidden="true">
          <i class="insert-card" />
          <i class="insert-slot" />
        </span>
        <h2 class="display-heading">Insert the card</h2>
        <p class="display-small">The amount is above the contactless limit</p>
      </>
    ) : (
      <>
        <span class="tap-art" aria-hidden="true">
          <i />
          <i />
          <i />
          <Icon name="tap" />
        </span>
        <h2 class="display-heading">{view.acts.includes('present') ? 'Present card' : 'Reading the card'}</h2>
        <p class="display-small">Tap, insert or swipe</p>
      </>
    )}
    {view.acts.includes('present') && (
      <a class="to-cards" href={`#cards-${workbenchId(view.terminalSn)}`}>
        Choose a card
        <Icon name="chevron" />
      </a>
    )}
    {transaction.referenceOrderId !== null && (
      <p class="present-order code">{transaction.referenceOrderId}</p>
    )}
  </div>
)

/** Tip screen: the suggestions, no tip, or another amount. */
export const TipScreen = ({ view, transaction }: ScreenProps) => {
  const { currency, transactionAmount } = transaction
  const inert = !view.acts.includes('tip')
  return (
    <div class="tip">
      <h2 class="display-lead">Add a tip to {money(transactionAmount, currency)}?</h2>
      <WorkbenchForm view={view} act="tip" className="tip-form">
        <div class="tip-choices">
          {view.tips.map(({ label, tipAmount }) => (
            <button class="tip-choice" type="submit" name="tipAmount" value={tipAmount} disabled={inert}>
              <span class="tip-label">{label}</span>
              <span class="tip-amount tabular">{money(tipAmount, currency)}</span>
            </button>
          ))}
          <button class="tip-choice" type="submit" name="tipAmount" value="0" disabled={inert}>
            <span class="tip-label">No tip</span>
          </button>
        </div>
      </WorkbenchForm>
      <WorkbenchForm view={view} act="tip" of="own">
        <input type="hidden" name="currency" value={currency} />
        <p class="tip-own">
          <label for={`own-${workbenchId(view.terminalSn)}`}>
            Other amount <span class="tip-unit">in {currency}</span>
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
          <button class="screen-button" type="submit" disabled={inert}>
            Add
          </button>
        </p>
      </WorkbenchForm>
    </div>
  )
}

/** The PIN pad. The digits stay in the page; without scripts one says how the PIN was. */
export const PinScreen = ({ view, transaction }: ScreenProps) => (
  <div class="pin" data-pin={testPin}>
    <Sum transaction={transaction} />
    <h2 class="display-heading">Enter PIN</h2>
    <p class="pin-dots" data-dots aria-hidden="true">
      {Array.from({ length: pinLength.most }, () => (
        <i />
      ))}
    </p>
    {view.pinTriesLeft !== null && view.pinTriesLeft < 3 && (
      <p class="pin-wrong">
        Wrong PIN. {view.pinTriesLeft === 1 ? 'This is the last try' : `${view.pinTriesLeft} tries left`}
      </p>
    )}
    <p class="display-small">Every test card has the PIN {testPin}</p>
    <WorkbenchForm view={view} act="pin" className="pin-form">
      <button class="screen-button" type="submit" name="correct" value="true">
        Correct PIN
      </button>
      <button class="screen-button" type="submit" name="correct" value="false">
        Wrong PIN
      </button>
    </WorkbenchForm>
  </div>
)

/** A field to sign in. The drawing is not sent. */
export const SignatureScreen = ({ view, transaction }: ScreenProps) => (
  <div class="signature">
    <p class="display-lead">Approved, {money(transaction.transactionAmount, transaction.currency)}</p>
    <h2 class="visually-hidden">Sign here</h2>
    <div class="signature-pad" aria-hidden="true">
      <canvas data-signature width="600" height="280" />
      <span class="signature-line">Sign here</span>
    </div>
    <WorkbenchForm view={view} act="sign" className="signature-form">
      <button class="screen-button" type="button" data-wipe>
        Wipe
      </button>
      <button class="screen-button screen-button-main" type="submit" disabled={!view.acts.includes('sign')}>
        Sign
      </button>
    </WorkbenchForm>
    <p class="display-small">Press Cancel to skip the signature</p>
  </div>
)
