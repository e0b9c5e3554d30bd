// Measures tillbox against bare servers and a bare node, side by side in one run. `npm run bench`; `-- --quick` for a look;
// `-- --scale`: the dashboard with a million stored;
// `-- --only listeners` for some of its parts: throughput, start, webhooks, listeners, commands, dashboard (with commas).
import { fork, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dashboard } from './dashboard.js'
import { listening } from './listeners.js'
import { webhooks } from './webhooks.js'

const here = fileURLToPath(new URL('.', import.meta.url))
const binary = fileURLToPath(new URL('../../bin/run.js', import.meta.url))
const quick = process.argv.includes('--quick')
const stored = quick ? 20_000 : 200_000
const seconds = quick ? 2 : 5
const rounds = quick ? 1 : 3
const scale = process.argv.includes('--scale') ? 1_000_000 : 100_000
const connections = 32
const root = mkdtempSync(join(tmpdir(), 'tillbox-bench-'))
const results = []
const tools = { root, here, rounds, seconds, startServer, runLoad, median, results }

/** What is measured, in this order. */
const parts = {
  throughput: async () => throughput(await fullState()),
  start: async () => startAndMemory(await fullState()),
  webhooks: () => webhooks({ ...tools, pending: quick ? 5_000 : 50_000 }),
  listeners: async () => listening({ ...tools, full: await fullState(), stored, copyOf }),
  commands,
  dashboard: () => dashboard({ ...tools, many: scale, seed }),
}

try {
  await main()
} finally {
  rmSync(root, { recursive: true, force: true })
}

async function main() {
  process.stdout.write(
    `node ${process.version}, ${cpus().length} cores, ${connections} connections, ${rounds} rounds of ${seconds} s\n\n`,
  )
  for (const part of chosenParts()) await parts[part]()
  process.stdout.write(`\n${table(results)}\n`)
  if (process.env.BENCH_JSON) writeFileSync(process.env.BENCH_JSON, `${JSON.stringify(results, null, 2)}\n`)
}

/** Names of the parts to run: all, or those of `--only`. */
function chosenParts() {
  const names = Object.keys(parts)
  const at = process.argv.indexOf('--only')
  if (at === -1) return names
  const chosen = (process.argv[at + 1] ?? '').split(',')
  const unknown = chosen.find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new Error(`the bench has no part '${unknown}'; --only takes ${names.join(', ')}`)
  return names.filter((name) => chosen.includes(name))
}

/** A state with many transactions, made when a part first wants it. */
async function fullState() {
  const full = join(root, 'full')
  if (existsSync(full)) return full
  process.stdout.write(`storing ${stored} transactions…\n`)
  await seed(full, stored)
  return full
}

/** Rates, in rounds that alternate between the servers, so that a noisy minute hits all of them. */
async function throughput(full) {
  const measured = {}
  for (let round = 1; round <= rounds; round++) {
    process.stdout.write(`round ${round}\n`)
    for (const [name, options] of [
      ['echo', { kind: 'echo' }],
      ['empty', { kind: 'sandbox', state: join(root, `empty-${round}`) }],
      ['full', { kind: 'sandbox', state: copyOf(full, round) }],
    ]) {
      const server = await startServer(options)
      for (const load of ['query', 'batch', 'sale', 'session']) {
        const result = await runLoad(server, load, `${name}${round}`)
        if (result.failed > 0)
          throw new Error(`${result.failed} of ${result.count} ${load} answers of ${name} were wrong`)
        measured[`${name} ${load}`] ??= []
        const { p99: delay, busyMs } = await server.ask('delay')
        measured[`${name} ${load}`].push({ ...result, delay, busy: (busyMs * 1000) / result.count })
        process.stdout.write(`  ${name.padEnd(6)}${load.padEnd(8)} ${Math.round(result.rate)} a second\n`)
      }
      await server.stop()
    }
  }
  const rate = (key) => median(measured[key].map((result) => result.rate))
  const row = (what, value, against, bar) =>
    results.push({
      what,
      value: `${Math.round(rate(value))}/s`,
      ratio: rate(value) / rate(against),
      bar,
      higher: true,
    })
  row('durable sale ÷ echo', 'empty sale', 'echo sale', 0.4)
  row('query ÷ echo', 'empty query', 'echo query', 0.7)
  row(`sale with ${stored} stored ÷ with none`, 'full sale', 'empty sale', 0.9)
  row(`query with ${stored} stored ÷ with none`, 'full query', 'empty query', 0.9)
  row('create session ÷ echo', 'empty session', 'echo session')
  row('batch query ÷ echo', 'empty batch', 'echo batch')
  row(`batch query with ${stored} stored ÷ with none`, 'full batch', 'empty batch', 0.9)
  for (const key of ['echo sale', 'empty sale', 'full sale', 'empty query']) {
    const pick = (member) => median(measured[key].map((result) => result[member])).toFixed(2)
    const delay = median(measured[key].map((result) => result.delay)).toFixed(1)
    results.push({
      what: `latency, ${key}`,
      value: `p50 ${pick('p50')} ms, p99 ${pick('p99')} ms, event loop p99 ${delay} ms, busy ${pick('busy')} µs each`,
    })
  }
}

