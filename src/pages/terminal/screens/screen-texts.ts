import type { ScreenName, ScreenView, ShownTransaction } from '../../../contract/sandbox/screens.ts'
import { money } from '../../../presentation/money.ts'

/** What every screen is drawn from. */
export interface ScreenProps {
  readonly view: ScreenView
  readonly transaction: ShownTransaction
}

/** The screen in a sentence, to be read out when it comes. */
export function screenAnnouncement(view: ScreenView): string {
  const { screen, transaction, pinTriesLeft, merchantName } = view
  if (screen === 'pairing')
    return `Not paired. The pairing code is ${[...(view.pairingCode ?? '')].join(' ')}`
  if (screen === 'offline') return 'The terminal is offline'
  if (transaction === null) return `${merchantName}: ready`
  const sum = money(transaction.transactionAmount, transaction.currency)
  const texts: Readonly<Record<Exclude<ScreenName, 'offline' | 'idle' | 'pairing'>, string>> = {
    'present-card': `${sum}. Present a card`,
    'insert-card': `${sum}. Above the contactless limit: insert the card`,
    tip: `${sum}. Choose a tip`,
    pin: `${sum}. Enter the PIN, then press Enter. Tries left: ${pinTriesLeft}`,
    processing: 'Please wait. Contacting the bank',
    signature: `${sum} approved. Sign, or press Cancel to skip the signature`,
    result:
      transaction.status === 'SUCCESS'
        ? `Approved, ${sum}`
        : [resultWord(transaction), transaction.resultCode, transaction.resultMsg].filter(Boolean).join(', '),
  }
  return texts[screen as keyof typeof texts]
}

const words: Readonly<Record<string, string>> = { SUCCESS: 'Approved', FAIL: 'Declined', CLOSED: 'Cancelled' }

/** How a transaction ended, in one word. */
export const resultWord = ({ status }: ShownTransaction): string => words[status] ?? status

/** How the payment before ended, in a line: `Before: Declined, $22.00, 005 Do not honor`. */
export function previousResult(before: ShownTransaction): string {
  const { status, transactionAmount, currency, resultCode, resultMsg } = before
  const reason = status === 'FAIL' ? [resultCode, resultMsg].filter(Boolean).join(' ') : ''
  return `Before: ${[resultWord(before), money(transactionAmount, currency), reason].filter(Boolean).join(', ')}`
}
