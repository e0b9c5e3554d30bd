import type { LeftOut, StateRepair, StateVerdict } from '../../contract/control/state-folder.ts'
import { hangingText } from '../../shared/text/display-width.ts'
import { counted } from '../../shared/text/words.ts'
import { cleaned } from '../output/clean.ts'
import { pairs } from '../output/table.ts'
import { theme } from '../output/theme.ts'

/** What a state folder holds, and its errors. */
export function renderStateVerdict(rawVerdict: StateVerdict): string {
  const verdict = cleaned(rawVerdict)
  const { sound, incomplete, folder, database, holder, problems, warnings } = verdict
  const mark = sound ? (incomplete ? '!' : theme.good('✓')) : theme.bad('✗')
  const found = sound ? (incomplete ? 'has an incomplete end' : 'is sound') : 'is damaged'
  const what = database === null ? found : 'has no state: it is of a node'
  const head = `${mark} ${theme.strong(`${folder} ${what}`)}`
  const contents = `${verdict.transactions} of ${counted(verdict.merchants, 'merchant')}`
  const facts = pairs([
    ['data', database && `in ${database}, which was not checked`],
    ['transactions', database === null ? contents : null],
    ['lock', holder && `process ${holder.pid}${holder.url ? `, ${holder.url}` : ''}`],
  ])
  const remarks = [...list('damage', problems), ...list('note', warnings)]
  return [head, facts, ...remarks, ''].join('\n')
}

function list(title: string, texts: readonly string[]): string[] {
  if (texts.length === 0) return []
  return [
    '',
    ...texts.map((text) => `  ${theme.faint(title.padEnd(10))}${hangingText(text, 12, theme.width)}`),
  ]
}

/** What a repair kept and left out. */
export function renderRepair(rawRepair: StateRepair): string {
  const { status, folder, backup, leftOut, transactions, merchants } = cleaned(rawRepair)
  const contents = `${counted(transactions, 'transaction')} of ${counted(merchants, 'merchant')}`
  if (status === 'sound') return `${theme.good('✓')} ${folder} is sound: ${contents}. Nothing was changed.\n`
  const facts = pairs([
    ['kept', contents],
    ['copy', backup],
  ])
  const head = `${theme.good('✓')} ${theme.strong(`${folder} is ${status === 'repaired' ? 'repaired' : 'yours now'}`)}`
  return [head, facts, ...list('left out', leftOut.map(leftOutText)), ''].join('\n')
}

/** Transactions that are named one by one at most. */
const mostTransactions = 20

function leftOutText({ file, lines, why, transactionIds }: LeftOut): string {
  const [first, last] = lines ?? []
  const where =
    first === undefined ? file : `${file}, ${first === last ? `line ${first}` : `lines ${first} to ${last}`}`
  const named = transactionIds.slice(0, mostTransactions).join(', ')
  const more =
    transactionIds.length > mostTransactions ? ` and ${transactionIds.length - mostTransactions} more` : ''
  return `${where}: ${why}${named === '' ? '' : `; opened there: ${named}${more}`}`
}
