import { pinLength as pinDigits } from '../../contract/control/pin.ts'
import {
  cardEntries,
  type ReceiptLine,
  type ScreenView,
  type ShownTransaction,
} from '../../contract/control/screens.ts'
import { amountText, money } from '../../contract/presentation/money.ts'
import { parseStatus } from '../../contract/statuses.ts'
import { fitText } from '../../shared/text/display-width.ts'
import { capitalize, joined } from '../../shared/text/words.ts'
import { clean } from '../output/clean.ts'
import { centre, justifiedLine, type Line, line, type Style } from '../output/styled-line.ts'
import { lookOf } from '../output/theme.ts'

/** Rows of the screen of a terminal. */
const room = 7

/** A payment terminal, drawn as a frame with the contents of its screen. */
export function device(view: ScreenView, columns: number): Line[] {
  const inner = columns - 4
  const whole = screenLines(view, inner)
  const body = (whole.length <= room ? whole : whole.filter(({ length }) => length > 0)).slice(0, room)
  const above = Math.floor((room - body.length) / 2)
  const shown = Array.from({ length: room }, (_, row) => body[row - above] ?? [])
  const edge = (left: string, right: string): Line => line(left + '─'.repeat(columns - 2) + right, 'faint')
  return [
    edge('╭', '╮'),
    framed(justifiedLine(line(clean(view.merchantName ?? 'not paired'), 'faint'), light(view), inner)),
    ...shown.map((row) => framed(centre(row, inner))),
    framed(justifiedLine(line(view.terminalSn, 'faint'), waiting(view), inner)),
    edge('╰', '╯'),
  ]
}

const framed = (row: Line): Line => [['│ ', 'faint'], ...row, [' │', 'faint']]

function light({ online, mode }: ScreenView): Line {
  if (!online) return [...line('○', 'bad'), ...line(' offline', 'faint')]
  return [...line('●', 'good'), ...line(mode === 'auto' ? ' by itself' : ' online', 'faint')]
}

const waiting = ({ waiting: count }: ScreenView): Line => (count > 0 ? line(`${count} waiting`, 'open') : [])

function screenLines(view: ScreenView, columns: number): Line[] {
  const { screen, transaction } = view
  const lines = (text: string, style: Style) => fitText(text, columns).map((each) => line(each, style))
  const amount =
    transaction === null ? [] : [line(money(transaction.transactionAmount, transaction.currency), 'strong')]
  const payment = transaction === null ? [] : [line(paymentTitle(transaction), 'faint'), ...amount, []]
  const card = transaction?.card ? [line(shortCard(transaction.card), 'faint')] : []
  switch (screen) {
    case 'pairing':
      return [
        line('Pairing code', 'faint'),
        [],
        line(view.pairingCode ?? '', 'strong'),
        [],
        ...lines('Belongs to no merchant', 'faint'),
      ]
    case 'idle':
      return [
        line('Ready', 'strong'),
        [],
        ...lines(
          view.mode === 'auto' ? 'It acts by itself and needs nobody' : 'Waiting for the next payment',
          'faint',
        ),
      ]
    case 'offline':
      return [line('Offline', 'bad'), [], ...lines('No connection to the host', 'faint')]
    case 'present-card':
      return [...payment, ...lines(presentText(view), 'open')]
    case 'insert-card':
      return [
        ...payment,
        ...lines('Over the limit for contactless', 'faint'),
        line('Insert your card', 'open'),
      ]
    case 'tip':
      return [...payment, line('Add a tip?', 'open')]
    case 'pin':
      return [
        ...amount,
        ...card,
        [],
        ...pinText(view),
        line(Array(pinDigits.least).fill('○').join(' '), 'faint'),
      ]
    case 'processing':
      return [...payment, line('Please wait …', 'open')]
    case 'signature':
      return [...amount, ...card, [], line('Please sign', 'open'), line('×____________________', 'faint')]
    case 'result':
      return transaction === null
        ? []
        : [...verdict(transaction, columns), [], ...amount, ...tipLines(transaction)]
  }
}

const paymentTitle = ({ type, description }: ShownTransaction): string => {
  const title = capitalize(type.replaceAll('_', ' ').toLowerCase())
  return description ? `${title} · ${clean(description)}` : title
}

function presentText({ cards, mode }: ScreenView): string {
  if (mode === 'auto') return 'Present card'
  const all = cardEntries
    .filter((way) => cards.some(({ entries }) => entries.includes(way)))
    .map((way) => (way === 'key' ? 'enter' : way))
  if (all.length === 0) return 'No card fits this payment'
  return capitalize(joined(all, 'or'))
}

/** `VISA 411111******1111` as `VISA •••• 1111`: the way a terminal shows a card. */
const shortCard = (card: string): string => card.replace(/\d+\*+(\d{4})$/, '•••• $1')

function pinText({ pinTriesLeft }: ScreenView): Line[] {
  if (pinTriesLeft === null || pinTriesLeft > 2) return [line('Enter PIN', 'open')]
  return [line(`Wrong PIN, ${pinTriesLeft === 1 ? 'one try' : `${pinTriesLeft} tries`} left`, 'bad')]
}

const tipLines = ({ tipAmount, currency }: ShownTransaction): Line[] =>
  tipAmount > 0 ? [line(`${money(tipAmount, currency)} of it tip`, 'faint')] : []

function verdict({ status, resultCode, resultMsg }: ShownTransaction, columns: number): Line[] {
  if (status === 'SUCCESS') return [line('✓ Approved', 'good')]
  if (status === 'CLOSED') return [line('■ Closed', 'faint')]
  const why = [resultCode, resultMsg].filter(Boolean).join(' ')
  return [line('✗ Declined', 'bad'), ...fitText(why, columns).map((each) => line(each))]
}

/** How a transaction ended, in a line: `✗ 22.00 USD 005 Do not honor`. */
export function resultLine({
  status,
  transactionAmount,
  currency,
  resultCode,
  resultMsg,
}: ShownTransaction): Line {
  const [sign, style] = lookOf({ status: parseStatus(status) })
  const why = status === 'CLOSED' ? 'closed unpaid' : [resultCode, resultMsg].filter(Boolean).join(' ')
  return [[sign, style], [` ${amountText(transactionAmount, currency)}`], [` ${clean(why)}`, 'faint']]
}

/** Columns of a receipt. */
const receiptColumns = 36

/** A copy of a receipt as it is printed. */
export const receiptLines = (copy: readonly ReceiptLine[], columns = receiptColumns): Line[] =>
  copy.flatMap((row) => printed(row, columns))

function printed(row: ReceiptLine, columns: number): Line[] {
  switch (row.kind) {
    case 'rule':
      return [line('─'.repeat(columns), 'faint')]
    case 'space':
      return [[]]
    case 'pair':
      return [justifiedLine(line(row.label, 'faint'), line(clean(row.value)), columns)]
    case 'total':
      return [justifiedLine(line(row.label, 'strong'), line(row.value, 'strong'), columns)]
    case 'text':
      return fitText(clean(row.text), columns).map((text) => centre(line(text), columns))
    default:
      return fitText(clean(row.text), columns).map((text) => centre(line(text, 'strong'), columns))
  }
}
