import type { MadeAccess } from '../../contract/sandbox/application-answers.ts'
import { hint } from '../hints/same-sandbox.ts'
import { pairs } from '../output/table.ts'
import type { Theme } from '../output/theme.ts'

/** Lines with the keys and webhook secrets that a start made; none for an empty list. */
export function renderMadeAccess(made: readonly MadeAccess[], theme: Theme): string[] {
  if (made.length === 0) return []
  const head = hint('New keys, shown once; tillbox sandbox env prints them later:')
  const facts = made.flatMap(({ appId, apiKey, webhookSecret }) => [
    [`API key of ${appId}`, apiKey] as const,
    [`webhook secret of ${appId}`, webhookSecret] as const,
  ])
  return [head, pairs(theme, facts), '']
}
