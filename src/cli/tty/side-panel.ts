import { testPin } from '../../contract/sandbox/pin.ts'
import type { ShownTransaction } from '../../contract/sandbox/screens.ts'
import { parseStatus } from '../../contract/statuses.ts'
import { readAmount } from '../../contract/written-amount.ts'
import { money } from '../../presentation/money.ts'
import { stateInWords } from '../../presentation/status.ts'
import { fitText } from '../../text/display-width.ts'
import { shellQuote } from '../../text/shell-quote.ts'
import { commandHint } from '../hints/same-sandbox.ts'
import { clean } from '../output/clean.ts'
import { lookOf } from '../output/theme.ts'
import { type AttendState, cardIndex, chosenCard, type OpenReceipt, saleCurrency } from './attend-state.ts'
import { receiptColumns, receiptLines, resultLine, shortCard } from './draw-device.ts'
import { explainedKeys } from './hints.ts'
import { centre, clipLine, justifiedLine, type Line, line } from './styled-line.ts'

/** What lies before the person beside the terminal: cards, tips, a receipt, or what to do; where there is room, what each key does. */
export function sidePanel(state: AttendState, columns: number, rows: number): Line[] {
  if (state.receipt !== null) return paper(state.receipt, columns, rows)
  const before = panelLines(state, columns, rows)
  const keys = [[], line('Keys', 'strong'), ...explainedKeys(state)].map((each) => clipLine(each, columns))
  return before.length + keys.length > rows ? before : [...before, ...keys]
}

function panelLines(state: AttendState, columns: number, rows: number): Line[] {
  const { view } = state
  if (view.acts.includes('present')) return wallet(state, columns, rows)
  if (view.acts.includes('tip')) return tips(state, columns, rows)
  if (state.saleText !== null) return sale(state.saleText, saleCurrency(view), columns)
  const notice = (title: string, text: string) => titled(title, fitText(text, columns))
  const typed = (title: string, command: string) => notice(title, commandHint(command))
  if (view.acts.includes('pin'))
    return notice('Type the PIN', `The test PIN is ${testPin}; any other PIN is wrong.`)
  if (view.acts.includes('sign'))
    return notice('Sign', 'The return key signs; c leaves the signature out, and the payment stands.')
  switch (view.screen) {
    case 'idle':
      return [
        ...typed(
          'Take a payment: n, or in a shell',
          `tillbox sale --amount 10.00 --terminal ${shellQuote(view.terminalSn)} --no-wait`,
        ),
        [],
        ...last(view.last, columns),
        ...earlier(state, columns),
      ]
    case 'offline':
      return notice(
        'Offline',
        'Its payments wait, and close unpaid when they expire. Press o to switch it on.',
      )
    case 'result':
      return [...last(view.transaction, columns), ...earlier(state, columns)]
    default:
      return view.mode === 'auto' && view.screen !== 'processing'
        ? typed('It acts by itself', `tillbox terminal set ${shellQuote(view.terminalSn)} --mode attended`)
        : notice('The host is asked', 'Its answer comes by itself.')
  }
}

const titled = (title: string, texts: readonly string[]): Line[] => [
  line(title, 'strong'),
  [],
  ...texts.map((text) => line(text, 'faint')),
]

/** An amount while it is typed, with what it comes to: `1.5▏ = $1.50`. */
function showAmount(typed: string, currency: string): string {
  const amount = readAmount(typed, currency, 'major')
  return `${typed}▏${typeof amount === 'number' ? ` = ${money(amount, currency)}` : ''}`
}

const sale = (typed: string, currency: string, columns: number): Line[] => [
  line('New sale', 'strong'),
  [],
  justifiedLine(line(`amount in ${currency}`, 'faint'), line(showAmount(typed, currency), 'strong'), columns),
  [],
  ...fitText('The order id is made; the return key starts the sale.', columns).map((text) =>
    line(text, 'faint'),
  ),
]

function earlier({ ended, view }: AttendState, columns: number): Line[] {
  const before = ended.filter(({ transactionId }) => transactionId !== view.last?.transactionId)
  if (before.length === 0) return []
  return [[], line('Before', 'strong'), ...before.map((each) => clipLine(resultLine(each), columns))]
}

