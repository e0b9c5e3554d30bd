import type { CreatedToken, TokenList, TokenView } from '../../contract/sandbox/access/access-answers.ts'
import { startTokenName } from '../../contract/sandbox/access/token.ts'
import { firstSpace } from '../../contract/sandbox/spaces/space-name.ts'
import { hintText } from '../hints/hint-text.ts'
import { cleaned } from '../output/clean.ts'
import { timeText } from '../output/render-time.ts'
import { columns, pairs } from '../output/table.ts'
import { type Theme, themeOf } from '../output/theme.ts'

/** A new token, with how to use it. `url`: base URL of the server. */
export function renderCreated(given: CreatedToken, url: string): string {
  const created = cleaned(given)
  const { name, token, scope, expiresAt } = created
  const theme = themeOf('stdout')
  const base = `${url.replace(/\/$/, '')}${pathOf(created)}`
  const facts = pairs(theme, [
    ['token', token],
    ['scope', scopeText(created)],
    ['valid', expiresAt === null ? 'until it is revoked' : `until ${timeText(expiresAt)}`],
    ['pages', `${base}/?token=${token}`],
    ['commands', scope === 'viewer' ? null : `TILLBOX_BASE_URL=${base} TILLBOX_TOKEN=${token}`],
  ])
  const once = theme.open('It is shown only once: the sandbox keeps only its hash.')
  return `${theme.good('✓')} Created token ${theme.strong(name)}\n${facts}\n\n${once}\n`
}

const pathOf = ({ space }: TokenView): string => (space === null || space === firstSpace ? '' : `/s/${space}`)

const scopeText = ({ scope, space }: TokenView): string =>
  space === null ? `${scope}, every space` : `${scope}, the space ${space}`

/** Every token in a line. */
export function renderTokens(list: TokenList): string {
  const { tokens } = cleaned(list)
  const theme = themeOf('stdout')
  if (tokens.length === 0)
    return `${hintText('There is no token. Make one: tillbox token create <name> --scope viewer', theme)}\n`
  const rows = tokens.map((token) => [
    token.name,
    token.scope,
    token.space ?? 'every space',
    token.lastUsedAt === null ? 'never' : timeText(token.lastUsedAt),
    validityOf(token, theme),
  ])
  return `${columns(['name', 'scope', 'space', 'last used', 'valid'], rows, theme)}\n`
}

function validityOf({ name, state, expiresAt }: TokenView, theme: Theme): string {
  if (name === startTokenName) return theme.good('until the sandbox stops')
  if (expiresAt === null) return theme.good('until it is revoked')
  return state === 'valid'
    ? theme.good(`until ${timeText(expiresAt)}`)
    : theme.faint(`expired ${timeText(expiresAt)}`)
}
