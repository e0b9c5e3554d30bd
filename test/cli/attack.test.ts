import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { attackExam, attackScenario, attackText } from '../../src/cli/exam/attack-report.ts'
import { junitExam } from '../../src/cli/exam/exam-report.ts'
import { readDrive } from '../../src/cli/exam/read-drive.ts'
import { plainTheme } from '../../src/cli/output/theme.ts'
import { createSandbox } from '../../src/library/index.ts'
import { attack, type Found } from '../../src/testing/attack/attack.ts'
import { startShop } from '../support/attack/shops.ts'
import { launchBinary } from '../support/commands/binary.ts'
import { runCommand } from '../support/commands/command.ts'
import { fails } from '../support/commands/launched.ts'
import { fileWith, folderWith } from '../support/commands/scratch.ts'
import { freePort } from '../support/network/ports.ts'
import { projectRoot } from '../support/project.ts'

const shopFolder = join(projectRoot, 'examples/attack/node')
const soundShop = readFileSync(join(shopFolder, 'shop.js'), 'utf8')
/** Its drive, without the refund. */
const drive = readFileSync(join(shopFolder, 'drive.yaml'), 'utf8').replace(/^ +- .*refund.*\n/m, '')

/** A folder with a shop and its drive. `bug`: a text of the shop, and what stands in its place. */
function shopWith([find, replace]: readonly [find: string, replace: string] = ['', '']): string {
  expect(soundShop).toContain(find)
  const shop = soundShop.replace(find, replace).replace('{ existsSync', '{ existsSync, rmSync')
  return folderWith({ 'shop.js': shop, 'package.json': '{ "type": "module" }', 'drive.yaml': drive })
}

/** It takes another id for each try. */
const paysAgain = [
  'if (answer === undefined || answer.code === usedBefore) return',
  "if (answer === undefined && operation === 'sale') return send(order, Object.assign(payment, { id: randomUUID() }))\n  if (answer === undefined || answer.code === usedBefore) return",
] as const

/** It does so every second time alone. */
const sometimesPaysAgain = [
  paysAgain[0],
  paysAgain[1].replace(
    "operation === 'sale'",
    "operation === 'sale' && (existsSync('odd') ? (rmSync('odd'), false) : (writeFileSync('odd', ''), true))",
  ),
] as const

/** With this seed the first move makes it pay again. */
const soonest = 5

const driveIn = (file: string) =>
  readDrive({ drive: file, url: undefined, restart: undefined, reconcile: undefined, orders: undefined })