function last(transaction: ShownTransaction | null, columns: number): Line[] {
  if (transaction === null) return []
  const { status, transactionAmount, currency, card, resultCode, resultMsg, authCode } = transaction
  const parsedStatus = parseStatus(status)
  const [sign, style] = lookOf({ status: parsedStatus })
  const row = (name: string, value: string | null | undefined): Line[] =>
    value ? [justifiedLine(line(name, 'faint'), line(clean(value)), columns)] : []
  return [
    justifiedLine(
      line('Last payment', 'strong'),
      line(`${sign} ${parsedStatus === undefined ? status : stateInWords({ status: parsedStatus })}`, style),
      columns,
    ),
    [],
    ...row('amount', money(transactionAmount, currency)),
    ...row('card', card && shortCard(card)),
    ...row('result', [resultCode, resultMsg].filter(Boolean).join(' ')),
    ...row('auth code', authCode),
    ...row('transaction', transaction.transactionId),
  ]
}

/** Index of the first visible row of a list of `count`, where `room` fit, the chosen one among them. */
const firstVisibleRow = (chosen: number, count: number, room: number): number =>
  Math.max(0, Math.min(chosen - Math.floor(room / 2), count - room))

/** The cards that fit, the chosen one marked, and what the host is to answer. */
function wallet(state: AttendState, columns: number, rows: number): Line[] {
  const { cards } = state.view
  const [card, chosenIndex] = [chosenCard(state), cardIndex(state)]
  if (card === undefined)
    return titled('No card fits', fitText('The payment asks for a kind that no test card is of.', columns))
  const room = Math.max(1, Math.min(cards.length, rows - 4))
  const top = firstVisibleRow(chosenIndex, cards.length, room)
  const list = cards.slice(top, top + room).map(({ name, entries }, index): Line => {
    const [position, chosen] = [top + index + 1, top + index === chosenIndex]
    const text = `${chosen ? '›' : ' '} ${String(position).padStart(2)} ${name}`
    return justifiedLine(line(text, chosen ? 'strong' : undefined), line(entries[0] ?? '', 'faint'), columns)
  })
  const number = card.maskedPan === null ? card.network : shortCard(`${card.network} ${card.maskedPan}`)
  const answer =
    state.answers[state.answer] ?? (card.outcome === null ? 'as usual' : `as usual: ${card.outcome}`)
  return [
    justifiedLine(
      line('Cards', 'strong'),
      line(`↑↓ ${chosenIndex + 1} of ${cards.length}`, 'faint'),
      columns,
    ),
    ...list,
    [],
    line(number, 'faint'),
    justifiedLine(
      [['host answers ', 'faint'], state.answer === 0 ? [answer] : [answer, 'open']],
      line('←→', 'faint'),
      columns,
    ),
  ]
}

/** The choices of the tip screen that fit, including the marked one. */
function tips(state: AttendState, columns: number, rows: number): Line[] {
  const { view, tipText, tip } = state
  const currency = view.transaction?.currency ?? ''
  const typing = tipText === null ? '' : showAmount(tipText, currency)
  const choices = [
    ...view.tips.map(({ label, tipAmount }, index) => {
      return { key: `${index + 1}`, label: clean(label), amount: money(tipAmount, currency) }
    }),
    { key: '0', label: 'no tip', amount: '' },
    { key: 'a', label: 'another amount', amount: typing },
  ]
  const chosen = tipText === null ? tip : choices.length - 1
  const room = Math.max(1, Math.min(choices.length, rows - 1))
  const top = firstVisibleRow(Math.max(0, chosen), choices.length, room)
  const list = choices.slice(top, top + room).map(({ key, label, amount }, index): Line => {
    const marked = top + index === chosen
    const text = `${marked ? '›' : ' '} ${key} ${label}`
    const style = marked ? 'strong' : undefined
    return justifiedLine(line(text, style), line(amount, style ?? 'faint'), columns)
  })
  const part = room === choices.length ? '' : `${top + 1} to ${top + room} of ${choices.length}`
  return [
    justifiedLine(line('Tip', 'strong'), line(part, 'faint'), columns),
    ...(rows > choices.length + 1 ? [[]] : []),
    ...list,
  ]
}

/** A copy of a receipt, as much of it as there is room for. */
function paper({ receipt, copy, top }: OpenReceipt, columns: number, rows: number): Line[] {
  const width = Math.min(columns, receiptColumns)
  const lines = receiptLines(receipt[copy], width)
  const from = Math.max(0, Math.min(top, lines.length - rows))
  const seen = lines.slice(from, from + rows).map((row) => centre(row, columns))
  const more = lines.length - from - rows
  return more <= 0 ? seen : [...seen.slice(0, -1), centre(line(`↓ ${more + 1} more lines`, 'faint'), columns)]
}
