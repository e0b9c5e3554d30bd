import { formatAmount } from '../../../contract/currencies.ts'
import type { Story, TransactionTree } from '../../../contract/sandbox/control-answers.ts'
import { sequenceOf } from '../../../presentation/sequence.ts'
import { cleaned } from '../clean.ts'
import { paintStatus } from '../render-record.ts'
import { type Theme, themeOf } from '../theme.ts'
import { drawSequence } from './draw-sequence.ts'

/** Default width of a drawing, in columns. */
const usualWidth = 80

/** What happened to a transaction as a drawing, and what later transactions did to it as a tree. */
export function renderTimeline(rawStory: Story, width = usualWidth, theme = themeOf('stdout')): string {
  const story = cleaned(rawStory)
  const original = story.originalTransactionId
  const actsOn = original === null ? '' : `${theme.faint('original')} ${theme.link(original)}\n`
  const clock = theme.faint(`Times in ${story.timeZone}, by the sandbox clock`)
  return `${clock}\n${drawSequence(sequenceOf(story), width, theme)}\n${drawTree(story.tree, theme)}${actsOn}`
}

/** A transaction and its follow-ups, with what is left of each. */
export function drawTree(
  branch: TransactionTree,
  theme: Theme,
  [first, further]: readonly [string, string] = ['', ''],
): string {
  const { type, amount, currency, status, resultCode, transactionId, followUps } = branch
  const money = (minorUnits: number) => `${formatAmount(minorUnits, currency)} ${currency}`
  const code = status === 'FAIL' && resultCode !== null ? ` ${resultCode}` : ''
  const line = [
    `${theme.faint(first)}${theme.strong(type)}  ${money(amount)}`,
    paintStatus(status, theme) + code,
    theme.link(transactionId),
  ].join('  ')
  const left = leftOf(branch, money)
  const below = followUps.length > 0 ? '│ ' : '  '
  const remains = left === '' ? '' : `${theme.faint(further + below)} ${left}\n`
  const branches = followUps.map((each, index) =>
    drawTree(
      each,
      theme,
      index < followUps.length - 1 ? [`${further}├─ `, `${further}│  `] : [`${further}└─ `, `${further}   `],
    ),
  )
  return `${line}\n${remains}${branches.join('')}`
}

function leftOf({ leftToRefund, leftToCapture }: TransactionTree, money: (amount: number) => string): string {
  if (leftToRefund !== null) return `${money(leftToRefund)} left to refund`
  return leftToCapture === null ? '' : `${money(leftToCapture)} left to capture`
}