/** Processes that work in a folder. */
const processesIn = (folder: string): string[] =>
  (existsSync('/proc') ? readdirSync('/proc') : []).filter((name) => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`) === folder
    } catch {
      return false // it has ended, or belongs to somebody else
    }
  })

test('a shop that pays again is found, with the shortest way to it as a scenario that fails until the bug is mended', async () => {
  const folder = shopWith(paysAgain)
  const setup = 'setup:\n  - command: "true"\n  - command: "true"\n'
  writeFileSync(join(folder, 'drive.yaml'), drive.replace('steps:', `${setup}steps:`))
  mkdirSync(join(folder, 'out'))
  const output = join(folder, 'out/found.yaml') // a command in it still runs beside the drive
  const attacked = runCommand(
    `attack --drive ${folder}/drive.yaml --output ${output} --seed ${soonest} --json`,
  )
  const { code, stdout, stderr } = await attacked
  expect(code).toBe(1)
  expect(stderr).toMatch(/^Starts `DATA=\S+ exec node shop\.js`\nStarts `true`\n/)
  const { seed, found } = JSON.parse(stdout)
  expect(seed).toBe(soonest)
  expect(found).toMatchObject({ laws: [{ law: 'charged-once' }], failed: 10, runs: 10 })
  expect(found.moves).toHaveLength(1)

  const written = readFileSync(found.scenario, 'utf8')
  expect(written).toMatch(/^ {2}folder: "?\.\."?$/m)
  expect(written).toMatch(/^# charged-once: Order \S+ is charged 2 times/)
  expect(written).toContain('customer          ')
  expect(await runCommand(`test ${found.scenario}`)).toMatchObject({ code: 1 })
  writeFileSync(join(folder, 'shop.js'), soundShop)
  const mended = await runCommand(`test ${found.scenario}`)
  expect(mended.code, mended.stdout + mended.stderr).toBe(0)
})

test('what breaks a law in one run and not in the next is found where nothing breaks one each time', async () => {
  const folder = shopWith(sometimesPaysAgain)
  const oneByOne = `--port ${await freePort()}`
  const attacked = runCommand(
    `attack --drive ${folder}/drive.yaml ${oneByOne} --seed ${soonest} --tries 12 --json`,
  )
  const { stdout, stderr } = await fails(attacked, 1)
  const { tries, found } = JSON.parse(stdout)
  expect(found).toMatchObject({ laws: [{ law: 'charged-once' }], runs: 4 })
  expect(tries).toBeGreaterThanOrEqual(12)
  expect(stderr).toMatch(/^… 10 tries in /m) // a log shows that it goes on
})

test.each([
  [
    'leads to no payment',
    '"12.50"',
    '"0.001"',
    'no payment\n  server request POST /orders is answered with 400',
  ],
  ['has a wrong path', 'POST /orders', 'POST /odrers', 'POST /odrers is answered with 404'],
  ['has a wrong reconcile', 'POST /reconcile', 'POST /cron', 'POST /cron is answered with 404'],
  ['names what no answer has', 'reconcile: POST', 'reconcile: POST', '$order has no ref'],
  [
    'names what no order has as paid',
    'paid: { status: [paid, refunded] }',
    'paid: { state: paid }',
    'no order has state, which orders.paid names',
  ],
  [
    'names what no order has',
    'refunded: refunded',
    'amount: prise',
    'No order has prise, which orders.amount names',
  ],
])('a drive that %s is an error, and no proof', async (_, find, replace, message) => {
  const folder = shopWith()
  const more = message.includes('$order') ? '  - server request: "POST /orders/${order.ref}/cancel"\n' : ''
  writeFileSync(join(folder, 'drive.yaml'), drive.replace(find, replace) + more)
  await fails(runCommand(`attack --drive ${folder}/drive.yaml --for 5s`), 2, message)
})

test('what the server refuses or does not tell while nothing goes wrong is said', async () => {
  const folder = shopWith()
  const again = '  - server request: { to: POST /orders, body: { amount: "9.00", key: basket } }\n'
  const untold = drive.replace('refunded: refunded', 'parcels: boxes')
  writeFileSync(join(folder, 'drive.yaml'), untold + again)
  const { stdout, stderr } = await runCommand(`attack --drive ${folder}/drive.yaml --tries 3`)
  expect(stderr).toContain('Without faults, server request POST /orders is answered with 409\n')
  expect(stderr).toContain('Without faults, no order has boxes, which orders.parcels names\n')
  expect(stdout).toContain('Not checked: refunds-agree, shipped-when-paid, shipped-once, totals-agree. docs/')
})

test('the same seed gives the same report twice', async () => {
  const folder = shopWith(paysAgain)
  const report = async () => {
    const { stdout } = await runCommand(`attack --drive ${folder}/drive.yaml --seed 8 --tries 8 --json`)
    const { durationMs: _, ...told } = JSON.parse(stdout.replaceAll(/ORDER-[0-9a-f-]+|\b\d{16}\b/g, 'id'))
    return told
  }
  const first = await report()
  expect(first.found.laws).toMatchObject([{ law: 'charged-once' }])
  expect(await report()).toEqual(first)
})

test('a sound shop raises no alarm', async () => {
  const folder = shopWith()
  const printed = runCommand(`attack --drive ${folder}/drive.yaml --seed 2 --tries 6`)
  expect(await printed).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^✓ No law is broken\. 6 tries in .*, \d of \d\d situations tried\n/),
  })
})

test('what the drive asks for is learned while nothing goes wrong: a repeated click is no second wish', async () => {
  const folder = shopWith(['if (before) return before', ''])
  const { stdout } = await runCommand(`attack --drive ${folder}/drive.yaml --seed 20 --json`)
  expect(JSON.parse(stdout).found).toMatchObject({ laws: [{ law: 'ordered-once' }], failed: 10, runs: 10 })
})

/** An order that the shop begins with. */
const ofYesterday = JSON.stringify({
  ...{ id: 'YESTERDAY', amount: 1_200, refunded: 0, shipped: true },
  payments: [{ id: 'paid', operation: 'sale', amount: 1_200, status: 'S' }],
})

test('a server that forgets its orders, but those it begins with, serves many tries, and what is found is confirmed on new ones', async () => {
  const folder = shopWith(paysAgain)
  const shop = readFileSync(join(folder, 'shop.js'), 'utf8')
  writeFileSync(
    join(folder, 'shop.js'),
    `${shop.replace(
      "if (route === 'POST /webhooks')",
      "if (route === 'POST /forget') return orders.splice(1)\n  if (route === 'POST /webhooks')",
    )}\nif (orders.length === 0) orders.push(${ofYesterday})\nwriteFileSync('started', existsSync('started') ? readFileSync('started') + '|' : '|')\n`,
  )
  const file = join(folder, 'drive.yaml')
  writeFileSync(file, drive.replace('  reconcile:', '  reset: POST /forget\n  reconcile:'))
  const starts = () => readFileSync(join(folder, 'started'), 'utf8').length
  const sound = await runCommand(`attack --drive ${file} --seed 3 --tries 4 --json`)
  expect(JSON.parse(sound.stdout)).toMatchObject({ tries: 4, found: null })
  expect(starts()).toBe(4) // one beside each of four sandboxes
  const { stdout } = await runCommand(`attack --drive ${file} --seed ${soonest} --json`)
  const { tries, found } = JSON.parse(stdout)
  expect(found).toMatchObject({ failed: 10, runs: 10 })
  expect(starts() - 4).toBeGreaterThanOrEqual(tries - 4)
})

test('a server whose reset leaves orders is started anew for each try: its steps would be repeats', async () => {
  const folder = shopWith(['  orders.push(order)', "  orders.push(order)\n  appendFileSync('sales', '|')"])
  const shop = readFileSync(join(folder, 'shop.js'), 'utf8')
  const route = "if (route === 'POST /forget') return {}\n  if (route === 'POST /webhooks')"
  writeFileSync(
    join(folder, 'shop.js'),
    shop
      .replace("if (route === 'POST /webhooks')", route)
      .replace('{ existsSync', '{ appendFileSync, existsSync'),
  )
  const file = join(folder, 'drive.yaml')
  writeFileSync(file, drive.replace('  reconcile:', '  reset: POST /forget\n  reconcile:'))
  const ended = await runCommand(`attack --drive ${file} --seed 3 --tries 8`)
  expect(ended).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Starts .*\n$/) })
  expect(readFileSync(join(folder, 'sales'), 'utf8')).toHaveLength(8)
})

test('a server of which one alone can run, and one that empties what all share as it starts, is tried one by one', async () => {
  const folder = shopWith()
  const file = join(folder, 'drive.yaml')
  const attacked = () => runCommand(`attack --drive ${file} --seed 2 --tries 4`)
  const second = `createServer().listen(${await freePort()}, '127.0.0.1')`
  writeFileSync(join(folder, 'shop.js'), `${soundShop}\n${second}\n`)
  expect(await attacked()).toMatchObject({ code: 0, stdout: expect.stringContaining('4 tries') })
  const empties = soundShop
    .replace(/^const orders = .*$/m, "let orders = []\nwriteFileSync(DATA, '[]')")
    .replace('  const body = ', "  orders = JSON.parse(readFileSync(DATA, 'utf8'))\n$&")
  writeFileSync(join(folder, 'shop.js'), empties)
  writeFileSync(file, drive.replace('$TILLBOX_RUN_FOLDER/orders.json', 'orders.json'))
  expect(await attacked()).toMatchObject({ code: 0, stdout: expect.stringContaining('4 tries') })
})

test('where a sandbox cannot start, the servers beside the others end', async () => {
  const folder = shopWith()
  let count = 0
  const attacked = attack(await driveIn(join(folder, 'drive.yaml')), {
    start: async (options) => {
      if (++count === 2) throw new Error('no sandbox')
      return createSandbox(options)
    },
    ...{
      seed: 1,
      tries: 10,
      time: 600_000,
      port: 0,
      signal: new AbortController().signal,
      begun: () => {},
      noted: () => {},
    },
  })
  await expect(attacked).rejects.toThrow('no sandbox')
  await expect.poll(() => processesIn(folder)).toEqual([])
})

test('servers that keep their orders in one place are tried one by one, if the steps are no repeats then', async () => {
  const folder = shopWith()
  const file = join(folder, 'drive.yaml')
  const shared = drive.replace('$TILLBOX_RUN_FOLDER/orders.json', 'orders.json')
  writeFileSync(file, shared)
  const options = '--seed 2 --tries 6 --json'
  await fails(runCommand(`attack --drive ${file} ${options}`), 2, 'Give it a reset')
  writeFileSync(file, shared.replace(', key: basket', ''))
  const { stdout, code } = await runCommand(`attack --drive ${file} ${options}`)
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { tries: 6, found: null }])
})

test('what is found near the end of --for is shortened and run again for as long at most', async () => {
  const folder = shopWith(paysAgain)
  const { stdout, code } = await runCommand(
    `attack --drive ${folder}/drive.yaml --seed ${soonest} --for 10s --json`,
  )
  const { tries, found } = JSON.parse(stdout)
  expect(tries).toBeLessThan(300)
  expect([code, found === null]).toEqual(found === null ? [0, true] : [1, false])
})

test('an attack that had no time for a try proves nothing', async () => {
  const attacked = runCommand(`attack --drive ${shopWith()}/drive.yaml --tries 2`)
  expect(await fails(attacked, 2, 'Nothing was tried')).toMatchObject({ stdout: '' })
})

test.each(['SIGINT', 'SIGHUP'] as const)(
  '%s in the middle of a try stops at once: the report, 130, and neither process nor folder stays',
  async (signal) => {
    const folder = shopWith()
    const stuck = 'steps:\n  - command: "test -e once && touch stuck && exec sleep 600; touch once"\n'
    writeFileSync(join(folder, 'drive.yaml'), drive.replace('steps:\n', stuck))
    const launched = launchBinary(`attack --drive ${folder}/drive.yaml --seed 3`, { env: { TMPDIR: folder } })
    await expect.poll(() => existsSync(join(folder, 'stuck'))).toBe(true)
    const folders = () => readdirSync(folder).filter((name) => name.startsWith('tillbox-'))
    await expect.poll(() => folders().length).toBe(8) // of four sandboxes, and of the shop beside each
    const { code, stdout, stderr } = await launched.stop(signal)
    expect({ code, stderr: stderr.replace(/^Starts .*\n/gm, '') }).toEqual({ code: 130, stderr: '' })
    expect(stdout).toMatch(/^Stopped\. No law is broken\. 1 try in /)
    expect(folders()).toEqual([])
    await expect.poll(() => processesIn(folder)).toEqual([])
  },
)

test('what is being run again when it is stopped is reported as not confirmed', async () => {
  const folder = shopWith(paysAgain)
  const file = join(folder, 'drive.yaml')
  const stop = new AbortController()
  let last: unknown
  const result = await attack(await driveIn(file), {
    start: createSandbox,
    ...{ seed: 1, tries: 1_000, time: 600_000, port: 0, signal: stop.signal },
    begun: (tries, moves) => {
      if (tries > 1 && moves === last) stop.abort()
      last = moves
    },
    noted: () => {},
  })
  expect(result).toMatchObject({ isStopped: true, found: { failed: 0, runs: 0 } })
  expect(result.found?.violations).toMatchObject([{ law: 'charged-once' }])
  const facts = { seed: 1, durationMs: 1, file: 'found.yaml' }
  expect(attackText(result, facts, plainTheme, 80)).toContain(
    'Not confirmed, because the attack was stopped. Failed once with:\n',
  )
  const scenario = attackScenario(result.found as Found, 1, `${shopFolder}/found.yaml`)
  expect(scenario).toContain('# Not confirmed; found by tillbox attack --seed 1')
})

test('reports for programs name a server that does not recover, and laws that were not checked', () => {
  const result = { tries: 1, situations: [], unchecked: ['shipped-once'] as const, isStopped: false }
  const facts = { seed: 1, durationMs: 1, file: 'found.yaml' }
  const holds = junitExam(attackExam({ ...result, found: undefined }, facts))
  expect(holds).toContain('failures="0" errors="0" skipped="1"')
  expect(holds).toMatch(/name="shipped-once".*\n +<skipped message="not checked"\/>/)
  const none = { moves: [], steps: [], violations: [], observed: [], failed: 10, runs: 10 }
  const found = { ...none, scenario: {} as Found['scenario'], message: 'node shop.js ended' }
  const broken = junitExam(attackExam({ ...result, found }, facts))
  expect(broken).toMatch(/name="server".*\n +<failure .*>node shop.js ended</)
  expect(broken).toContain('failures="1" errors="0" skipped="12"')
})

test('of a server that runs already, orders of earlier tries are left out', async () => {
  const { env, close } = await createSandbox()
  await close()
  const port = await freePort()
  const shop = await startShop('node', { ...env, TILLBOX_BASE_URL: `http://127.0.0.1:${port}` })
  const path = fileWith('drive.yaml', drive.replace(/^ +start: .*\n/m, '').replace(', key: basket', ''))
  const printed = runCommand(`attack ${shop.url} --drive ${path} --port ${port} --seed 2 --tries 6`)
  expect(await printed).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^✓ No law is broken\. 6 tries in .*, \d of \d\d situations tried\n/),
  })
})

