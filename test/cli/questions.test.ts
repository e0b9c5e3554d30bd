import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { openWindow, type PtyWindow } from '../support/pty.ts'
import { type RunningSandbox, startSandboxCommand } from '../support/running-sandbox.ts'

const enter = '\r'
const down = '\u001b[B'
const ctrlC = '\u0003'

/** What the window was told, without colours and movements. */
const plain = (window: PtyWindow): string => stripVTControlCharacters(window.written())

const shows = (window: PtyWindow, pattern: RegExp) => expect.poll(() => plain(window)).toMatch(pattern)

/** Runs a command in a window beside a sandbox. */
const ask = (sandbox: RunningSandbox, args: readonly string[]) =>
  openWindow(args, { cwd: sandbox.cwd, columns: 100 })

const sold = (sandbox: RunningSandbox, amount = '10.00') =>
  sandbox.json(['sale', '--amount', amount]) as Promise<{ transactionId: string }>

describe('what is missing is asked for on a terminal', () => {
  test('a sale: its amount, again when it is none, and then its terminal out of the list', async () => {
    const sandbox = await startSandboxCommand()
    const window = ask(sandbox, ['sale'])
    await shows(window, /Amount in USD/)
    window.type(`10.5${enter}`)
    await shows(window, /Write all 2 decimals/)
    window.type(`\u007f\u007f\u007f\u007f12.00${enter}`)
    await shows(window, /Which terminal\?[\s\S]*❯ TBX-AUTO-001 {2}/)
    window.type(enter)
    expect(await window.ended).toBe(0)
    expect(plain(window)).toContain('12.00 USD')
  })

  test('a refund: its original, newest first and only what can be refunded, then its amount', async () => {
    const sandbox = await startSandboxCommand()
    const first = await sold(sandbox, '11.00')
    const voided = await sold(sandbox, '12.00')
    await sandbox.json(['void', voided.transactionId])
    const last = await sold(sandbox, '13.00')
    const window = ask(sandbox, ['refund'])
    await shows(window, /times in UTC/)
    const list = plain(window)
    expect(list).toMatch(
      new RegExp(
        `❯ \\d{4}-\\d\\d-\\d\\d [\\d:]{8} {2}sale {2}13.00 USD {2}approved {2}${last.transactionId}`,
      ),
    )
    expect(list.indexOf(last.transactionId)).toBeLessThan(list.indexOf(first.transactionId))
    expect(list).not.toContain(voided.transactionId)
    window.type(down + enter)
    await shows(window, /Amount in USD/)
    window.type(`4.00${enter}`)
    expect(await window.ended).toBe(0)
    const [refund] = await transactionsOf(sandbox)
    expect(refund).toMatchObject({ type: 'REFUND', originalTransactionId: first.transactionId, amount: 400 })
  })

  test('the card for terminal present and checkout pay', async () => {
    const sandbox = await startSandboxCommand()
    await sandbox.json(['sale', '--amount', '10.00', '--terminal', 'TBX-ATTENDED-001', '--no-wait'])
    const window = ask(sandbox, ['terminal', 'present'])
    await shows(window, /Which card\?[\s\S]*❯ \S+/)
    window.type(ctrlC)
    expect(await window.ended).toBe(130)
    const { sessionId } = await sandbox.json(['checkout', 'create', '--amount', '9.00'])
    const pay = ask(sandbox, ['checkout', 'pay', sessionId])
    await shows(pay, /Which card\?[\s\S]*❯ visa/)
    pay.type(enter)
    expect(await pay.ended).toBe(0)
  })
})

/** Every transaction, newest first. */
async function transactionsOf(sandbox: RunningSandbox): Promise<readonly object[]> {
  const { envelope } = await sandbox.send('GET', '/_sandbox/transactions')
  return envelope.data.transactions
}

describe('Ctrl-C at a question', () => {
  test.each([
    ['an amount', ['sale'], /Amount in USD/],
    ['yes or no', ['sandbox', 'reset'], /\(y\/N\)/],
  ])('%s: 130, a cursor, and nothing changed', async (_, args, question) => {
    const sandbox = await startSandboxCommand()
    await sold(sandbox)
    const window = ask(sandbox, args)
    await shows(window, question)
    window.type(ctrlC)
    expect(await window.ended).toBe(130)
    expect(window.written().lastIndexOf('\u001b[?25h')).toBeGreaterThan(
      window.written().lastIndexOf('\u001b[?25l'),
    )
    expect(plain(window)).not.toMatch(/✗|Error|ExitPrompt/)
    expect(await transactionsOf(sandbox)).toHaveLength(1)
  })
})

describe('where nobody can be asked', () => {
  test.each([
    [['sale'], '--amount is missing'],
    [['refund'], 'The original transaction is missing'],
    [['tip-adjust', '1795159696581000'], '--tip-amount is missing'],
    [['terminal', 'present'], '--card is missing'],
    [['terminal', 'sign'], '<serial> is missing'],
  ])('%j ends with 2', async (args, message) => {
    const sandbox = await startSandboxCommand()
    const { code, stderr } = await sandbox.run(args)
    expect([code, stderr.split('\n')[0]]).toEqual([2, `✗ ${message}`])
  })

  test('--json on a terminal is for programs: nothing is asked', async () => {
    const sandbox = await startSandboxCommand()
    const window = ask(sandbox, ['sale', '--json'])
    expect(await window.ended).toBe(2)
    expect(plain(window)).toContain('--amount is missing')
  })
})
