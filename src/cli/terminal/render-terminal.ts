import { formatAmount } from '../../contract/currencies.ts'
import type { TerminalList, TerminalView } from '../../contract/sandbox/answers.ts'
import type { Receipt } from '../../contract/sandbox/receipts.ts'
import type { ActAnswer, ScreenView } from '../../contract/sandbox/screens.ts'
import { clip } from '../../text/display-width.ts'
import { cleaned } from '../output/clean.ts'
import { paintScreen } from '../output/screen-name.ts'
import { columns, pairs } from '../output/table.ts'
import { type Theme, themeOf } from '../output/theme.ts'
import { device } from '../tty/device.ts'
import { receiptLines } from '../tty/receipt.ts'
import { resultLine } from '../tty/result-line.ts'
import { type Line, paint } from '../tty/styled-line.ts'

/** Columns of the usual window, and of a terminal that is shown between commands. */
const [windowColumns, deviceColumns] = [80, 44]

const painted = (lines: readonly Line[], theme: Theme): string =>
  lines.map((each) => `  ${paint(each, theme)}`.trimEnd()).join('\n')

/** What a terminal shows, what it is about, and what to type next. */
export function renderScreen(shown: ScreenView): string {
  const view = cleaned(shown)
  const theme = themeOf('stdout')
  const { transaction, queue } = view
  const facts = pairs(theme, [
    ['transaction', transaction?.transactionId],
    ['order', transaction?.referenceOrderId],
    ['card', transaction?.card],
    ['auth code', transaction?.authCode],
    ['queued', queueText(queue)],
  ])
  const next = nextCommands(view)
  const width = longest(next.map(([command]) => command))
  const commands = next.map(([command, what]) => {
    const fits = width + what.length + 4 <= windowColumns
    return `  ${theme.link(command.padEnd(width))}${fits ? `  ${theme.faint(what)}` : ''}`.trimEnd()
  })
  const parts = [painted(device(view, deviceColumns), theme), facts, commands.join('\n')]
  return `${parts.filter((part) => part.trim() !== '').join('\n\n')}\n`
}

/** How the transaction ended, when an act ended it; then what the terminal shows now. */
export function renderAction(answer: ActAnswer): string {
  const { ended, ...view } = cleaned(answer)
  if (ended === null) return renderScreen(view)
  const theme = themeOf('stdout')
  return `${paint(resultLine(ended), theme)}\n${pairs(theme, [['transaction', ended.transactionId]])}\n\n${renderScreen(view)}`
}

const longest = (texts: readonly string[]): number =>
  texts.reduce((most, text) => Math.max(most, text.length), 0)

const queueText = (queue: ScreenView['queue']): string =>
  queue.map(({ outcome, times }) => (times === 1 ? outcome : `${outcome} × ${times}`)).join(', ')

/** What can be typed now, with what it does. */
function nextCommands(view: ScreenView): (readonly [command: string, what: string])[] {
  const { terminalSn: serial, screen, transaction, cards, acts } = view
  const type = (name: string, more = '') => `tillbox terminal ${name} ${serial}${more}`
  const cancel = acts.includes('cancel')
    ? [[type('cancel'), screen === 'signature' ? 'without a signature' : 'give it up'] as const]
    : []
  if (screen === 'offline') return [[type('online'), 'switch it on']]
  if (screen === 'idle')
    return [[`tillbox sale --amount 10.00 --terminal-sn ${serial} --no-wait`, 'a payment']]
  if (screen === 'result') return [[type('receipt'), 'both copies']]
  if (acts.includes('present') && cards[0])
    return [[type('present', ` --card ${cards[0].name}`), `1 of ${cards.length}`], ...cancel]
  if (acts.includes('tip')) return [...tipCommands(view, type), [type('tip', ' --none'), 'no tip'], ...cancel]
  if (acts.includes('pin'))
    return [[type('pin'), 'the right one'], [type('pin', ' --wrong'), 'a wrong one'], ...cancel]
  if (acts.includes('sign')) return [[type('sign'), 'on the screen'], ...cancel]
  return [[`tillbox query ${transaction?.transactionId ?? ''}`, 'how it stands'], ...cancel]
}

const tipCommands = ({ tips, transaction }: ScreenView, type: (name: string, more: string) => string) =>
  tips.map(
    ({ label, tipAmount }) =>
      [type('tip', ` --amount ${formatAmount(tipAmount, transaction?.currency ?? '')}`), label] as const,
  )

/** Every terminal in a line. */
export function renderTerminalList(list: TerminalList): string {
  const { terminals } = cleaned(list)
  const theme = themeOf('stdout')
  const taken =
    longest(terminals.map(({ terminalSn }) => terminalSn)) + longest(terminals.map(({ screen }) => screen))
  const rows = terminals.map(({ terminalSn, mode, screen, waiting, summary }) => [
    terminalSn,
    mode,
    paintScreen(screen, theme),
    waiting > 0 ? theme.open(String(waiting)) : theme.faint('0'),
    theme.faint(clip(summary, windowColumns - taken - 22)),
  ])
  return `${columns(['terminal', 'mode', 'screen', 'wait', ''], rows, theme, ['wait'])}\n`
}

/** How a terminal is set. What is left to the sandbox is left out. */
export function renderSettings(terminal: TerminalView): string {
  const theme = themeOf('stdout')
  const { terminalSn, mode, online, busy, pace, tipPercent, contactlessLimit, card, outcome, queue } =
    cleaned(terminal)
  const head = `${online ? theme.good('●') : theme.bad('○')} ${theme.strong(terminalSn)}`
  const facts = pairs(theme, [
    ['mode', mode === 'auto' ? 'auto: acts by itself' : 'attended: waits for a person or a script'],
    ['line', online ? 'online' : 'offline'],
    ['when busy', busy === 'reject' ? 'refuses' : 'lets wait in line'],
    ['pace', pace === undefined ? undefined : `${pace} ms a screen`],
    ['tip', tipPercent === undefined ? undefined : `${tipPercent} %`],
    ['contactless', contactlessLimit === undefined ? undefined : `up to ${contactlessLimit} minor units`],
    ['card', card],
    ['outcome', outcome],
    ['queued', queueText(queue)],
  ])
  return `${head}\n${facts}\n`
}

/** The copies of a receipt, with a line to cut between them. */
export function renderReceipt({ merchant, customer }: Partial<Receipt>): string {
  const theme = themeOf('stdout')
  const copies = [merchant, customer].filter((copy) => copy !== undefined)
  return `${copies.map((copy) => painted(receiptLines(copy), theme)).join(`\n\n${theme.faint(`  ✂${' ─'.repeat(17)}`)}\n\n`)}\n`
}
