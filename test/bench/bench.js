// Measures tillbox against bare servers and a bare node, side by side in one run. `npm run bench`, with these after `--`:
//   --only throughput,start   some of its parts, by their names below
//   --scale                   what grows with what is stored, up to a million transactions
//   --spaces                  a thousand spaces in one process
//   --shared                  several nodes over the PostgreSQL of TILLBOX_STORE, beside the file store
//   --peers [folder]          other mock servers that are installed there; docs/performance.md says how
//   --chart [file]            draws the ratios of throughput and peers; left out, docs/images/performance.svg
//   --json <file>             writes the rows
//   --quick                   a look: few and short rounds, less stored
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { endAll } from './children.js'
import { optionsOf } from './options.js'
import { commands } from './parts/commands.js'
import { dashboard } from './parts/dashboard.js'
import { listening } from './parts/listeners.js'
import { peers } from './parts/peers.js'
import { scale } from './parts/scale.js'
import { shared } from './parts/shared.js'
import { spaces } from './parts/spaces.js'
import { start } from './parts/start.js'
import { throughput } from './parts/throughput.js'
import { webhooks } from './parts/webhooks.js'
import { connections } from './processes.js'
import { drawChart } from './results/chart.js'
import { newReport } from './results/report.js'
import { newStates } from './stored-state.js'

/** What is measured, in this order; each takes what it needs of the tools. */
const parts = {
  throughput,
  start,
  webhooks,
  listeners: listening,
  commands,
  dashboard,
  scale,
  spaces,
  shared,
  peers,
}

/** Parts that run only when they are asked for. */
const extra = ['scale', 'spaces', 'shared', 'peers']

const all = Object.keys(parts)
const usual = all.filter((part) => !extra.includes(part))
const options = optionsOf(process.argv.slice(2), { usual, all })
const size = options.quick
  ? { rounds: 3, seconds: 0.5, stored: 20_000, notified: 20_000, pending: 5_000, runs: 7, spaces: 100 }
  : { rounds: 7, seconds: 2, stored: 1_000_000, notified: 200_000, pending: 50_000, runs: 25, spaces: 1_000 }

/** How much is stored in turn, by part; a quick look leaves the largest out. */
const sizes = {
  start: [100_000, 1_000_000],
  dashboard: [1_000, 20_000, 1_000_000],
  scale: [1_000, 10_000, 100_000, 1_000_000],
}

const root = mkdtempSync(join(tmpdir(), 'tillbox-bench-'))
const report = newReport()
const states = newStates(root)
process.once('exit', () => {
  endAll()
  rmSync(root, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

process.stdout.write(
  `node ${process.version}, ${cpus().length} cores, load average ${loadavg()[0].toFixed(1)}, ` +
    `${connections} connections, ${size.rounds} rounds of ${size.seconds} s\n\n`,
)
for (const part of options.chosen)
  await parts[part]({ root, report, ...size, sizes: sizesOf(part), peers: options.peers, ...states })
process.stdout.write(`\n${report.text()}\n`)
if (options.json) writeFileSync(options.json, `${JSON.stringify(report.rows, null, 2)}\n`)
if (options.chart) writeFileSync(options.chart, drawChart(report.drawn))

function sizesOf(part) {
  const wanted = sizes[part] ?? []
  return options.quick ? wanted.slice(0, -1) : wanted
}