async function startAndMemory(full) {
  const half = join(root, 'half')
  await seed(half, stored / 2)
  const starts = []
  for (let round = 0; round < rounds; round++) {
    const server = await startServer({ kind: 'sandbox', state: half })
    starts.push(server.readyMs)
    await server.stop()
  }
  results.push({
    what: `start with ${stored / 2} stored`,
    value: `${Math.round(median(starts))} ms`,
    ratio: median(starts) / 1000,
    bar: 1.5,
    unit: 's',
  })
  const empty = await startServer({ kind: 'sandbox', state: join(root, 'none') })
  const none = await empty.ask('memory')
  await empty.stop()
  const server = await startServer({ kind: 'sandbox', state: copyOf(full, 'memory') })
  const each = ((await server.ask('memory')) - none) / stored
  await server.stop()
  results.push({
    what: 'memory a stored transaction',
    value: `${Math.round(each)} bytes`,
    ratio: each / 1024,
    bar: 1.5,
    unit: 'KB',
  })
}

/** Start-up of the command line against a node that does nothing, and the least that its framework takes. */
async function commands() {
  const state = join(root, 'cli')
  const env = { ...process.env, TILLBOX_STATE: state, NO_COLOR: '1' }
  const runs = quick ? 7 : 25
  const timed = (args) => {
    const started = performance.now()
    const { status, stderr } = spawnSync(process.execPath, args, { env })
    if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
    return performance.now() - started
  }
  const child = spawnSyncServer(env)
  const kinds = {
    bare: ['-e', '0'],
    hello: [helloWorld(), 'hello'],
    help: [binary, '--help'],
    sale: [binary, 'sale', '--amount', '10.00', '--no-wait', '--json'],
  }
  const times = { bare: [], hello: [], help: [], sale: [] }
  for (let run = 0; run < runs + 2; run++)
    for (const [name, args] of Object.entries(kinds)) {
      const time = timed(args)
      if (run >= 2) times[name].push(time)
    }
  await child.stop()
  const bare = median(times.bare)
  results.push({ what: 'bare node -e 0', value: `${bare.toFixed(0)} ms` })
  for (const [name, bar, what] of [
    ['hello', undefined, 'hello world of oclif ÷ bare node'],
    ['help', 2.2, 'tillbox --help ÷ bare node'],
    ['sale', 2.6, 'tillbox sale --no-wait --json ÷ bare node'],
  ])
    results.push({
      what,
      value: `${median(times[name]).toFixed(0)} ms`,
      ratio: median(times[name]) / bare,
      bar,
    })
}

