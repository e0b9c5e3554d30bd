import { expect } from 'vitest'
import { runCommand, startCommand } from '../../support/commands/command.ts'
import { fails, prints, untilStderr } from '../../support/commands/launched.ts'
import { type LaunchedSandbox, startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { foreignServer } from '../../support/network/foreign.ts'

const sale = (amount: string, ...flags: string[]) => ['sale', '--amount', amount, ...flags]
const open = async ({ json }: LaunchedSandbox) => (await json('batch query')).batchList

/** Words of a line of a table. */
const words = (text: string, has: string): string[] | undefined =>
  text.split('\n').flatMap((line) => (line.includes(has) ? [line.trim().split(/\s+/)] : []))[0]

/** A sandbox with a batch in dollars, one in yen, and one in dinars with a tip. */
async function filled(): Promise<LaunchedSandbox> {
  const sandbox = await startSandboxCommand()
  await sandbox.json(sale('10.00', '--set', 'taxAmount=0.80'))
  await sandbox.json(sale('1000', '--price-currency', 'JPY'))
  await sandbox.json(sale('1.234', '--tip-amount', '0.100', '--price-currency', 'KWD'))
  return sandbox
}

const auto = 'TBX-AUTO-001'

test('api operation-4-1, operation-4-2: batch query and batch close --yes show people amounts with the decimals of the currency, --json minor units', async () => {
  const sandbox = await filled()
  const shown = await prints(sandbox.run('batch query'))
  const heads = ['terminal', 'batch', 'channel', 'count', 'net', 'tip', 'surcharge', 'tax', 'since', '(UTC)']
  expect(words(shown, 'surcharge')).toEqual(heads)
  const since = [expect.stringMatching(/^\d{4}-\d\d-\d\d$/), expect.stringMatching(/^\d\d:\d\d:\d\d$/)]
  const row = (currency: string) => words(shown, currency)
  expect(row('USD')).toEqual([auto, '1', 'SBX-CARD', 'USD', '1', '10.80', '0.00', '0.00', '0.80', ...since])
  expect(row('JPY')).toEqual([auto, '2', 'SBX-CARD', 'JPY', '1', '1000', '0', '0', '0', ...since])
  expect(row('KWD')).toEqual(expect.arrayContaining(['KWD', '1.334', '0.100', '0.000']))
  expect(await open(sandbox)).toMatchObject([
    { batchNo: 1, netAmount: 1080, taxAmount: 80 },
    { batchNo: 2, netAmount: 1000 },
    { batchNo: 3, netAmount: 1334, tipAmount: 100 },
  ])
  expect(await prints(sandbox.run('batch query --terminal TBX-SLOW-001'))).toContain('No open batch')
  const closed = await sandbox.prints('batch close -y', 'settled', 'TBX-AUTO-001')
  const closedRow = (currency: string) => words(closed, currency)
  expect(closedRow('USD')).toEqual([auto, '1', 'USD', '1', '10.80', '0.00', '0.00', '0.80'])
  expect(closedRow('JPY')).toEqual([auto, '2', 'JPY', '1', '1000', '0', '0', '0'])
  expect(closedRow('KWD')).toEqual([auto, '3', 'KWD', '1', '1.334', '0.100', '0.000', '0.000'])
  expect(await open(sandbox)).toEqual([])
})

test('a close takes --json, one channel, and ids of your own', async () => {
  const sandbox = await filled()
  await sandbox.json(sale('5.00', '--set', 'cardNetworkType=EBT'))
  const close = 'batch close --channel-code SBX-EBT --transaction-request-id CLOSE-1'
  const closed = await sandbox.json(`${close} --yes --set printReceipt=TOTAL`)
  expect(closed).toMatchObject({ batchNo: 4, transactionCount: 1, netAmount: 500 })
  await sandbox.fails(`${close} --yes`, 1, 'CLOSE-1 closed a batch')
  expect(await open(sandbox)).toHaveLength(3)
})

/** Closes batches as a person would who reads questions on standard error. */
const closing = ({ cwd }: LaunchedSandbox, ...flags: string[]) =>
  startCommand(['batch', 'close', ...flags], { cwd, keyboard: true })

/** The same; the person answers the question. */
async function answering(answer: 'y' | 'n', sandbox: LaunchedSandbox, ...flags: string[]) {
  const command = closing(sandbox, ...flags)
  await untilStderr(command, /Close and settle\?/)
  command.type(`${answer}\r`)
  return command.ended()
}

test('batch close on a terminal shows what would be settled and asks: a no changes nothing, a yes settles', async () => {
  const sandbox = await filled()
  await sandbox.json(sale('5.00', '--set', 'cardNetworkType=EBT'))
  const declined = await answering('n', sandbox, '--channel-code', 'SBX-EBT')
  expect(declined).toMatchObject({ code: 2, stdout: '' })
  expect(declined.stderr).toContain('Close and settle?')
  expect(words(declined.stderr, 'SBX-EBT')).toEqual(expect.arrayContaining(['4', 'USD', '5.00']))
  expect(declined.stderr).not.toContain('SBX-CARD')
  expect(declined.stderr).toMatch(/Nothing was changed\.\n$/)
  expect(await open(sandbox)).toHaveLength(4)
  const redirected = startCommand(['batch', 'close'], { cwd: sandbox.cwd, keyboard: 'alone' })
  await fails(redirected.ended(), 2, 'Add --yes') // nobody would see the question
  const closed = await answering('y', sandbox, '--json')
  expect(closed.code).toBe(0)
  expect(JSON.parse(closed.stdout)).toMatchObject({ batchNo: 1, batchList: [{}, {}, {}] })
  expect(closed.stderr).toContain('Close and settle?')
  expect(await open(sandbox)).toEqual([])
})

test('batch list shows a period, a channel and no batches, to people and as JSON', async () => {
  const sandbox = await filled()
  await sandbox.prints('batch list', 'No batch was closed in this period.\n')
  await sandbox.json('batch close --yes')
  const shown = await prints(sandbox.run('batch list'))
  const [closed, mid, tid] = [expect.any(String), '000100000000101', '00000101']
  const row = [auto, '3', 'SBX-CARD', 'KWD', '1', '1.334', closed, closed, mid, tid]
  expect(words(shown, 'KWD')).toEqual(row)
  expect((await sandbox.json('batch list')).batchCloseList).toMatchObject([
    { netAmount: 1080 },
    { netAmount: 1000 },
    { mid, tid, netAmount: 1334 },
  ])
  const period = ['--start-time', '2026-01-01T00:00:00+01:00', '--end-time', '2026-01-31T00:00:00+01:00']
  for (const nothing of [period, ['--channel-code', 'SBX-QR']])
    expect(await sandbox.json(['batch', 'list', ...nothing])).toEqual({ batchCloseList: [] })
})

test('the merchant and its terminals are shown to people and with --json', async ({ sandbox }) => {
  await sandbox.prints('merchant show', 'Tillbox Coffee', 'M1000000001', 'active', '000100000000101')
  expect(await sandbox.json('merchant show')).toMatchObject({ merchantId: 'M1000000001', status: 'Y' })
  const listed = await prints(sandbox.run('merchant terminals'))
  expect(listed.match(/merchant’s time/g)).toHaveLength(1) // in the heading
  expect(words(listed, 'TBX-SLOW-001')?.slice(0, 2)).toEqual(['TBX-SLOW-001', '00000006'])
  const terminals = sandbox.terminals.map((sn) => ({ sn }))
  expect(await sandbox.json('merchant terminals')).toMatchObject({ merchantId: 'M1000000001', terminals })
})

test('a close of nothing is refused, and names a flag only if one was typed', async ({ sandbox }) => {
  const { stderr } = await sandbox.fails('batch close --yes', 1, 'There is no batch to close')
  expect(stderr).not.toContain('--terminal')
  await sandbox.fails('batch close --yes --terminal TBX-AUTO-001', 1, '--terminal')
  await sandbox.fails('merchant show --merchant-id M2000000001', 1, 'belongs to another application')
})

test.each<[string, string, object, string]>([
  ['no terminal', 'merchant terminals', { merchantId: 'M1' }, 'serial number'],
  ['a last page with a null token', 'merchant terminals', { terminals: [], nextToken: null }, ''],
])('an answer with %s is shown without an error', async (_, args, data, text) => {
  const answer = JSON.stringify({ code: '0', msg: 'success', traceId: 't', data })
  const url = await foreignServer((_request, response) => response.writeHead(200).end(answer))
  const env = { TILLBOX_BASE_URL: url, TILLBOX_API_KEY: 'key' }
  expect(await prints(runCommand(args, { env }))).toContain(text)
})

test('the close names it and the command for it, and batch query and batch list tell of it', async () => {
  const sandbox = await startSandboxCommand()
  await sandbox.json(sale('10.00'))
  await sandbox.json(sale('5.00', '--set', 'cardNetworkType=EBT'))
  await sandbox.json('sandbox fault partial-settlement')
  const text = 'Close what is left: tillbox batch close --channel-code SBX-EBT\n'
  const closed = await sandbox.fails('batch close --yes', 4, text)
  expect(closed.stdout).toContain('10.00')
  expect(closed.stderr).toMatch(
    /^! the fault partial-settlement closed the batches of SBX-CARD alone; batches of SBX-EBT stay open\n! 1 batch still open, and not settled:\n/,
  )
  expect(words(closed.stderr, auto)).toEqual([auto, '2', 'SBX-EBT', 'USD', '1', '5.00'])
  await sandbox.prints('batch query', 'Settle them: tillbox batch close')
  await prints(sandbox.run('batch close --channel-code SBX-EBT --yes'))
})
