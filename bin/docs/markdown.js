/** A table. Cells that are undefined or null are empty; a bar in a cell is escaped. */
export function table(heads, rows) {
  const line = (cells) => `| ${cells.map((cell) => String(cell ?? '').replaceAll('|', '\\|')).join(' | ')} |`
  return [line(heads), `|${heads.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}

/** A list of names, each with what it is; other cells stand in brackets after the name. Empty cells are left out. */
export function definitions(rows) {
  const line = ([name, what, ...others]) => {
    const inBrackets = others.filter(Boolean).join('; ')
    return `- ${name}${inBrackets ? ` (${inBrackets})` : ''}${what ? `: ${what}` : ''}`
  }
  return rows.map(line).join('\n')
}

/** Text as code. */
export const code = (text) => `\`${text}\``

/** A list of names as code. */
export const codes = (names) => names.map(code).join(', ')

/** Text in which `<…>` is shown and not taken for HTML; what stands in backquotes is left alone. */
export const plain = (text) => text.replace(/(`[^`]*`)|</g, (_, quoted) => quoted ?? '&lt;')