test('the command line may say what the drive does not: server, orders, and a command that drives', async () => {
  const folder = shopWith(paysAgain)
  const [, orders = ''] = /( {2}orders:\n(?: {4}.*\n)+)/.exec(drive) ?? []
  writeFileSync(join(folder, 'orders.yaml'), orders.replaceAll(/^ {2}/gm, ''))
  writeFileSync(
    join(folder, 'buy.js'),
    `await fetch(process.env.TILLBOX_SERVER_URL + '/orders', { method: 'POST', body: '{"amount":"12.50"}' })`,
  )
  const { code, stdout } = await runCommand([
    'attack',
    ...['--drive', `node ${folder}/buy.js`],
    ...['--restart', `DATA=$TILLBOX_RUN_FOLDER/orders.json exec node ${folder}/shop.js`],
    ...['--orders', `${folder}/orders.yaml`, '--reconcile', 'POST /reconcile'],
    ...['--output', `${folder}/found.yaml`, '--seed', `${soonest}`],
  ])
  expect(code).toBe(1)
  expect(stdout).toMatch(/^✗ charged-once {2}An order is charged once$/m)
  expect(stdout).toMatch(/^ {2}before step 1: \S+ for the next sale$/m)
  expect(stdout).toMatch(/^ +customer +your server +tillbox$/m)
  expect(stdout).toMatch(/^Run it again: tillbox test .+\/found\.yaml$/m)
  expect(existsSync(join(folder, 'found.yaml'))).toBe(true)
})

