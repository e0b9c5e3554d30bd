import { expect } from 'vitest'
import { runCommand } from '../../support/commands/command.ts'
import { fails, prints } from '../../support/commands/launched.ts'
import { type LaunchedSandbox, startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'

const serial = 'TBX-ATTENDED-001'

const sell = async ({ json }: LaunchedSandbox, ...more: string[]) => {
  const sold = ['sale', '--amount', '10.00', '--terminal', serial, '--no-wait', ...more]
  return (await json(sold)).transactionId as string
}

const tipping = ['--set', 'tipConfig={"onScreenTip":true}']
const terminal = ({ json }: LaunchedSandbox, ...args: string[]) => json(['terminal', ...args])
const statusOf = async ({ json }: LaunchedSandbox, id: string) =>
  (await json(`query ${id}`)).transactionStatus

/** A command that ends with that code and says what to do; its answer as JSON says the same. */
async function refused({ run }: LaunchedSandbox, args: readonly string[], code: number, message: string) {
  const { stderr, stdout, ...ended } = await run(['terminal', ...args, '--json'])
  expect([args, ended.code, stderr]).toEqual([args, code, expect.stringContaining(message)])
  expect(JSON.parse(stdout).error).toMatchObject({ exitCode: code, remedy: expect.stringMatching(/./) })
}

test('card, tip, wrong and right PIN each answer with the next screen of the terminal', async () => {
  const sandbox = await startSandboxCommand()
  expect(await terminal(sandbox, 'show', serial)).toMatchObject({ screen: 'idle', acts: [] })
  const id = await sell(sandbox, ...tipping)
  expect(await terminal(sandbox, 'show', serial)).toMatchObject({ screen: 'present-card' })
  const present = `terminal present ${serial} --card visa-contactless --entry insert --transaction ${id}`
  expect(await sandbox.json(present)).toMatchObject({ screen: 'tip' })
  expect(await terminal(sandbox, 'tip', serial, '--percent', '18')).toMatchObject({
    screen: 'pin',
    transaction: { tipAmount: 180, transactionAmount: 1180 },
  })
  expect(await terminal(sandbox, 'pin', serial, '--wrong')).toMatchObject({ screen: 'pin', pinTriesLeft: 2 })
  expect(await terminal(sandbox, 'pin', serial)).toMatchObject({
    screen: 'result',
    transaction: { transactionId: id, status: 'SUCCESS' },
  })
})

test.each([
  [['--amount', '1.25'], 125],
  [['--percent', '33'], 330],
  [['--none'], 0],
])('terminal tip %j sets the tip', async (flags, tipAmount) => {
  const sandbox = await startSandboxCommand()
  const id = await sell(sandbox, ...tipping)
  await terminal(sandbox, 'present', serial, '--card', 'visa-contactless')
  await terminal(sandbox, 'tip', serial, ...flags, '--transaction', id)
  expect(await sandbox.json(`query ${id}`)).toMatchObject({ tipAmount, transactionStatus: 'S' })
})

test('a person chooses the answer of the host, signs and cancels', async ({ sandbox }) => {
  const declined = await sell(sandbox)
  const lost = ['present', serial, '--card', 'amex-chip', '--outcome', 'lost-card']
  expect(await terminal(sandbox, ...lost)).toMatchObject({ transaction: { resultCode: '041' } })
  expect(await statusOf(sandbox, declined)).toBe('F')
  const signed = await sell(sandbox)
  const swipe = ['present', serial, '--card', 'visa-contactless', '--entry', 'swipe']
  expect(await terminal(sandbox, ...swipe)).toMatchObject({ screen: 'signature' })
  expect(await terminal(sandbox, 'sign', serial)).toMatchObject({ screen: 'result' })
  expect(await statusOf(sandbox, signed)).toBe('S')
  const closed = await sell(sandbox)
  expect(await terminal(sandbox, 'cancel', serial)).toMatchObject({ transaction: { status: 'CLOSED' } })
  expect(await statusOf(sandbox, closed)).toBe('C')
})

test('an act that ends a payment shows its result before the next one in line', async ({ sandbox }) => {
  const [first = '', second = '', third] = [await sell(sandbox), await sell(sandbox), await sell(sandbox)]
  const decline = ['present', serial, '--card', 'visa-chip-pin', '--outcome', 'do-not-honor']
  expect((await terminal(sandbox, ...decline)).ended).toBeNull()
  expect(await terminal(sandbox, 'pin', serial, '--transaction', first)).toMatchObject({
    ended: { transactionId: first, status: 'FAIL', resultCode: '005' },
    screen: 'present-card',
    transaction: { transactionId: second },
  })
  await sandbox.prints(
    ['terminal', 'cancel', serial, '--transaction', second],
    new RegExp(`^■ 10\\.00 USD closed unpaid\n  transaction  ${second}\n`),
    `transaction  ${third}`,
  )
})

test('a chosen outcome is shown with its rule, unless it was never used', async ({ sandbox }) => {
  const chosen = ['present', serial, '--card', 'visa-chip-pin', '--outcome', 'insufficient-funds']
  const cancelled = await sell(sandbox)
  await terminal(sandbox, ...chosen)
  await terminal(sandbox, 'cancel', serial)
  const story = await sandbox.json(['query', cancelled, '--timeline'], 4)
  expect(story).toMatchObject({ status: 'CLOSED', outcome: null, rule: null })
  const shown = (await sandbox.run(['query', cancelled])).stdout
  expect(shown).toContain('cancelled on the device')
  expect(shown).not.toContain('(rule:')
  const declined = await sell(sandbox)
  await terminal(sandbox, ...chosen)
  await terminal(sandbox, 'pin', serial)
  const { stdout } = await sandbox.run(['query', declined])
  expect(stdout).toMatch(/outcome +insufficient-funds \(rule: person\)/)
})

test('the serial number may come from the environment or a profile; a person sees the screen and what to type', async () => {
  const sandbox = await startSandboxCommand()
  const env = { TILLBOX_TERMINAL_SN: serial }
  const id = await sell(sandbox, ...tipping)
  const facts = ['$10.00', 'Tap, insert, swipe, enter or scan', id]
  const home = { HOME: sandbox.cwd }
  await sandbox.run(`profile set mine --terminal ${serial} --use`, home)
  await prints(sandbox.run('terminal show', home), ...facts)
  for (const [line, ...texts] of [
    ['show', ...facts, `tillbox terminal present ${serial} --card visa-contactless`],
    ['present --card visa-chip-pin', `tillbox terminal tip ${serial} --amount 1.80\n    18 %`],
    ['tip --none', `tillbox terminal pin ${serial} --wrong`],
    ['pin', '✓ Approved', `tillbox terminal receipt ${serial}`],
  ]) {
    const stdout = await prints(sandbox.run(`terminal ${line}`, env), ...texts)
    expect(stdout.split('\n').filter((each) => each.length > 80)).toEqual([])
  }
})

test('another transaction, another screen and an unknown name are refused, and nothing changes', async () => {
  const sandbox = await startSandboxCommand()
  const card = ['--card', 'visa-contactless']
  await refused(sandbox, ['tip', serial, '--amount', '1.00'], 1, 'has no payment')
  const id = await sell(sandbox)
  await refused(sandbox, ['present', serial, ...card, '--transaction', '7'], 1, `shows ${id}, not 7`)
  await refused(sandbox, ['cancel', serial, '--transaction', '7'], 1, `shows ${id}, not 7`)
  for (const act of ['sign', 'pin']) await refused(sandbox, [act, serial], 1, 'shows the screen present-card')
  for (const [flag, message] of [
    ['--card visa-contactles', 'Did you mean visa-contactless?'],
    ['--card visa-contactless --outcome lostcard', 'Did you mean lost-card?'],
    ['--card visa-contactless --entry key', 'with visa-contactless, but is key\n'],
  ] as const)
    await refused(sandbox, ['present', serial, ...flag.split(' ')], 2, message)
  await refused(sandbox, ['show', 'TBX-ATENDED-001'], 1, `Did you mean ${serial}?`)
  expect(await terminal(sandbox, 'show', serial)).toMatchObject({ screen: 'present-card' })
  const failed = runCommand(['terminal', 'show', serial, '--state', scratchFolder()])
  await fails(failed, 3, 'tillbox sandbox start')
})

test('settings are set, shown and cleared one by one, and those left out stay', async ({ sandbox }) => {
  const set = {
    ...{ mode: 'attended', busy: 'reject', pace: 800, tipPercent: 10, contactlessLimit: 5000 },
    ...{ card: 'amex-chip', outcome: 'lost-card' },
  }
  const sn = 'TBX-AUTO-001'
  const all = '--mode attended --busy reject --pace 800 --tip-percent 10 --contactless-limit 50.00'
  const decided = '--card amex-chip --outcome lost-card'
  expect(await sandbox.json(`terminal set ${sn} ${all} ${decided}`)).toMatchObject(set)
  const words = ['attended', 'refuses', '800 ms a screen', '10 %', 'up to 50.00 (5000 minor units)']
  await sandbox.prints(`terminal set ${sn}`, ...words, 'lost-card')
  const left = await sandbox.json(`terminal set ${sn} --clear pace --clear card --busy queue`)
  expect(left).toMatchObject({ mode: 'attended', busy: 'queue', tipPercent: 10, outcome: 'lost-card' })
  for (const name of ['pace', 'card']) expect(left).not.toHaveProperty(name)
  const others = ['busy', 'tip-percent', 'contactless-limit', 'outcome']
  const bare = await sandbox.json(`terminal set ${sn} ${others.map((name) => `--clear ${name}`).join(' ')}`)
  for (const name of ['busy', 'tipPercent', 'contactlessLimit', 'outcome'])
    expect(bare).not.toHaveProperty(name)
  await refused(sandbox, ['set', 'TBX-AUTO-01', '--pace', '1'], 1, 'Did you mean TBX-AUTO-001?')
  expect(await terminal(sandbox, 'set', sn)).toEqual(bare)
})

test('a terminal goes offline and online, and an added one is in the list', async ({ sandbox }) => {
  expect(await terminal(sandbox, 'offline', serial)).toMatchObject({ online: false })
  await sell(sandbox)
  expect(await terminal(sandbox, 'show', serial)).toMatchObject({ screen: 'offline' })
  await sandbox.prints(`terminal show ${serial}`, `tillbox terminal online ${serial}`)
  await sandbox.prints('terminal list', new RegExp(`${serial} +attended +offline`))
  expect(await terminal(sandbox, 'online', serial)).toMatchObject({ online: true })
  expect(await terminal(sandbox, 'show', serial)).toMatchObject({ screen: 'present-card' })
  const added = await terminal(sandbox, 'add', 'DESK-2', '--mode', 'attended', '--pace', '5')
  expect(added).toMatchObject({ terminalSn: 'DESK-2', mode: 'attended', pace: 5 })
  await refused(sandbox, ['add', 'DESK-2'], 1, 'Terminal DESK-2 exists already')
  const { terminals } = await terminal(sandbox, 'list')
  expect(terminals).toContainEqual(expect.objectContaining({ terminalSn: 'DESK-2', screen: 'idle' }))
  const inFull = 'is offline: payments wait, and close at expiry\n' // in a pipe, nothing is cut
  await sandbox.prints('terminal list', /DESK-2 +attended +idle +0/, inFull)
})

test('outcomes are queued by name and by code, once and several times, and cleared', async ({ sandbox }) => {
  const queued = async (...args: string[]) => (await terminal(sandbox, 'queue', serial, ...args)).queue
  await queued('decline', '--code', '051', '--times', '2')
  const declined = { outcome: 'do-not-honor', times: 1 }
  expect(await queued('decline')).toEqual([{ outcome: 'insufficient-funds', times: 2 }, declined])
  const id = await sell(sandbox)
  await terminal(sandbox, 'present', serial, '--card', 'visa-contactless')
  expect(await sandbox.json(`query ${id}`)).toMatchObject({ transactionResultCode: '051' })
  await sandbox.prints(`terminal show ${serial}`, 'insufficient-funds, do-not-honor')
  expect(await queued('--clear')).toEqual([])
})

test('a terminal without a merchant shows its code, is paired by it once, and gives up its merchant again, but not during a payment', async () => {
  const sandbox = await startSandboxCommand()
  const { pairingCode } = await terminal(sandbox, 'add', 'DESK-9', '--unpaired')
  await sandbox.prints('terminal show DESK-9', `tillbox terminal pair ${pairingCode}`)
  await sandbox.prints('terminal list', /^ *DESK-9 .*not paired/m)
  await refused(sandbox, ['pair', 'WRONG1'], 1, 'pairing code WRONG1')
  const paired = await terminal(sandbox, 'pair', pairingCode, '--name', 'Bar, left')
  expect(paired).toMatchObject({ terminalSn: 'DESK-9', merchantId: 'M1000000001', label: 'Bar, left' })
  await refused(sandbox, ['pair', pairingCode], 1, 'used already')
  const stdout = await sandbox.prints('terminal unpair DESK-9', /not paired\n.*\b[A-Z0-9]{6}\n/)
  expect(stdout).not.toContain(pairingCode)
  const [other, merchantId] = [(await terminal(sandbox, 'show', 'DESK-9')).pairingCode, 'M2000000001']
  const again = await terminal(sandbox, 'pair', other, '--merchant', merchantId)
  expect(again.merchantId).toBe(merchantId)
  const id = await sell(sandbox)
  await refused(sandbox, ['unpair', serial], 1, `has the payment ${id}`)
})

test('a receipt is of the last payment of a terminal or of a transaction, in both copies or one', async () => {
  const sandbox = await startSandboxCommand()
  await refused(sandbox, ['receipt', serial], 2, 'has not finished a payment yet')
  const id = await sell(sandbox)
  await refused(sandbox, ['receipt', id], 1, 'a receipt is printed when')
  await terminal(sandbox, 'present', serial, '--card', 'discover-swipe')
  await terminal(sandbox, 'cancel', serial)
  const both = await terminal(sandbox, 'receipt', serial)
  expect(both).toEqual(await terminal(sandbox, 'receipt', id))
  expect(Object.keys(both)).toEqual(['transactionId', 'merchant', 'customer'])
  const one = await terminal(sandbox, 'receipt', id, '--copy', 'customer')
  expect(one).toEqual({ transactionId: id, customer: both.customer })
  const text = /Total USD +10\.00\n.*Signature.*Merchant copy.*✂.*Customer copy/s
  await sandbox.prints(`terminal receipt ${id}`, text)
  const merchant = await sandbox.prints(`terminal receipt ${id} --copy merchant`, 'Merchant copy')
  expect(merchant).not.toContain('Customer copy')
})
