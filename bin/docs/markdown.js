/** A table. Cells that are undefined or null are empty; a bar in a cell is escaped. */
export function table(heads, rows) {
  const line = (cells) => `| ${cells.map((cell) => String(cell ?? '').replaceAll('|', '\\|')).join(' | ')} |`
  return [line(heads), `|${heads.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}

/** Text as code. */
export const code = (text) => `\`${text}\``

/** A list of names as code. */
export const codes = (names) => names.map(code).join(', ')

/** Text in which `<…>` is shown and not taken for HTML; what stands in backquotes is left alone. */
export const plain = (text) => text.replace(/(`[^`]*`)|</g, (_, quoted) => quoted ?? '&lt;')

/**
 * A Mermaid state diagram of `[from, to, why]`; `from` null is the beginning. Changes between the same two states share
 * an arrow, and states that none leaves are ends.
 */
export function stateDiagram(changes) {
  const arrows = new Map()
  for (const [from, to, why] of changes) {
    const arrow = `${from ?? '[*]'} --> ${to}`
    arrows.set(arrow, [...(arrows.get(arrow) ?? []), why])
  }
  const ends = new Set(changes.map(([, to]) => to))
  for (const [from] of changes) ends.delete(from)
  const lines = [
    'stateDiagram-v2',
    ...[...arrows].map(([arrow, whys]) => `  ${arrow}: ${whys.join('<br/>')}`),
    ...[...ends].map((end) => `  ${end} --> [*]`),
  ]
  return ['```mermaid', ...lines, '```'].join('\n')
}
