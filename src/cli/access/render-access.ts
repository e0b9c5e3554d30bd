import { type ControlName, controls } from '../../contract/control/controls/controls.ts'
import { firstSpace } from '../../contract/control/spaces.ts'
import {
  type AuditEntry,
  type AuditList,
  type CreatedToken,
  startTokenName,
  type TokenList,
  type TokenView,
} from '../../contract/control/tokens.ts'
import { hintText } from '../hints/hint-text.ts'
import { clean, cleaned } from '../output/clean.ts'
import { timeColumn, timeText } from '../output/render-time.ts'
import { type Column, columns, fittingTable, pairs } from '../output/table.ts'
import { theme } from '../output/theme.ts'

/** The audit log, a line in a line, the newest last. */
export function renderAudit(list: AuditList): string {
  const { entries } = cleaned(list)
  if (entries.length === 0) return 'No entries.\n'
  return `${fittingTable(entries, auditColumns)}\n`
}

const auditColumns: Column<AuditEntry>[] = [
  timeColumn('time', ({ at }) => at),
  { head: 'token', cell: ({ token, client }) => (client === undefined ? token : `${token} (${client})`) },
  { head: 'action', cell: actionText },
  { head: 'space', cell: ({ space }) => space, yields: 2 },
  { head: 'from', cell: ({ address }) => address, yields: 1 },
  {
    head: 'result',
    cell: ({ code, count }) =>
      code === '0' ? theme.good('✓ done') : theme.bad(`✗ ${code}${count === undefined ? '' : ` × ${count}`}`),
  },
]

/** A control operation by its name and object; for pages and unknown paths, the path says more. */
function actionText({ action, method, path }: AuditEntry): string {
  if (action === null || action === 'page') return `${method} ${path}`
  return [action, ...namesIn(path, action)].join(' ')
}

/** The names in the path of a control operation: of a terminal, a snapshot, a token that it made. */
function namesIn(path: string, action: string): string[] {
  if (!Object.hasOwn(controls, action)) return []
  const pathTemplate = controls[action as ControlName].path.split('/')
  return path.split('/').filter((_, index) => pathTemplate[index]?.startsWith(':') ?? true)
}

/** A new token, with how to use it. `url`: base URL of the server. */
export function renderCreated(rawToken: CreatedToken, url: string): string {
  const created = cleaned(rawToken)
  const { name, token, scope, expiresAt } = created
  const inSpace = created.space === null || created.space === firstSpace ? '' : `/s/${created.space}`
  const base = `${clean(url).replace(/\/$/, '')}${inSpace}`
  const facts = pairs([
    ['token', token],
    ['scope', `${scope}, ${created.space === null ? '' : 'the space '}${spaceText(created)}`],
    ['valid', expiresAt === null ? 'until it is revoked' : `until ${timeText(expiresAt)}`],
    ['pages', scope === 'spaces' ? null : `${base}/?token=${token}`],
    ['commands', scope === 'viewer' ? null : `TILLBOX_BASE_URL=${base} TILLBOX_TOKEN=${token}`],
  ])
  const once = theme.open('It is shown only once: the sandbox keeps only its hash.')
  return `${theme.good('✓')} Created token ${theme.strong(name)}\n${facts}\n\n${once}\n`
}

const spaceText = ({ scope, space }: TokenView): string =>
  space ?? (scope === 'spaces' ? 'those that it creates' : 'every space')

/** Every token in a line. */
export function renderTokens(list: TokenList): string {
  const { tokens } = cleaned(list)
  if (tokens.length === 0)
    return `${hintText('There is no token. Make one: `tillbox token create <name> --scope viewer`')}\n`
  const rows = tokens.map((token) => [
    token.name,
    token.scope,
    spaceText(token),
    token.lastUsedAt === null ? 'never' : timeText(token.lastUsedAt),
    tokenValidity(token),
  ])
  return `${columns(['name', 'scope', 'space', 'last used', 'valid'], rows)}\n`
}

function tokenValidity({ name, state, expiresAt }: TokenView): string {
  if (name === startTokenName) return theme.good('until the sandbox stops')
  if (expiresAt === null) return theme.good('until it is revoked')
  return state === 'valid'
    ? theme.good(`until ${timeText(expiresAt)}`)
    : theme.faint(`expired ${timeText(expiresAt)}`)
}
