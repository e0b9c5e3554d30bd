import { formatAmount } from '../../contract/currencies.ts'
import type { ScreenView } from '../../contract/sandbox/screens.ts'
import { shellQuote } from '../../text/shell-quote.ts'

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
  if (acts.includes('tip')) return [...tipCommands(view, type), [type('tip', ' --none'), 'no tip'], ...cancel]
  if (acts.includes('pin'))
    return [[type('pin'), 'the right one'], [type('pin', ' --wrong'), 'a wrong one'], ...cancel]
  if (acts.includes('sign')) return [[type('sign'), 'on the screen'], ...cancel]
  return [[`tillbox query ${shellQuote(transaction?.transactionId ?? '')}`, 'how it stands'], ...cancel]
}

/** `--entry` for a card that would be tapped again when a tap is no longer accepted. */
const entryFlag = ({ screen, cards }: ScreenView): string =>
  screen === 'insert-card' && cards[0]?.entries[0] !== undefined ? ` --entry ${cards[0].entries[0]}` : ''

const tipCommands = ({ tips, transaction }: ScreenView, type: (name: string, more: string) => string) =>
  tips.map(
    ({ label, tipAmount }) =>
      [type('tip', ` --amount ${formatAmount(tipAmount, transaction?.currency ?? '')}`), label] as const,
  )