test('a scenario that cannot be written is said before the attack where possible, else after what was found', async () => {
  const folder = shopWith(sometimesPaysAgain)
  const options = `--drive ${folder}/drive.yaml --seed ${soonest} --tries 3`
  const attacking = (output: string) => runCommand(`attack ${options} --output ${folder}/${output}`)
  expect((await fails(attacking('no/found.yaml'), 2, 'no/found.yaml: it does not exist')).stdout).toBe('')
  const { stdout } = await fails(attacking(''), 2, 'The scenario cannot be written')
  expect(stdout).toMatch(/^✗ charged-once {2}An order is charged once$/m)
})

const noOrders = 'The drive does not say where the merchant lists its orders'
const server = 'server: { start: node shop.js }\nsteps:\n'

test.each([
  ['a drive without a server', 'steps:\n  - sale: { amount: 10.00 USD }\n', 'must have a url, or start'],
  ['a drive without orders', `${server}  - server request: POST /orders\n`, noOrders],
  ['a request that is none', `${server}  - server request: orders\n`, 'must be a method and a path'],
])('attack refuses %s', async (_, text, message) => {
  await fails(runCommand(`attack --drive ${fileWith('drive.yaml', text)}`), 2, message)
})

test('a drive that does not exist is named as what it could be', async () => {
  const texts = ['none.yaml does not exist', 'field   --drive', 'Name a scenario file, or a command']
  await fails(runCommand('attack --drive none.yaml'), 2, ...texts)
})

test('attack names what it refuses as it was typed, and what a server printed that does not start', async () => {
  const orders = fileWith('orders.yaml', 'paid: [')
  for (const [typed, message] of [
    ['shop', '<url> must be a URL'],
    ['http://127.0.0.1:9 --reconcile shop', '--reconcile must be a method and a path'],
    [`--restart true --orders ${orders}`, 'is not YAML'],
  ] as const)
    await fails(runCommand(`attack ${typed} --drive true`), 2, message)
  const path = fileWith(
    'drive.yaml',
    drive.replace(/start: .*/, 'start: echo no database && echo "  at shop.mjs" && exit 1'),
  )
  const texts = ['The drive fails even without faults', 'It printed:\n  no database\n    at shop.mjs\n']
  await fails(runCommand(`attack --drive ${path}`), 2, ...texts)
})
