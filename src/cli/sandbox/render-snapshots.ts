import type {
  Restored,
  SnapshotList,
  SnapshotView,
  StateDiff,
} from '../../contract/control/snapshot-answers.ts'
import { diffTables } from '../../contract/presentation/diff-tables.ts'
import { hangingText } from '../../shared/text/display-width.ts'
import { offsetInWords } from '../../shared/text/duration-words.ts'
import { shellQuote } from '../../shared/text/shell-quote.ts'
import { counted } from '../../shared/text/words.ts'
import { hintText } from '../hints/hint-text.ts'
import { commandHint } from '../hints/same-sandbox.ts'
import { cleaned } from '../output/clean.ts'
import { timeText } from '../output/render-time.ts'
import { columns, pairs } from '../output/table.ts'
import { theme } from '../output/theme.ts'

/** Bytes as a person reads them: `12.3 MB`. */
function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** A snapshot that was saved. */
export function renderSaved(rawSnapshot: SnapshotView): string {
  const { name, savedAt, transactions, bytes } = cleaned(rawSnapshot)
  const facts = pairs([
    ['saved', timeText(savedAt)],
    ['holds', `${counted(transactions, 'transaction')}, ${sizeText(bytes)}`],
    ['restore', commandHint(`tillbox sandbox snapshot restore ${shellQuote(name)}`)],
  ])
  return `${theme.good('✓')} ${theme.strong(`Saved snapshot ${name}`)}\n${facts}\n`
}

/** The state after a restore or an import. `what`: `snapshot base`. */
export function renderRestored(rawRestored: Restored, what: string): string {
  const { savedAt, sandboxTime, transactions, replaced, clock, version, format } = cleaned(rawRestored)
  const facts = pairs([
    ['saved', `${timeText(savedAt)} by tillbox ${version}, format ${format}`],
    ['holds', `${counted(transactions, 'transaction')}; before there were ${replaced}`],
    [
      'clock',
      clock.frozen
        ? `frozen at ${timeText(sandboxTime)}`
        : `runs, ${offsetInWords(clock.offsetMs, clock.speed)}`,
    ],
  ])
  return `${theme.good('✓')} ${theme.strong(`Restored ${what}`)}\n${facts}\n`
}

/** The snapshots of a sandbox. */
export function renderSnapshots(rawList: SnapshotList): string {
  const { snapshots } = cleaned(rawList)
  if (snapshots.length === 0)
    return `${hintText('There is no snapshot. Save one: `tillbox sandbox snapshot save <name>`')}\n`
  const rows = snapshots.map((one) => [
    one.name,
    one.transactions === null ? '' : String(one.transactions),
    one.bytes === null ? '' : sizeText(one.bytes),
    one.problem === null
      ? `${timeText(one.savedAt ?? '')} by tillbox ${one.version}`
      : theme.bad(`✗ ${one.problem}`),
  ])
  return `${columns(['name', 'transactions', 'size', 'saved'], rows, ['transactions', 'size'])}\n`
}

const marks = { added: '+', removed: '-', changed: '~' } as const
const colours = { added: 'good', removed: 'bad', changed: 'open' } as const

/** What changed between two states, one table a kind of record. */
export function renderDiff(rawDiff: StateDiff): string {
  const diff = cleaned(rawDiff)
  const [from, to] = [stateName(diff.from), stateName(diff.to)]
  if (diff.same) return `Nothing differs between ${from} and ${to}.\n`
  const sections = diffTables(diff).map(({ title, heads, rows }) => {
    const lines = rows.map(({ change, cells, what }) => {
      const words = change === 'changed' ? what : [change, what].filter(Boolean).join(': ')
      return [theme[colours[change]](marks[change]), ...cells, words]
    })
    return `\n${theme.strong(`${title} (${rows.length})`)}\n${columns(['', ...heads, 'what'], lines)}`
  })
  return `${[theme.strong(`From ${from} to ${to}`), ...sections].join('\n')}\n`
}

const stateName = ({ name }: StateDiff['from']): string => (name === null ? 'now' : `snapshot ${name}`)

/** A file that was written. */
export function renderExported(file: string, withSecrets: boolean): string {
  const secrets = withSecrets
    ? 'It has the API keys and webhook secrets that are not built in: keep it to yourself.'
    : 'It has no API key and no webhook secret; addresses of webhooks are in it as they were given.'
  return `${theme.good('✓')} ${theme.strong(`Exported to ${cleaned(file)}`)}\n  ${hangingText(secrets, 2, theme.width)}\n`
}
