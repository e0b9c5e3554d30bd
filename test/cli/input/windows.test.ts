import { expect } from 'vitest'
import { runBinary } from '../../support/commands/binary.ts'
import { openTerminal } from '../../support/commands/command.ts'
import { openPty } from '../../support/commands/pty.ts'
import { startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { showsText, unstyledText } from '../../support/commands/terminal-text.ts'

const onLinux = test.runIf(process.platform === 'linux')

function expectCursor(written: string): void {
  expect(written.lastIndexOf('\u001b[?25h')).toBeGreaterThan(written.lastIndexOf('\u001b[?25l'))
}

onLinux('a closed window ends a prompt with 129', async () => {
  const sandbox = await startSandboxCommand()
  const window = openPty('sandbox reset', sandbox)
  await expect.poll(window.written).toMatch(/Forget 0 transactions/)
  expect(await window.close()).toBe(129)
})

onLinux.each([
  ['an amount', 'sale', /Amount in USD/],
  ['yes or no', 'sandbox reset', /\(y\/N\)/],
])('Ctrl-C at the question for %s: 130, the cursor is back, nothing changed', async (_, args, question) => {
  const sandbox = await startSandboxCommand()
  await sandbox.json('sale --amount 10.00')
  const window = openPty(args, { cwd: sandbox.cwd, columns: 100 })
  await showsText(window, question)
  window.type('\u0003')
  expect(await window.ended).toBe(130)
  expectCursor(window.written())
  expect(unstyledText(window)).not.toMatch(/✗|Error|ExitPrompt/)
  expect((await sandbox.json('list')).transactions).toHaveLength(1)
})

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

onLinux('a window that does not tell its size counts as 80 by 24', async ({ sandbox }) => {
  await sandbox.json('sale --amount 10.00')
  const window = openPty('list', { cwd: sandbox.cwd, columns: 0, rows: 0 })
  expect(await window.ended).toBe(0)
  const inProcess = openTerminal('list', { cwd: sandbox.cwd })
  expect(await inProcess.ended).toBe(0)
  const table = unstyledText(inProcess).trim()
  expect(table).toContain('10.00')
  expect(unstyledText(window).replaceAll('\r', '')).toContain(table)
})
