import type { AuditEntry, AuditList } from '../../contract/sandbox/access/access-answers.ts'
import { cleaned } from '../output/clean.ts'
import { type Column, fittingTable } from '../output/table.ts'
import { type Theme, themeOf } from '../output/theme.ts'
import { minuteText, utcText } from '../output/time.ts'

/** The audit log, a line in a line, the newest last. */
export function renderAudit(list: AuditList): string {
  const { entries } = cleaned(list)
  const theme = themeOf('stdout')
  if (entries.length === 0) return 'Nothing was changed, and nobody was refused.\n'
  return `${fittingTable(entries, columnsOf(theme), theme)}\n`
}

const columnsOf = (theme: Theme): Column<AuditEntry>[] => [
  {
    head: 'time (UTC)',
    cell: ({ at }) => utcText(at),
    brief: { head: 'time (UTC)', cell: ({ at }) => minuteText(at) },
  },
  { head: 'token', cell: ({ token }) => token },
  { head: 'action', cell: actionOf },
  { head: 'space', cell: ({ space }) => space, yields: 2 },
  { head: 'from', cell: ({ address }) => address, yields: 1 },
  {
    head: 'result',
    cell: ({ code }) => (code === '0' ? theme.good('✓ done') : theme.bad(`✗ ${code}`)),
  },
]

/** A control operation by its name; of a page, and of what does not exist, the path says more. */
const actionOf = ({ action, method, path }: AuditEntry): string =>
  action === null || action === 'page' ? `${method} ${path}` : action
