import { describe, expect } from 'vitest'
import { type CommandTerminal, openTerminal } from '../../support/commands/command.ts'
import { type LaunchedSandbox, startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { folderWith, scratchFolder } from '../../support/commands/scratch.ts'
import { inOneLine, unstyledText } from '../../support/commands/terminal-text.ts'

const enter = '\r'

const shown = (window: CommandTerminal): string => inOneLine(unstyledText(window))

const transactionsOf = async (sandbox: LaunchedSandbox) =>
  (await sandbox.json('list')).transactions as readonly { type: string; amount: number }[]

/** Answers a question; resolves to the exit code. */
async function answered(window: CommandTerminal, question: RegExp, answer: string): Promise<number | null> {
  await expect.poll(() => shown(window)).toMatch(question)
  window.type(`${answer}${enter}`)
  return window.ended
}

test.each([
  ['sandbox reset', [], /Forget 1 transaction,/],
  ['sandbox snapshot remove base', [], /Remove snapshot base/],
  ['sandbox snapshot restore base', [], /Restore snapshot base/],
  ['token revoke lee', [['token', 'create', 'lee', '--scope', 'viewer']], /Revoke the token lee/],
  ['space remove ci-1', [['space', 'create', 'ci-1']], /Remove the space ci-1/],
  ['sandbox import state.jsonl', [], /Replace the 1 transaction /],
  ['sandbox key rotate --overlap 0', [], /Make a new key\?/],
  ['batch close', [], /Close and settle\?/],
  ['profile remove shop', [['profile', 'set', 'shop', '--terminal', 'T']], /Remove the profile shop/],
  ['init --only config', [], /Write 1 file\?/],
])('%s needs --yes without a terminal; a no ends with 2', async (command, before, question) => {
  const sandbox = await startSandboxCommand()
  await sandbox.json('sale --amount 10.00')
  await sandbox.json('sandbox snapshot save base')
  await sandbox.json('sandbox export state.jsonl')
  for (const args of before) await sandbox.json(args)
  await sandbox.fails(command, 2, 'this shell is not interactive', 'Add --yes')
  const window = openTerminal(command.split(' '), { cwd: sandbox.cwd, columns: 100 })
  expect(await answered(window, question, 'n')).toBe(2)
  expect(unstyledText(window).trimEnd()).toMatch(/\nNothing was changed\.$/)
  expect(unstyledText(window)).not.toContain('✗')
  expect(await transactionsOf(sandbox)).toHaveLength(1)
  expect((await sandbox.json('sandbox snapshot list')).snapshots).toHaveLength(1)
  expect((await sandbox.json('batch query')).batchList).toHaveLength(1)
  const isOfSpace = command.startsWith('space')
  expect((await sandbox.json('space list')).spaces).toHaveLength(isOfSpace ? 2 : 1)
})

describe('the question before an operation where money is real', () => {
  /** A sandbox that a live profile names, and what a command asks there; no is the answer. */
  async function shop() {
    const sandbox = await startSandboxCommand()
    const config = scratchFolder()
    const { url, apiKey, cwd } = sandbox
    const env = { XDG_CONFIG_HOME: config, TILLBOX_API_KEY: apiKey, TILLBOX_BASE_URL: url }
    const set = `profile set shop --base-url ${url} --live --json`
    expect((await sandbox.run(set, env)).code).toBe(0)
    const asks = async (args: readonly string[], question: string) => {
      const window = openTerminal([...args, '--profile', 'shop'], { cwd, columns: 200, env })
      const whole = `${question} on live profile "shop" (${url})?`
      await expect.poll(() => shown(window)).toContain(whole)
      window.type(`n${enter}`)
      expect(await window.ended).toBe(2)
    }
    return { sandbox, asks, env }
  }

  test('a payment shows its amount with parts, and its terminal', async () => {
    const { sandbox, asks } = await shop()
    await asks(['sale', '--amount', '25.00', '--terminal', 'TBX-AUTO-001'], 'Sale 25.00 USD at TBX-AUTO-001')
    await asks(
      ['auth', '--amount', '1.234', '--tip-amount', '0.100', '--price-currency', 'KWD'],
      'Auth 1.334 KWD',
    )
    await asks(['checkout', 'create', '--amount', '9.00'], 'Checkout create 9.00 USD')
    await asks(
      'api post /v1/semi-integration/transaction/sale -d amount:=500 -d priceCurrency=JPY'.split(' '),
      'Sale 500 JPY',
    )
    await asks(['api', 'post', '/v1/anything'], 'Send POST /v1/anything')
    expect(await transactionsOf(sandbox)).toEqual([])
  })

  test('a close shows all batches and asks once', async () => {
    const { sandbox, env } = await shop()
    await sandbox.json('sale --amount 25.00')
    const window = openTerminal('batch close --profile shop', { cwd: sandbox.cwd, columns: 200, env })
    await expect.poll(() => shown(window)).toContain('on live profile "shop"')
    expect(shown(window)).toContain('25.00')
    window.type(`y${enter}`)
    expect(await window.ended).toBe(0)
    expect(shown(window)).not.toContain('Close and settle?')
  })

  test('a follow-up shows its original and its amount', async () => {
    const { sandbox, asks } = await shop()
    const { transactionId: id } = await sandbox.json('sale --amount 25.00')
    await asks(['refund', id, '--amount', '4.00'], `Refund 4.00 USD of sale ${id} of 25.00 USD`)
    await asks(['void', id], `Void of sale ${id} of 25.00 USD`)
    const adjust = ['tip-adjust', id, '--tip-amount', '2.00']
    await asks(adjust, `Tip-adjust 2.00 USD of sale ${id} of 25.00 USD`)
    await asks(['void', '1795159696581999'], 'Void of transaction 1795159696581999')
    expect(await transactionsOf(sandbox)).toHaveLength(1)
  })
})

test.each([
  [['init'], 'Writing files needs confirmation'],
  [['sale', '--amount', '10.00', '--profile', 'shop'], 'Add --live'],
  [['profile', 'set', 'other'], 'No setting was passed'],
])('under CI a terminal is not asked: %j', async (args, message) => {
  const profiles = { shop: { baseUrl: 'http://pay.example', apiKey: 'a-key-of-the-test', live: true } }
  const cwd = folderWith({ 'tillbox/config.json': JSON.stringify({ profiles }) }, 0o600)
  const env = { CI: '1', XDG_CONFIG_HOME: cwd }
  const window = openTerminal(args, { cwd, env })
  expect(await window.ended).toBe(2)
  expect(shown(window)).toContain(message)
  expect(shown(window)).not.toContain('? ')
})
