// Measures tillbox beside a bare server and a bare node, in one run: only ratios count, machines are noisy.
//   npm run bench                         the usual parts
//   npm run bench -- --only stored,nodes  some parts, by their names below
//   npm run bench -- --quick              a look: short rounds, less stored
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { commands } from './parts/commands.js'
import { nodes } from './parts/nodes.js'
import { peers } from './parts/peers.js'
import { requests } from './parts/requests.js'
import { spaces } from './parts/spaces.js'
import { stored } from './parts/stored.js'
import { streams } from './parts/streams.js'
import { endAll } from './processes.js'
import { newReport } from './report.js'

/** What is measured. `nodes` needs a database and `peers` a registry, so they run only when they are named. */
const parts = { requests, stored, streams, commands, spaces, nodes, peers }

const { values } = parseArgs({
  options: { only: { type: 'string' }, quick: { type: 'boolean', default: false } },
})
const usual = Object.keys(parts).filter((name) => !['nodes', 'peers'].includes(name))
const chosen = values.only?.split(',') ?? usual
const unknown = chosen.find((name) => !(name in parts))
if (unknown !== undefined) throw new Error(`there is no part ${unknown}; --only takes ${Object.keys(parts)}`)

/** `stored`: transactions of the full sandbox; `runs`: starts of each command. */
const size = values.quick
  ? { rounds: 3, seconds: 1, stored: 10_000, runs: 5, spaces: 100 }
  : { rounds: 7, seconds: 2, stored: 100_000, runs: 15, spaces: 1_000 }

const root = mkdtempSync(join(tmpdir(), 'tillbox-bench-'))
process.once('exit', () => {
  endAll()
  rmSync(root, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

const report = newReport()
let folders = 0
const newFolder = () => join(root, `state-${folders++}`)
process.stdout.write(`node ${process.version}, ${cpus().length} cores, load ${loadavg()[0].toFixed(1)}\n`)
for (const name of chosen) {
  process.stdout.write(`${name} …\n`)
  await parts[name]({ ...size, root, report, newFolder })
}
process.stdout.write(`\n${report.text()}\n`)
