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
