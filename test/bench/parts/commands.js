// How long commands take to start beside a node that does nothing, and beside the least that their framework takes.
import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { binary, startBinary } from '../processes.js'
import { bars } from '../results/bars.js'
import { endedChildrenTime } from '../results/processor-time.js'
import { compare, median, rotated, spread } from '../results/statistics.js'

const fileOf = (path) => fileURLToPath(new URL(path, import.meta.url))

/** Adds the rows; `runs`: how often each is started. */
export async function commands({ report, runs, root, emptyState }) {
  const env = { ...process.env, TILLBOX_STATE: emptyState(), NO_COLOR: '1' }
  const server = await startBinary(env)
  const kinds = {
    bare: () => run(['-e', '0'], env),
    hello: () => run([helloWorld(root), 'hello'], env),
    help: () => run([binary, '--help'], env),
    sale: () => run([binary, 'sale', '--amount', '10.00', '--no-wait', '--json'], env),
    ready: () => untilReady({ ...env, TILLBOX_STATE: emptyState() }),
  }
  const times = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]))
  for (let round = 0; round < runs; round++)
    for (const [kind, timed] of rotated(Object.entries(kinds), round)) times[kind].push(await timed())
  await server.stop()
  const of = (kind, member) => times[kind].map((time) => time[member])
  const certificates = env.NODE_EXTRA_CA_CERTS ? 'NODE_EXTRA_CA_CERTS set' : 'NODE_EXTRA_CA_CERTS not set'
  report.add({ what: 'bare node -e 0', value: `${words(times.bare)}; ${certificates}` })
  for (const [kind, what, bar] of [
    ['hello', 'hello world of oclif ÷ bare node'],
    ['help', 'tillbox --help ÷ bare node', bars.help],
    ['sale', 'tillbox sale --no-wait --json ÷ bare node', bars.saleCommand],
    ['ready', 'tillbox sandbox start, until it is ready ÷ bare node', bars.ready],
  ])
    report.add({
      what,
      value: words(times[kind], times.bare),
      ...compare(of(kind, 'wall'), of('bare', 'wall')),
      bar,
    })
  const [first, ...later] = JSON.parse(run([fileOf('../library.js'), String(runs)], env).stdout)
  report.add({
    what: 'createSandbox in a running process',
    value: `processor time ${median(later.map(({ processor }) => processor)).toFixed(1)} ms; the first one ${first.wall.toFixed(0)} ms`,
    ...spread(later.map(({ wall }) => wall)),
    unit: 'ms',
    bar: bars.createSandbox,
  })
}

/** Wall time, and mean processor time beside that of others where the system tells it: it counts in steps of 10 ms. */
function words(times, others) {
  const wall = `${median(times.map((time) => time.wall)).toFixed(0)} ms`
  if (times.some((time) => time.processor === undefined)) return wall
  const ratio = others === undefined ? '' : `, ${(meanTime(times) / meanTime(others)).toFixed(2)} ×`
  return `${wall}; processor time ${(meanTime(times) / 1000).toFixed(0)} ms${ratio}`
}

const meanTime = (times) => times.reduce((sum, { processor }) => sum + processor, 0) / times.length

/** Runs a program of Node to its end: wall time in milliseconds, processor time in microseconds. */
function run(args, env) {
  const [started, before] = [performance.now(), endedChildrenTime()]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
  const processor = before === undefined ? undefined : endedChildrenTime() - before
  return { wall: performance.now() - started, processor, stdout }
}

/** Wall time until a new sandbox says that it is ready. */
async function untilReady(env) {
  const server = await startBinary(env)
  await server.stop()
  return { wall: server.wall }
}

let hello

/** A command line of one command with the same oclif, as its documents show it. Returns the path of its binary. */
function helloWorld(root) {
  hello ??= makeHelloWorld(join(root, 'hello'))
  return hello
}

function makeHelloWorld(folder) {
  for (const part of ['commands', 'node_modules/@oclif']) mkdirSync(join(folder, part), { recursive: true })
  symlinkSync(fileOf('../../../node_modules/@oclif/core'), join(folder, 'node_modules/@oclif/core'))
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
