import type { Passage } from '../../contract/documents/documents.ts'
import { columns } from '../output/table.ts'
import { theme } from '../output/theme.ts'

/** The best passage in full, and the addresses of the others. */
export function renderPassages([best, ...others]: readonly Passage[]): string {
  const text = best === undefined ? '' : `${theme.faint(best.path)}\n${best.text().trimEnd()}\n`
  if (others.length === 0) return text
  const rows = others.map(({ path, title, where }) => [path, title, theme.faint(where)])
  return `${text}\n${theme.strong('Also')}\n${columns(['address', 'title', ''], rows)}\n`
}
