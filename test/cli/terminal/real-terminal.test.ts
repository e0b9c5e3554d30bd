import { describe, expect } from 'vitest'
import { runBinary } from '../../support/commands/binary.ts'
import { openTerminal } from '../../support/commands/command.ts'
import { openPty } from '../../support/commands/pty.ts'
import { startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { showsText, unstyledText } from '../../support/commands/terminal-text.ts'

describe.skipIf(process.platform !== 'linux')('commands in a window that is closed', () => {
  test.each<[string, string, RegExp]>([
    ['terminal open', 'terminal open TBX-ATTENDED-001', /Ready/],
    ['the prompt of sandbox reset', 'sandbox reset', /Forget 0 transactions/],
  ])('a closed window ends %s with 129', async (_, command, ready) => {
    const sandbox = await startSandboxCommand()
    const window = openPty(command, sandbox)
    await expect.poll(window.written).toMatch(ready)
    expect(await window.close()).toBe(129)
  })
})

describe.skipIf(process.platform !== 'linux')('Ctrl-C at a question', () => {
  test.each([
    ['an amount', 'sale', /Amount in USD/],
    ['yes or no', 'sandbox reset', /\(y\/N\)/],
  ])(
    'Ctrl-C at the question for %s ends with 130, restores the cursor, and changes nothing',
    async (_, args, question) => {
      const sandbox = await startSandboxCommand()
      await sandbox.json('sale --amount 10.00')
      const window = openPty(args, { cwd: sandbox.cwd, columns: 100 })
      await showsText(window, question)
      window.type('\u0003')
      expect(await window.ended).toBe(130)
      expect(window.written().lastIndexOf('\u001b[?25h')).toBeGreaterThan(
        window.written().lastIndexOf('\u001b[?25l'),
      )
      expect(unstyledText(window)).not.toMatch(/✗|Error|ExitPrompt/)
      expect((await sandbox.json('list')).transactions).toHaveLength(1)
    },
  )
})

describe('the end of the input', () => {
  /** Standard input and standard error count as a terminal. */
  const terminals = 'process.stdin.isTTY=process.stderr.isTTY=true;process.stderr.getWindowSize=()=>[80,24]'
  const atTerminal = { NODE_OPTIONS: `--import data:text/javascript,${terminals}` }

  test('input that ends at a question means no', async ({ sandbox }) => {
    await sandbox.json('sale --amount 10.00')
    const { code, stderr } = await runBinary('batch close', { cwd: sandbox.cwd, env: atTerminal })
    expect(code).toBe(2)
    expect(stderr).toMatch(/Close and settle\?[\s\S]*Nothing was changed\.\n$/)
    expect((await sandbox.json('batch query')).batchList).toHaveLength(1)
  })
})

describe.skipIf(process.platform !== 'linux')('a terminal that does not tell its size', () => {
  test('a window of 0 by 0 counts as 80 by 24', async ({ sandbox }) => {
    await sandbox.json('sale --amount 10.00')
    const window = openPty('list', { cwd: sandbox.cwd, columns: 0, rows: 0 })
    expect(await window.ended).toBe(0)
    const inProcess = openTerminal('list', { cwd: sandbox.cwd })
    expect(await inProcess.ended).toBe(0)
    const table = unstyledText(inProcess).trim()
    expect(table).toContain('10.00')
    expect(unstyledText(window).replaceAll('\r', '')).toContain(table)
  })
})
