import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { runBinary } from '../../support/commands/binary.ts'
import { openTerminal, runCommand } from '../../support/commands/command.ts'
import { openPty } from '../../support/commands/pty.ts'
import { startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'
import { isColoured, showsText, unstyledText, untilShown } from '../../support/commands/terminal-text.ts'

const serial = 'TBX-ATTENDED-001'
const attended = ['terminal', 'open', serial]
const keys = { end: '\u001b[F', down: '\u001b[B' }
const tipConfig = '{"onScreenTip":true}'
const onLinux = test.runIf(process.platform === 'linux')

function expectCursor(written: string): void {
  expect(written.lastIndexOf('\u001b[?25h')).toBeGreaterThan(written.lastIndexOf('\u001b[?25l'))
}

/** Back to the window as it was: main screen and cursor. */
function expectOwnScreen(written: string): void {
  expect(written.lastIndexOf('\u001b[?1049l')).toBeGreaterThan(written.lastIndexOf('\u001b[?1049h'))
  expectCursor(written)
}

/** The same, and lines are edited by the system. */
function expectRestored(written: string): void {
  expectOwnScreen(written)
  const after = written.slice(written.lastIndexOf('\u001b[?1049l'))
  expect(after).toMatch(/[^-]icanon/)
  expect(after).toMatch(/[^-]echo /)
}

onLinux('a payment goes from the card to the receipt, and a typed PIN is shown nowhere', async () => {
  const sandbox = await startSandboxCommand()
  const window = openPty(attended, sandbox)
  await window.until(/Ready/)
  const sold = `sale --amount 10.00 --terminal ${serial} --no-wait --set tipConfig=${tipConfig}`
  const { transactionId } = await sandbox.json(sold)
  await window.until(/› {2}1 visa-contactless.*\$10\.00/s)
  window.type('2')
  await window.until(/› {2}2 visa-chip-pin/)
  window.type('i')
  await window.until(/Add a tip\?/)
  window.type('a')
  window.type('2.5\r')
  await window.until(/\$12\.50.*Enter PIN/s)
  window.type('98')
  await window.until(/● ● ○ ○/)
  window.type('760123\r')
  await window.until(/Wrong PIN, 2 tries left/)
  window.type('1234\r')
  await window.until(/✓ Approved/)
  expect(await sandbox.json(`query ${transactionId}`)).toMatchObject({
    transactionStatus: 'S',
    tipAmount: 250,
    authenticationMethod: 'PIN',
  })
  window.type('r')
  await window.until(/Tillbox Coffee.*more lines/s)
  window.type(keys.end)
  await window.until(/Customer copy/)
  window.type(`\t${keys.end}`)
  await window.until(/Merchant copy/)
  expect(window.written()).not.toContain('98760123')
  for (const file of readdirSync(sandbox.state))
    expect(readFileSync(join(sandbox.state, file), 'utf8')).not.toContain('98760123')
  window.type('q')
  expect(await window.ended).toBe(0)
  expectRestored(window.written())
})

onLinux(
  'Ctrl-C and signals end terminal open, and NO_COLOR leaves no colour in the whole window',
  async () => {
    const sandbox = await startSandboxCommand()
    for (const [signal, env, coloured] of [
      ['Ctrl-C', {}, true],
      ['SIGTERM', { NO_COLOR: '1' }, false],
      ['SIGHUP', { COLORTERM: 'truecolor' }, true],
    ] as const) {
      const window = openPty(attended, { ...sandbox, env })
      await window.until(/Ready/)
      if (signal === 'Ctrl-C') window.type('\u0003')
      else process.kill(window.pid(), signal)
      expect([signal, await window.ended]).toEqual([signal, 0])
      expectRestored(window.written())
      expect([signal, isColoured(window.written())]).toEqual([signal, coloured])
    }
  },
)

test('terminal open ends with 1 and a message when the terminal is gone with the state folder', async () => {
  const sandbox = await startSandboxCommand()
  await sandbox.json('terminal add DESK-2 --mode attended')
  const window = openTerminal('terminal open DESK-2', sandbox)
  await untilShown(window, /Ready/)
  await sandbox.stop()
  await untilShown(window, /The sandbox is gone/)
  rmSync(join(sandbox.cwd, '.tillbox'), { recursive: true })
  await startSandboxCommand([], { cwd: sandbox.cwd })
  expect(await window.ended).toBe(1)
  expectOwnScreen(window.written())
  expect(window.isRaw()).toBe(false)
  expect(window.written()).toMatch(/tillbox\s+terminal add DESK-2/)
})

test('acts of another person are shown, and so are refusals', async ({ sandbox }) => {
  const window = openTerminal(attended, sandbox)
  await untilShown(window, /Ready/)
  await sandbox.json(`sale --amount 300.00 --terminal ${serial} --no-wait`)
  await untilShown(window, /\$300\.00/)
  window.type('t')
  await untilShown(window, /Over the limit for contactless/)
  await sandbox.json(`terminal cancel ${serial}`)
  await untilShown(window, /■ Cancelled/)
  await sandbox.json('sandbox clock --advance 10s')
  await untilShown(window, /Ready/)
  await sandbox.json(`sale --amount 1.00 --terminal ${serial} --no-wait`)
  await untilShown(window, /\$1\.00/)
  window.type(`12${keys.down}t`)
  await untilShown(window, /! visa-manual: no tap here|! visa-fallback-swipe: no tap here/)
})

test.each([[[]], [['--json']]])('terminal open without a window names other commands: %j', async (more) => {
  const { code, stdout, stderr } = await runCommand([...attended, ...more], { cwd: scratchFolder() })
  expect(code).toBe(2)
  for (const name of [`terminal show ${serial}`, 'present', 'tip', 'pin', 'sign', 'cancel'])
    expect(stderr).toContain(name)
  if (more.length > 0) expect(JSON.parse(stdout).error.exitCode).toBe(2)
})

onLinux.each<[string, string, RegExp]>([
  ['terminal open', 'terminal open TBX-ATTENDED-001', /Ready/],
  ['the prompt of sandbox reset', 'sandbox reset', /Forget 0 transactions/],
])('a closed window ends %s with 129', async (_, command, ready) => {
  const sandbox = await startSandboxCommand()
  const window = openPty(command, sandbox)
  await expect.poll(window.written).toMatch(ready)
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
