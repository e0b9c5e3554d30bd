#!/usr/bin/env node
// A tour in a minute: the real sandbox, driven by the real commands, on a free port and a temporary state folder.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

const binary = fileURLToPath(new URL('run.js', import.meta.url))
const state = mkdtempSync(join(tmpdir(), 'tillbox-demo-'))
const colour = process.stdout.isTTY && !process.env.NO_COLOR
const own = Object.entries(process.env).filter(([name]) => !name.startsWith('TILLBOX_'))
const env = { ...Object.fromEntries(own), TILLBOX_STATE: state, ...(colour && { FORCE_COLOR: '1' }) }
/** Patterns of the ids that the tour goes on with. */
const ids = {
  transaction: /\b\d{16}\b/,
  session: /\bcs_[0-9a-f]{40}\b/,
}

let sandbox
let finishing

process.once('SIGINT', () => finish(130))
process.once('SIGTERM', () => finish(143))
process.once('SIGHUP', () => finish(129))
// A reader that has seen enough, such as `head`, ends the tour, and with it what the tour started.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error) => finish(error.code === 'EPIPE' ? 0 : 1))
try {
  await tour()
  await finish(0)
} catch (error) {
  process.stdout.write(`\n${error.message}\n`)
  await finish(1)
}

async function tour() {
  await say('A sandbox of a payment service, on this machine alone.')
  await start()

  await say('A payment, on a terminal that auto-approves.')
  const sale = idOf('transaction', tillbox('sale --amount 10.00'))
  tillbox(`query ${sale}`)

  await say('A partial refund; then one that is too large.')
  tillbox(`refund ${sale} --amount 4.00`)
  tillbox(`refund ${sale} --amount 7.00`, 1)

  await say('An authorisation, raised, then completed.')
  const auth = idOf('transaction', tillbox('auth --amount 50.00'))
  tillbox(`incremental-auth ${auth} --amount 20.00`)
  tillbox(`post-auth ${auth} --amount 65.00 --no-push-to-terminal`)

  await say('A decline: this amount means "do not honor", here as in the service’s own sandbox.')
  tillbox('sale --amount 98.23', 4)

  await say(
    'A payment that waits for a person at the terminal: here a script taps the card, chooses a tip, enters the PIN.',
  )
  const attended = idOf(
    'transaction',
    tillbox('sale --amount 18.00 --terminal TBX-ATTENDED-001 --no-wait --set tipConfig={"onScreenTip":true}'),
  )
  tillbox('terminal present TBX-ATTENDED-001 --card visa-chip-pin')
  tillbox('terminal tip TBX-ATTENDED-001 --percent 15')
  tillbox('terminal pin TBX-ATTENDED-001')
  tillbox(`query ${attended} --timeline`)

  await say('An online payment: a page for the shopper, who is declined once and pays with another card.')
  const session = idOf('session', tillbox('checkout create --amount 24.90'))
  tillbox(`checkout pay ${session} --card visa-declined`, 5)
  const online = idOf('transaction', tillbox(`checkout pay ${session}`))
  tillbox(`checkout refund ${online} --amount 4.90`)

  await say('A webhook to localhost: your code is down, so it comes again, on the clock of the sandbox.')
  tillbox('sale --amount 12.00 --notify-url http://127.0.0.1:9/hook')
  tillbox('sandbox clock --advance 5s')
  tillbox('webhook list')

  await say('The end of the day: what is open is settled.')
  tillbox('batch query')
  tillbox('batch close --yes')

  await say('Now the sandbox is killed without warning, and started again.')
  show(`kill -9 ${sandbox.child.pid}`)
  sandbox.child.kill('SIGKILL')
  await sandbox.ended
  await start()
  for (const id of [sale, online]) tillbox(`query ${id}`)

  await say(
    'Everything is still there. Now a tiny shop, examples/exam: its tests pass. Which bad days did they meet?',
  )
  const shop = { cwd: fileURLToPath(new URL('../examples/exam', import.meta.url)) }
  tillbox('coverage -- node --test shop.test.js', 0, { ...shop, tail: 1 })

  await say('And on which day does its money go wrong? Nobody tells tillbox what to look for.')
  tillbox(`attack --drive drive.yaml --seed 7 --output ${join(state, 'found.yaml')}`, 1, shop)

  await say(
    'That is a scenario, which fails until the shop is mended; the tour takes its copy away. Your turn:',
  )
  process.stdout.write(
    [
      '  npm start                                    the sandbox, in this window',
      '  npx tillbox sale --amount 10.00              a payment, in another one',
      '  npx tillbox sale --amount 25.00 --terminal TBX-TIP20-001',
      '  npx tillbox checkout create --amount 24.90 --open     a page to pay on',
      '  npx tillbox --help                           everything else',
      '',
    ].join('\n'),
  )
}

/** Starts the sandbox and waits for its one line. */
async function start() {
  show('tillbox sandbox start')
  const options = '--port 0 --set withParent=true --json'.split(' ')
  const stdio = ['ignore', 'pipe', 'inherit']
  const child = spawn(process.execPath, [binary, 'sandbox', 'start', ...options], { env, stdio })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  sandbox = { child, ended }
  const line = await new Promise((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
      if (text.includes('\n')) resolve(text)
    })
    ended.then((code) => reject(new Error(`The sandbox ended with ${code} before it was ready.`)))
  })
  const { url, terminals } = JSON.parse(line)
  process.stdout.write(`ready at ${url} with ${terminals.length} terminals\n`)
}

/** Runs one command as typed, shows it with its output, and makes sure that it ends as it should. */
function tillbox(typed, expected = 0, { cwd, tail } = {}) {
  show(`tillbox ${typed}${tail ? ` | tail -${tail}` : ''}`)
  const { status, stdout, stderr } = spawnSync(process.execPath, [binary, ...typed.split(' ')], {
    ...{ env, cwd },
    encoding: 'utf8',
  })
  const lines = stdout.trimEnd().split('\n')
  process.stdout.write(tail ? `${lines.slice(-tail).join('\n')}\n` : stdout + stderr)
  if (status !== expected)
    throw new Error(`That ended with ${status}, not ${expected}: the demo found a mistake.`)
  return stripVTControlCharacters(stdout)
}

function idOf(what, output) {
  const id = ids[what].exec(output)?.[0]
  if (id === undefined) throw new Error(`No ${what} was shown: the demo found a mistake.`)
  return id
}

/** Between two commands it is noticed that the tour is to end; then it goes no further. */
async function say(text) {
  process.stdout.write(`\n${paint(1, text)}\n`)
  await new Promise((resolve) => setTimeout(resolve, 10))
  await finishing
}

function show(command) {
  process.stdout.write(`\n${paint(36, `$ ${command}`)}\n`)
}

function paint(code, text) {
  return colour ? `\u001b[${code}m${text}\u001b[0m` : text
}

/** Stops the sandbox and removes what it wrote; once, whatever asks for it meanwhile. */
function finish(code) {
  finishing ??= end(code)
  return finishing
}

async function end(code) {
  if (sandbox?.child.exitCode === null && sandbox.child.signalCode === null) {
    sandbox.child.kill('SIGTERM')
    await sandbox.ended
  }
  rmSync(state, { recursive: true, force: true })
  process.exit(code)
}
