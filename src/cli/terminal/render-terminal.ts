import type { TerminalList, TerminalView } from '../../contract/control/control-answers.ts'
import type { ActAnswer, Receipt, ScreenView } from '../../contract/control/screens.ts'
import { formatAmount } from '../../contract/currencies.ts'
import { shellQuote } from '../../shared/text/shell-quote.ts'
import { commandText } from '../hints/hint-text.ts'
import { cleaned } from '../output/clean.ts'
import { type Line, paint } from '../output/styled-line.ts'
import { type Column, fittingTable, pairs } from '../output/table.ts'
import { paintScreen, theme } from '../output/theme.ts'
import { device, receiptLines, resultLine } from './draw-device.ts'

const painted = (lines: readonly Line[]): string =>
  lines.map((each) => `  ${paint(each)}`.trimEnd()).join('\n')

/** The screen of a terminal, its payment, and the next commands. */
export function renderScreen(shown: ScreenView): string {
  const view = cleaned(shown)
  const { transaction, queue } = view
  const facts = pairs([
    ['name', view.label],
    ['transaction', transaction?.transactionId],
    ['order', transaction?.referenceOrderId],
    ['card', transaction?.card],
    ['auth code', transaction?.authCode],
    ['queued', queueText(queue)],
  ])
  const commands = nextCommands(view).map(
    ([command, what]) => `${commandText(command)}${what === '' ? '' : `\n    ${theme.faint(what)}`}`,
  )
  const parts = [painted(device(view, 44)), facts, commands.join('\n')]
  return `${parts.filter((part) => part.trim() !== '').join('\n\n')}\n`
}

/** The end of the transaction, if the action ended it; then the screen. */
export function renderAction(answer: ActAnswer): string {
  const { ended, ...view } = cleaned(answer)
  if (ended === null) return renderScreen(view)
  return `${paint(resultLine(ended))}\n${pairs([['transaction', ended.transactionId]])}\n\n${renderScreen(view)}`
}

const queueText = (queue: ScreenView['queue']): string =>
  queue.map(({ outcome, times }) => (times === 1 ? outcome : `${outcome} × ${times}`)).join(', ')

/** Every terminal in a line. */
export function renderTerminalList(list: TerminalList): string {
  const { terminals } = cleaned(list)
  const name: Column<TerminalView> = {
    head: 'name',
    cell: ({ label = '' }) => label,
    yields: 1,
    least: 12,
  }
  const hasNames = terminals.some(({ label }) => label !== undefined)
  const all: Column<TerminalView>[] = [
    { head: 'terminal', cell: ({ terminalSn }) => terminalSn, least: 20 },
    ...(hasNames ? [name] : []),
    { head: 'mode', cell: ({ mode }) => mode },
    { head: 'screen', cell: ({ screen }) => paintScreen(screen) },
    {
      head: 'waiting',
      cell: ({ waiting }) => (waiting > 0 ? theme.open(String(waiting)) : theme.faint('0')),
      isNumber: true,
    },
    { head: 'what it does', cell: ({ summary }) => theme.faint(summary), yields: 2, least: 18 },
  ]
  return `${fittingTable(terminals, all)}\n`
}

/** The settings of a terminal, without defaults. */
export function renderSettings(terminal: TerminalView): string {
  const { terminalSn, merchantId, pairingCode, label, mode, online, busy, ...settings } = cleaned(terminal)
  const { pace, tipPercent, contactlessLimit: limit, card, outcome, queue } = settings
  const mostTapped =
    limit === undefined ? undefined : `up to ${formatAmount(limit, 'USD')} (${limit} minor units)`
  const head = `${online ? theme.good('●') : theme.bad('○')} ${theme.strong(terminalSn)}`
  const facts = pairs([
    ['merchant', merchantId === null ? theme.open('not paired') : undefined],
    ['pairing code', pairingCode && theme.strong(pairingCode)],
    ['name', label],
    ['mode', mode === 'auto' ? 'auto: acts without input' : 'attended: needs manual or scripted input'],
    ['line', online ? 'online' : 'offline'],
    ['when busy', busy === 'reject' ? 'refuses payments' : 'payments wait in line'],
    ['pace', pace === undefined ? undefined : `${pace} ms a screen`],
    ['tip', tipPercent === undefined ? undefined : `${tipPercent} %`],
    ['contactless', mostTapped],
    ['card', card],
    ['outcome', outcome],
    ['queued', queueText(queue)],
  ])
  const next = pairingCode ? `\n${commandText(`tillbox terminal pair ${shellQuote(pairingCode)}`)}\n` : ''
  return `${head}\n${facts}\n${next}`
}

/** The copies of a receipt, with a line to cut between them. */
export function renderReceipt({ merchant, customer }: Partial<Receipt>): string {
  const copies = [merchant, customer].filter((copy) => copy !== undefined)
  return `${copies.map((copy) => painted(receiptLines(copy))).join(`\n\n${theme.faint(`  ✂${' ─'.repeat(17)}`)}\n\n`)}\n`
}

/** The commands that are possible now, with their effect. */
export function nextCommands(view: ScreenView): (readonly [command: string, what: string])[] {
  const { terminalSn: serial, screen, transaction, cards, acts } = view
  const type = (name: string, more = '') => `tillbox terminal ${name} ${shellQuote(serial)}${more}`
  const cancel = acts.includes('cancel')
    ? [[type('cancel'), screen === 'signature' ? 'without a signature' : 'give it up'] as const]
    : []
  if (screen === 'pairing')
    return [[`tillbox terminal pair ${shellQuote(view.pairingCode ?? '')}`, 'with a merchant']]
  if (screen === 'offline') return [[type('online'), 'switch it on']]
  if (screen === 'idle')
    return [[`tillbox sale --amount 10.00 --terminal ${shellQuote(serial)} --no-wait`, 'a payment']]
  if (screen === 'result') return [[type('receipt'), 'both copies']]
  if (acts.includes('present') && cards[0])
    return [
      [
        type('present', ` --card ${shellQuote(cards[0].name)}${entryFlag(view)}`),
        cards.length > 1 ? `or ${cards.length - 1} more` : '',
      ],
      ...cancel,
    ]
  if (acts.includes('tip')) {
    const formatTip = (tip: number) => formatAmount(tip, transaction?.currency ?? '')
    const tips = view.tips.map(
      ({ label, tipAmount }) => [type('tip', ` --amount ${formatTip(tipAmount)}`), label] as const,
    )
    return [...tips, [type('tip', ' --none'), 'no tip'], ...cancel]
  }
  if (acts.includes('pin'))
    return [[type('pin'), 'the right one'], [type('pin', ' --wrong'), 'a wrong one'], ...cancel]
  if (acts.includes('sign')) return [[type('sign'), 'on the screen'], ...cancel]
  return [[`tillbox query ${shellQuote(transaction?.transactionId ?? '')}`, 'how it stands'], ...cancel]
}

/** `--entry` for a card that would be tapped again when a tap is no longer accepted. */
const entryFlag = ({ screen, cards }: ScreenView): string =>
  screen === 'insert-card' && cards[0]?.entries[0] !== undefined ? ` --entry ${cards[0].entries[0]}` : ''
