import type { SpaceAccess, SpaceList } from '../../contract/control/spaces.ts'
import { shellQuote } from '../../shared/text/shell-quote.ts'
import { commandText } from '../hints/hint-text.ts'
import { cleaned } from '../output/clean.ts'
import { timeText } from '../output/render-time.ts'
import { columns, pairs } from '../output/table.ts'
import { theme } from '../output/theme.ts'

/** Every space in a line. */
export function renderSpaces(list: SpaceList): string {
  const rows = cleaned(list).spaces.map(({ name, url, transactions, expiresAt, inMemory }) => [
    name,
    inMemory ? String(transactions ?? '') : theme.faint('asleep'),
    expiresAt === null ? '' : timeText(expiresAt),
    url,
  ])
  return `${columns(['space', 'transactions', 'removed at', 'URL'], rows, ['transactions'])}\n`
}

/** Where a space is, and how to call it. */
export function renderSpace(rawSpace: SpaceAccess): string {
  const space = cleaned(rawSpace)
  return `${pairs([
    ['space', space.name],
    ['URL', space.url],
    ['API key', space.apiKey],
    ['application', space.appId],
    ['merchant', space.merchantId],
    ['removed at', space.expiresAt === null ? 'never, until you remove it' : timeText(space.expiresAt)],
  ])}\n`
}

/** A new space, and commands to try. */
export function renderCreatedSpace(space: SpaceAccess): string {
  const { name } = cleaned(space)
  const tried = [
    `tillbox sale --amount 10.00 --space ${shellQuote(name)}`,
    `tillbox sandbox open --space ${shellQuote(name)}`,
  ]
  const next = tried.map((line) => commandText(line)).join('\n')
  return `${theme.good('✓')} Created space ${theme.strong(name)}\n${renderSpace(space)}\nTry:\n${next}\n`
}
