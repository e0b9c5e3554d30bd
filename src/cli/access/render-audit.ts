import type { AuditEntry, AuditList } from '../../contract/sandbox/access/access-answers.ts'
import { type ControlName, controls } from '../../contract/sandbox/controls/controls.ts'
import { cleaned } from '../output/clean.ts'
import { minuteText, utcText } from '../output/render-time.ts'
import { type Column, fittingTable } from '../output/table.ts'
import { type Theme, themeOf } from '../output/theme.ts'

/** The audit log, a line in a line, the newest last. */
export function renderAudit(list: AuditList): string {
  const { entries } = cleaned(list)
  const theme = themeOf('stdout')
  if (entries.length === 0) return 'No entries.\n'
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
    cell: ({ code, count }) =>
      code === '0' ? theme.good('✓ done') : theme.bad(`✗ ${code}${count === undefined ? '' : ` × ${count}`}`),
  },
]

/** A control operation by its name and object; for pages and unknown paths, the path says more. */
function actionOf({ action, method, path }: AuditEntry): string {
  if (action === null || action === 'page') return `${method} ${path}`
  return [action, ...namesIn(path, action)].join(' ')
}

/** The names in the path of a control operation: of a terminal, a checkpoint, a token that it made. */
function namesIn(path: string, action: string): string[] {
  const pattern = controlNames.find((name) => name === action)
  if (pattern === undefined) return []
  const known = controls[pattern].path.split('/')
  return path.split('/').filter((_, index) => known[index]?.startsWith(':') ?? true)
}

const controlNames = Object.keys(controls) as ControlName[]
