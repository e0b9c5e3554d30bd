// The rows that a run of the bench found, as a table in Markdown.

/**
 * Tables, and rows of `what`, `value` (the figures, in words), `ratio` with its `quartiles`, `unit` of the ratio, and its bar. `note`
 * is said once below the tables; `draw` takes a bar of the chart.
 */
export function newReport() {
  const [rows, tables, drawn, notes] = [[], [], [], new Set()]
  return {
    rows,
    drawn,
    add: (...added) => rows.push(...added),
    table: (text) => tables.push(text),
    draw: (bar) => drawn.push(bar),
    note: (text) => notes.add(text),
    text,
  }

  function text() {
    const parts = [table(rows), ...tables, [...notes].map((note) => `- ${note}`).join('\n')]
    return parts.filter((part) => part !== '').join('\n\n')
  }
}

/** A table of the rows; the cells of each line are padded, so that it can be read as it is. */
function table(rows) {
  if (rows.length === 0) return ''
  const lines = [['what', 'measured', 'ratio', 'quartiles', 'bar', 'result'], ...rows.map(cells)]
  return aligned(lines)
}

/** Lines of cells as a table in Markdown; the first line is its head. */
export function aligned([head, ...body]) {
  const widths = head.map((_, at) => Math.max(...[head, ...body].map((line) => line[at].length)))
  const drawn = (line) => `| ${line.map((cell, at) => cell.padEnd(widths[at])).join(' | ')} |`
  return [
    drawn(head),
    `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`,
    ...body.map(drawn),
  ].join('\n')
}

function cells({ what, value, ratio, quartiles, unit, bar }) {
  const shown = (figure) => `${rounded(figure)}${unit ? ` ${unit}` : ''}`
  return [
    what,
    value,
    ratio === undefined ? '' : shown(ratio),
    quartiles === undefined ? '' : quartiles.map(rounded).join('–'),
    bar === undefined ? '' : 'least' in bar ? `≥ ${shown(bar.least)}` : `≤ ${shown(bar.most)}`,
    bar === undefined ? '' : isMet(ratio, bar) ? 'met' : 'MISSED',
  ]
}

const isMet = (ratio, { least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY }) =>
  ratio >= least && ratio <= most

const rounded = (figure) => (Math.abs(figure) >= 100 ? String(Math.round(figure)) : figure.toFixed(2))
