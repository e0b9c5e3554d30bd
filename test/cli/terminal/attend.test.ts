import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCommand } from '../../support/commands/command.ts'
import { isColoured, openPty } from '../../support/commands/pty.ts'
import { spawnSandbox, startSandboxCommand } from '../../support/commands/running-sandbox.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'

const serial = 'TBX-ATTENDED-001'
const attended = ['terminal', 'attend', serial]
const keys = { end: '\u001b[F', down: '\u001b[B' }
const tipConfig = '{"onScreenTip":true}'

/** Back to the window as it was: main screen, cursor, and lines that are edited by the system. */
function expectRestored(written: string): void {
  expect(written.lastIndexOf('\u001b[?1049l')).toBeGreaterThan(written.lastIndexOf('\u001b[?1049h'))
  expect(written.lastIndexOf('\u001b[?25h')).toBeGreaterThan(written.lastIndexOf('\u001b[?25l'))
  const after = written.slice(written.lastIndexOf('\u001b[?1049l'))
  expect(after).toMatch(/[^-]icanon/)
  expect(after).toMatch(/[^-]echo /)
}

describe.skipIf(process.platform !== 'linux')('terminal attend, in a pseudo terminal', () => {
  test('a payment goes from the card to the receipt, and a typed PIN is shown nowhere', async () => {
    const sandbox = await startSandboxCommand()
    const window = openPty(attended, sandbox)
    await window.until(/Ready/)
    const sold = ['sale', '--amount', '10.00', '--terminal', serial, '--no-wait', '--tip-config', tipConfig]
    const { transactionId } = await sandbox.json(sold)
    await window.until(/› {2}1 visa-contactless.*\$10\.00/s)
    window.type('2')
    await window.until(/› {2}2 visa-chip-pin/)
    window.type('i')
    await window.until(/Add a tip\?/)
    window.type('a')
    window.type('250\r')
    await window.until(/\$12\.50.*Enter PIN/s)
    window.type('98')
    await window.until(/● ● ○ ○/)
    window.type('760123\r')
    await window.until(/Wrong PIN, 2 tries left/)
    window.type('1234\r')
    await window.until(/✓ Approved/)
    expect(await sandbox.json(['query', transactionId])).toMatchObject({
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

  test('Ctrl-C and signals end terminal attend', async () => {
    const sandbox = await startSandboxCommand()
    const typed = openPty(attended, sandbox)
    await typed.until(/Ready/)
    typed.type('\u0003')
    expect(await typed.ended).toBe(0)
    expectRestored(typed.written())
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      const window = openPty(attended, sandbox)
      await window.until(/Ready/)
      process.kill(window.pid(), signal)
      expect(await window.ended).toBe(0)
      expectRestored(window.written())
    }
  })

  test('the window waits while the sandbox is killed and started again, and then shows the same screen', async () => {
    const sandbox = await spawnSandbox()
    const window = openPty(attended, { ...sandbox, columns: 40, rows: 20 })
    await window.until(/Ready/)
    await sandbox.json(['sale', '--amount', '12.34', '--terminal', serial, '--no-wait'])
    await window.until(/\$12\.34/)
    await sandbox.stop('SIGKILL')
    await window.until(/no sandbox.*\$12\.34.*The sandbox is gone/s)
    await spawnSandbox([], { cwd: sandbox.cwd })
    await window.until(/● online.*\$12\.34/s)
    expect(window.lines().join('\n')).not.toContain('The sandbox is gone')
    window.type('c')
    await window.until(/■ Cancelled/)
    window.type('o')
    await window.until(/○ offline.*Offline/s)
    window.type('o')
    await window.until(/● online/)
    window.type('q')
    expect(await window.ended).toBe(0)
  })

  test('the result of a payment is shown beside the next one in line', async () => {
    const sandbox = await startSandboxCommand()
    const window = openPty(attended, sandbox)
    await window.until(/Ready/)
    const sell = (amount: string, ...more: string[]) =>
      sandbox.json(['sale', '--amount', amount, '--terminal', serial, '--no-wait', ...more])
    await sell('22.00', '--outcome', 'do-not-honor')
    const second = await sell('5.00')
    await window.until(/\$22\.00.*1 waiting/s)
    window.type('2i')
    await window.until(/Enter PIN/)
    window.type('1234\r')
    await window.until(/\$5\.00.*before: ✗ 22\.00 USD 005 Do not honor/s)
    await window.until(/t tap/)
    const { transaction } = await sandbox.json(['terminal', 'show', serial])
    expect(transaction).toMatchObject({ transactionId: second.transactionId, status: 'PROCESSING' })
  })

  test('terminal attend ends with 1 and a message when the terminal is gone with the state folder', async () => {
    const sandbox = await spawnSandbox()
    await sandbox.json(['terminal', 'add', 'DESK-2', '--mode', 'attended'])
    const window = openPty(['terminal', 'attend', 'DESK-2'], sandbox)
    await window.until(/Ready/)
    await sandbox.stop('SIGKILL')
    await window.until(/The sandbox is gone/)
    rmSync(join(sandbox.cwd, '.tillbox'), { recursive: true })
    await spawnSandbox([], { cwd: sandbox.cwd })
    expect(await window.ended).toBe(1)
    expectRestored(window.written())
    expect(window.written()).toContain('The sandbox no longer has terminal DESK-2')
    expect(window.written()).toMatch(/tillbox\s+terminal add DESK-2/)
  })

  test('acts of another person are shown, and so are refusals', async () => {
    const sandbox = await startSandboxCommand()
    const window = openPty(attended, sandbox)
    await window.until(/Ready/)
    await sandbox.json(['sale', '--amount', '300.00', '--terminal', serial, '--no-wait'])
    await window.until(/\$300\.00/)
    window.type('t')
    await window.until(/Over the limit for contactless/)
    await sandbox.json(['terminal', 'cancel', serial])
    await window.until(/■ Cancelled/)
    await sandbox.json(['sandbox', 'clock', '--advance', '10s'])
    await window.until(/Ready/)
    await sandbox.json(['sale', '--amount', '1.00', '--terminal', serial, '--no-wait'])
    await window.until(/\$1\.00/)
    window.type(`12${keys.down}t`)
    await window.until(/! visa-manual: no tap here|! visa-fallback-swipe: no tap here/)
  })

  test('NO_COLOR leaves no colour in the whole window', async () => {
    const sandbox = await startSandboxCommand()
    for (const [env, coloured] of [
      [{ NO_COLOR: '1' }, false],
      [{ COLORTERM: 'truecolor' }, true],
    ] as const) {
      const window = openPty(attended, { ...sandbox, env })
      await window.until(/Ready/)
      expect(isColoured(window.written())).toBe(coloured)
      window.type('q')
      await window.ended
    }
  })
})

test.each([[[]], [['--json']]])(
  'terminal attend without a window ends with 2 and names the commands for scripts: %j',
  async (more) => {
    const { code, stdout, stderr } = await runCommand([...attended, ...more], { cwd: scratchFolder() })
    expect(code).toBe(2)
    for (const name of [`terminal show ${serial}`, 'present', 'tip', 'pin', 'sign', 'cancel'])
      expect(stderr).toContain(name)
    if (more.length > 0) expect(JSON.parse(stdout).error.exitCode).toBe(2)
  },
)
