import { expect } from 'vitest'
import { displayWidth } from '../../../src/shared/text/display-width.ts'
import { closedPort, openTerminal } from '../../support/commands/command.ts'
import { startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { unstyledText } from '../../support/commands/terminal-text.ts'

const serial = 'PAX-A920PRO-2840018273645-X1'
const order = 'WEBSHOP-2026-0123456789-EU-00001'
const endpoint = `http://127.0.0.1:${closedPort}/api/v2/payments/notifications/tillbox`

/** A sandbox with the longest names, serials, amounts, addresses and descriptions that people use. */
async function openLongest() {
  const sandbox = await startSandboxCommand(['--retries', '1h'])
  const run = (line: readonly string[], code = 0) => sandbox.json(line, code)
  await run(['terminal', 'add', serial, '--mode', 'attended', '--label', 'Bar on the terrace, 2nd'])
  await run([
    'merchant',
    'add',
    'M-HARBOUR-1',
    '--name',
    'Harbour Hotel and Conference Centre at the Old Town',
  ])
  const sale = ['sale', '--reference-order-id', order, '--notify-url', endpoint]
  const described = [
    ...sale,
    '--set',
    'description=Two nights in a double room, breakfast, and parking 🍜 טייק אווי',
  ]
  const { transactionId } = await run([...described, '--amount', '10.00'])
  await run([...sale, '--amount', '98.23'], 4)
  await run([...sale, '--amount', '123456789.000', '--price-currency', 'KWD'])
  await run(['sale', '--amount', '1.00', '--terminal', serial, '--no-wait'])
  await run(['checkout', 'create', '--amount', '45.16', '--set', 'description=Two nights in a double room'])
  await run(['sandbox', 'snapshot', 'save', 'before-the-long-lunch-of-the-whole-team'])
  await run(['refund', transactionId, '--amount', '1.00'])
  await run(['sandbox', 'fault', 'http-503', '--operation', 'refund', '--times', '2'])
  await run(['batch', 'close', '--yes'])
  await run([...sale, '--amount', '12.00'])
  return { sandbox, transactionId }
}

test('in a window of 80 columns no command writes a longer line, or breaks a word', async () => {
  const { sandbox, transactionId } = await openLongest()
  const webhook = (await sandbox.json('webhook list --limit 1')).deliveries[0].id
  const lines = [
    ...['list', 'list --limit 1', `query ${transactionId}`, `query ${transactionId} --timeline`],
    ...['webhook list', 'webhook list --failed', `webhook show ${webhook}`, 'webhook order'],
    ...['terminal list', `terminal show ${serial}`, 'terminal receipt TBX-AUTO-001'],
    ...['merchant list', 'merchant show', 'merchant terminals', 'checkout list'],
    ...['batch query', 'batch list', 'cards', 'outcomes', 'trigger --list', 'whoami', 'doctor', 'audit'],
    ...['sandbox status', 'sandbox fault', 'sandbox snapshot list', 'sandbox clock', 'sandbox key list'],
    'sandbox snapshot diff before-the-long-lunch-of-the-whole-team',
    ...['space list', 'token list', 'profile list'],
  ]
  const wrong: unknown[] = []
  for (const line of lines) {
    const window = openTerminal(line, { cwd: sandbox.cwd })
    const code = await window.ended
    if (![0, 1].includes(code ?? -1)) wrong.push([line, code])
    const written = unstyledText(window)
    const { stdout, stderr } = await sandbox.run(line)
    const whole = new Set(`${stdout} ${stderr}`.split(/\s+/))
    const isPicture = /[│╭╰├]/.test(written)
    for (const each of written.split('\n')) {
      const words = each.trim().split(/\s+/)
      const broken = words.filter((word) => !whole.has(word) && !word.includes('…'))
      // An address or a command to copy is longer than the window, and stands alone.
      const isLong = displayWidth(each) > 80 && words.length > 1
      if (isLong || (broken.length > 0 && !isPicture && !/\d{2}:\d{2}|, up \d/.test(each)))
        wrong.push([line, each, broken])
    }
  }
  expect(wrong).toEqual([])
}, 120_000)