/** A command line of one command with the same oclif, as its documents show it. Returns the path of its binary. */
function helloWorld() {
  const folder = join(root, 'hello')
  for (const part of ['commands', 'node_modules/@oclif']) mkdirSync(join(folder, part), { recursive: true })
  symlinkSync(
    fileURLToPath(new URL('../../node_modules/@oclif/core', import.meta.url)),
    join(folder, 'node_modules/@oclif/core'),
  )
  const oclif = { bin: 'hello', commands: './commands', dirname: 'hello' }
  const about = { name: 'hello', version: '1.0.0', type: 'module', oclif }
  const command = { id: 'hello', isESM: true, relativePath: ['commands', 'hello.js'], aliases: [], flags: {} }
  const manifest = { version: about.version, commands: { hello: { ...command, args: {}, strict: true } } }
  const run = join(folder, 'run.js')
  const files = {
    [join(folder, 'package.json')]: JSON.stringify(about),
    [join(folder, 'oclif.manifest.json')]: JSON.stringify(manifest),
    [join(folder, 'commands/hello.js')]:
      "import { Command } from '@oclif/core'\nexport default class Hello extends Command {\n  async run() {\n    this.log('hello')\n  }\n}\n",
    [run]: "import { execute } from '@oclif/core'\nawait execute({ dir: import.meta.url })\n",
  }
  for (const [path, text] of Object.entries(files)) writeFileSync(path, text)
  return run
}

/** The real binary in the background, while this process waits for commands. */
function spawnSyncServer(env) {
  const child = fork(binary, ['sandbox', 'start', '--port', '0', '--json'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const stop = () => {
    child.kill('SIGTERM')
    return ended
  }
  for (let tries = 0; tries < 100; tries++) {
    const { status } = spawnSync(process.execPath, [binary, 'sandbox', 'status', '--json'], { env })
    if (status === 0) return { stop }
  }
  child.kill('SIGTERM')
  throw new Error('the sandbox did not start')
}

async function seed(state, count, load = 'seed') {
  const server = await startServer({ kind: 'sandbox', state, wallOffset: -3_600_000 })
  await runLoad(server, load, 'seed', count)
  await server.stop()
}

function copyOf(folder, name) {
  const copy = join(root, `copy-${name}`)
  cpSync(folder, copy, { recursive: true })
  return copy
}

/** A server in a process of its own. */
async function startServer(options) {
  const started = performance.now()
  const child = fork(join(here, 'server.js'), [JSON.stringify(options)], { execArgv: ['--expose-gc'] })
  const next = () =>
    new Promise((resolve, reject) => {
      child.once('message', resolve)
      child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
    })
  const ready = await next()
  return {
    ...ready,
    wallOffset: options.wallOffset ?? 0,
    readyMs: performance.now() - started,
    ask(question) {
      const answer = next()
      child.send(question)
      return answer
    },
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.send('stop')
      await ended
    },
  }
}

/** Load from a process of its own. */
function runLoad(server, load, tag, count) {
  const { port, apiKey, transactionId, wallOffset } = server
  const options = {
    port,
    apiKey,
    transactionId,
    wallOffset,
    load,
    tag,
    count,
    seconds: count ? 600 : seconds,
    connections,
  }
  const child = fork(join(here, 'client.js'), [JSON.stringify(options)], { execArgv: ['--expose-gc'] })
  return new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', (code) => code !== 0 && reject(new Error(`the load client ended with ${code}`)))
  })
}

function median(values) {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)]
}

function table(rows) {
  const lines = rows.map(({ what, value, ratio, bar, unit, higher }) => {
    if (ratio === undefined) return [what, value, '', '', '']
    const shown = ratio.toFixed(2) + (unit ? ` ${unit}` : '')
    if (bar === undefined) return [what, value, shown, '', '']
    const met = higher ? ratio >= bar : ratio <= bar
    return [
      what,
      value,
      shown,
      `${higher ? '≥' : '≤'} ${bar}${unit ? ` ${unit}` : ''}`,
      met ? 'met' : 'MISSED',
    ]
  })
  const all = [['what', 'measured', 'ratio', 'bar', ''], ['---', '---', '---', '---', '---'], ...lines]
  return all.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
