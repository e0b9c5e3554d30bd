// The ratios of a run as a picture. It brings its own background for light and dark, and needs no font.

const [width, left, right, barHeight, gap] = [760, 190, 90, 13, 12]

/** Words of a group, and of its two kinds of bars. */
const groups = {
  echo: {
    title: 'tillbox ÷ an echo of the same requests and answers',
    kinds: { time: 'by processor time of the main thread', rate: 'by requests a second' },
  },
  peers: {
    title: 'Requests a second ÷ the echo; only tillbox has a write on disk before it answers',
    kinds: { read: 'read a record', write: 'write a record' },
  },
}

const style = `
  .page { fill: #ffffff; stroke: #d0d7de } .text { fill: #1f2328 } .quiet { fill: #57606a } .line { stroke: #8c959f }
  .first { fill: #1f6feb } .second { fill: #b35900 }
  text { font: 13px system-ui, sans-serif } .title { font-weight: 600 } .small { font-size: 11px }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117; stroke: #30363d } .text { fill: #e6edf3 } .quiet { fill: #9198a1 } .line { stroke: #6e7681 }
    .first { fill: #58a6ff } .second { fill: #f0a04b }
  }`

/** An SVG of what the parts drew: bars of `group`, `name`, `kind`, `ratio`. Errors: Error when no part drew anything. */
export function drawChart(bars) {
  if (bars.length === 0) throw new Error('--chart draws what the parts throughput and peers measure')
  let y = 16
  const parts = Object.entries(groups).flatMap(([group, words]) => {
    const own = bars.filter((bar) => bar.group === group)
    if (own.length === 0) return []
    const { text, height } = drawGroup(own, words, y)
    y += height
    return [text]
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" role="img" aria-label="${labelOf(bars)}">
<style>${style}
</style>
<rect class="page" x="0.5" y="0.5" width="${width - 1}" height="${y - 1}" rx="6"/>
${parts.join('\n')}
</svg>
`
}

function drawGroup(bars, { title, kinds }, top) {
  const names = [...new Set(bars.map(({ name }) => name))]
  const most = Math.max(1, ...bars.map(({ ratio }) => ratio))
  const scaled = (ratio) => (ratio / most) * (width - left - right)
  const [head, each] = [58, 2 * barHeight + gap]
  const bottom = top + head + names.length * each
  const classes = ['first', 'second']
  const drawn = [
    text(16, top + 14, title, 'text title'),
    ...Object.values(kinds).flatMap((words, at) => [
      rect(16 + at * 300, top + 25, 10, classes[at]),
      text(32 + at * 300, top + 34, words, 'quiet small'),
    ]),
    `<line class="line" x1="${left + scaled(1)}" x2="${left + scaled(1)}" y1="${top + head - 8}" y2="${bottom - 4}" stroke-dasharray="3 3"/>`,
    text(left + scaled(1), top + head - 12, 'echo', 'quiet small', 'middle'),
  ]
  for (const [index, name] of names.entries()) {
    const y = top + head + index * each
    drawn.push(text(left - 10, y + barHeight + 5, name, 'text', 'end'))
    for (const [at, kind] of Object.keys(kinds).entries()) {
      const bar = bars.find((candidate) => candidate.name === name && candidate.kind === kind)
      if (bar === undefined) continue
      const length = Math.max(1, scaled(bar.ratio))
      const barY = y + at * barHeight
      drawn.push(
        rect(left, barY, length, classes[at]),
        text(left + length + 6, barY + barHeight - 3, bar.ratio.toFixed(2), 'quiet small'),
      )
    }
  }
  return { text: drawn.join('\n'), height: bottom - top + 12 }
}

/** The same in words, for who cannot see it. */
const labelOf = (bars) =>
  escaped(
    bars
      .map(({ group, name, kind, ratio }) => `${name} ${groups[group].kinds[kind]}: ${ratio.toFixed(2)}`)
      .join('; '),
  )

const rect = (x, y, length, kind) =>
  `<rect class="${kind}" x="${x}" y="${y}" width="${length.toFixed(1)}" height="${barHeight - 2}" rx="2"/>`

const text = (x, y, words, kind, anchor = 'start') =>
  `<text class="${kind}" x="${x.toFixed(1)}" y="${y}" text-anchor="${anchor}">${escaped(words)}</text>`

const escaped = (words) => words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
