// The rows of a run, as a table in Markdown.

/** Collects rows: `what`, `value` (the figures in words), `ratio` with its `quartiles`, and its bar `[least, most]`. */
export function newReport() {
  const rows = []
  return {
    add: (row) => void rows.push(row),
    text: () => table([['what', 'measured', 'ratio', 'quartiles', 'bar', 'result'], ...rows.map(cells)]),
  }
}

function cells({ what, value, ratio, quartiles, bar }) {
  if (ratio === undefined) return [what, value, '', '', '', '']
  const [least, most] = bar ?? []
  const isMet = ratio >= (least ?? 0) && ratio <= (most ?? Number.POSITIVE_INFINITY)
  return [
    what,
    value,
    ratio.toFixed(2),
    quartiles?.map((each) => each.toFixed(2)).join('–') ?? '',
    bar === undefined ? '' : least === undefined ? `≤ ${most.toFixed(2)}` : `≥ ${least.toFixed(2)}`,
    bar === undefined ? '' : isMet ? 'met' : 'MISSED',
  ]
}

function table([head, ...body]) {
  const widths = head.map((_, at) => Math.max(...[head, ...body].map((row) => row[at].length)))
  const line = (row) => `| ${row.map((cell, at) => cell.padEnd(widths[at])).join(' | ')} |`
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  return [line(head), rule, ...body.map(line)].join('\n')
}

/** The value below which that share of the values is. */
export function quantile(values, share) {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

export const median = (values) => quantile(values, 0.5)

/** The figures of the rounds of one load, in words: processor time a request, rate, slowest of 100. */
export function loadText(results) {
  const of = (member) => median(results.map((result) => result[member]))
  return `${of('time').toFixed(0)} µs, ${Math.round(of('rate'))}/s, p99 ${of('p99')} ms`
}

/** The median of the ratios of each round, and its quartiles: what disturbs a round disturbs both sides. */
export function compare(values, against) {
  const ratios = values.map((value, round) => value / against[round])
  return { ratio: median(ratios), quartiles: [quantile(ratios, 0.25), quantile(ratios, 0.75)] }
}

/** The items in another order in each round, so that none always follows the same one. */
export function rotated(items, round) {
  const first = round % items.length
  return [...items.slice(first), ...items.slice(0, first)]
}
