import { expect } from 'vitest'
import { openTerminal } from '../../support/commands/command.ts'
import { type LaunchedSandbox, startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { showsText, unstyledText } from '../../support/commands/terminal-text.ts'

const enter = '\r'
const down = '\u001b[B'
const ctrlC = '\u0003'

/** Runs a command in a window beside a sandbox. */
const ask = (sandbox: LaunchedSandbox, args: readonly string[]) =>
  openTerminal(args, { cwd: sandbox.cwd, columns: 100 })

const sold = (sandbox: LaunchedSandbox, amount = '10.00') =>
  sandbox.json(`sale --amount ${amount}`) as Promise<{ transactionId: string }>

test('a sale asks for its amount, again when it is invalid, and then for its terminal', async () => {
  const sandbox = await startSandboxCommand()
  const window = ask(sandbox, ['sale'])
  await showsText(window, /Amount in USD/)
  window.type(`10.5.5${enter}`)
  await showsText(window, /Write an amount such as 10\.00/)
  window.type(`\u007f\u007f\u007f\u007f\u007f\u007f12${enter}`)
  await showsText(window, /Which terminal\?[\s\S]*❯ TBX-AUTO-001 {2}/)
  window.type(enter)
  expect(await window.ended).toBe(0)
  expect(unstyledText(window)).toContain('such as 10.00 (or 10): 12.00 USD')
})

test('a refund asks for its original among those refundable, newest first, and then for its amount', async () => {
  const sandbox = await startSandboxCommand()
  const first = await sold(sandbox, '11.00')
  const voided = await sold(sandbox, '12.00')
  await sandbox.json(`void ${voided.transactionId}`)
  const last = await sold(sandbox, '13.00')
  const window = ask(sandbox, ['refund'])
  await showsText(window, /times in UTC/)
  const list = unstyledText(window)
  const chosen = `❯ \\d{4}-\\d\\d-\\d\\d [\\d:]{8} {2}sale {2}13.00 USD {2}approved {2}${last.transactionId}`
  expect(list).toMatch(new RegExp(chosen))
  expect(list.indexOf(last.transactionId)).toBeLessThan(list.indexOf(first.transactionId))
  expect(list).not.toContain(voided.transactionId)
  window.type(down + enter)
  await showsText(window, /Amount in USD/)
  window.type(`4${enter}`)
  expect(await window.ended).toBe(0)
  const [refund] = await transactionsOf(sandbox)
  expect(refund).toMatchObject({ type: 'REFUND', originalTransactionId: first.transactionId, amount: 400 })
})

test('a query asks for any transaction, the newest first', async () => {
  const sandbox = await startSandboxCommand()
  const none = ask(sandbox, ['query'])
  expect(await none.ended).toBe(2)
  expect(unstyledText(none)).toContain('There is no transaction yet')
  const { transactionId } = await sold(sandbox)
  await sandbox.json(`void ${transactionId}`)
  await sandbox.run('sale --amount 98.23')
  const window = ask(sandbox, ['query'])
  await showsText(window, /times in UTC/)
  expect(unstyledText(window).match(/(?:sale|void) .*?(?:approved|declined|voided)/g)).toEqual([
    'sale  98.23 USD   declined',
    'void  −10.00 USD  approved',
    'sale  10.00 USD   voided',
  ])
  window.type(down + down + enter)
  expect(await window.ended).toBe(0)
  expect(unstyledText(window)).toContain(transactionId)
})

test('a refund of @last asks for its amount alone', async () => {
  const sandbox = await startSandboxCommand()
  const { transactionId } = await sold(sandbox)
  const window = ask(sandbox, ['refund', '@last'])
  await showsText(window, /Amount in USD/)
  expect(unstyledText(window)).toContain(`@last is ${transactionId}`)
  window.type(`4${enter}`)
  expect(await window.ended).toBe(0)
})

test('terminal present and checkout pay ask for a card, checkout expire for a session', async ({
  sandbox,
}) => {
  await sandbox.json('sale --amount 10.00 --terminal TBX-ATTENDED-001 --no-wait')
  const window = ask(sandbox, ['terminal', 'present'])
  await showsText(window, /Which card\?[\s\S]*❯ \S+/)
  window.type(ctrlC)
  expect(await window.ended).toBe(130)
  const { sessionId } = await sandbox.json('checkout create --amount 9.00')
  const expire = ask(sandbox, ['checkout', 'expire'])
  await showsText(expire, /Which session\?[\s\S]*9\.00 USD/)
  expire.type(ctrlC)
  expect(await expire.ended).toBe(130)
  const pay = ask(sandbox, ['checkout', 'pay', sessionId])
  await showsText(pay, /Which card\?[\s\S]*❯ visa/)
  pay.type(enter)
  expect(await pay.ended).toBe(0)
})

/** Every transaction, newest first. */
async function transactionsOf(sandbox: LaunchedSandbox): Promise<readonly object[]> {
  const { envelope } = await sandbox.send('GET', '/_sandbox/transactions')
  return envelope.data.transactions
}

test('with --json on a terminal nothing is asked: the error says what is missing', async ({ sandbox }) => {
  const window = ask(sandbox, ['sale', '--json'])
  expect(await window.ended).toBe(2)
  expect(unstyledText(window)).toContain('--amount is missing')
})

test('start --import over transactions asks, and starts only after a yes', async ({ sandbox }) => {
  const { cwd } = sandbox
  await sandbox.run('sandbox export empty.jsonl')
  await sold(sandbox)
  await sandbox.stop()
  const open = () => openTerminal('sandbox start --port 0 --import empty.jsonl', { cwd, columns: 100 })
  const question = /Replace the transactions in[\s\S]*empty\.jsonl\?/
  const refused = open()
  await showsText(refused, question)
  refused.type(enter)
  expect(await refused.ended).toBe(2)
  expect(unstyledText(refused)).not.toContain('Ctrl-C stops it')
  const window = open()
  await showsText(window, question)
  window.type(`y${enter}`)
  await showsText(window, /dashboard/)
  expect((await sandbox.json('sandbox status')).stored.transactions).toBe(0)
  window.type(ctrlC)
  expect(await window.ended).toBe(0)
})
