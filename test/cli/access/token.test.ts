import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCommand, startCommand } from '../../support/commands/command.ts'
import { fails, untilStderr } from '../../support/commands/launched.ts'
import { startSandboxCommand } from '../../support/commands/running-sandbox.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'

const sale = ['sale', '--amount', '10.00']
const everywhere = '--host 0.0.0.0'
const token = 'a-token-of-the-test-0001'

describe('sandbox start on an address that others reach', () => {
  test('a start without a token ends with 2 and a remedy, and leaves nothing behind', async () => {
    for (const host of ['0.0.0.0', '::', '192.0.2.1']) {
      const { stdout } = await fails(
        runCommand(`sandbox start --port 0 --host ${host}`),
        2,
        '--token generate',
      )
      expect(stdout).toBe('')
    }
  })

  test.each(['brief-1', 'with a space in it 123', ''])(
    '--token %j ends with 2 and is not shown',
    async (wrong) => {
      const { stderr } = await fails(
        runCommand(['sandbox', 'start', '--port', '0', '--token', wrong]),
        2,
        '16 to 128',
      )
      if (wrong !== '') expect(stderr).not.toContain(wrong)
    },
  )

  test('generate creates a new token each time, and shows it once', async () => {
    const made = async () => {
      const sandbox = await startSandboxCommand(`${everywhere} --token generate`)
      return JSON.parse(sandbox.output().stdout).token as string
    }
    const [one, two] = [await made(), await made()]
    expect(one).toMatch(/^[\w-]{32}$/)
    expect(one).not.toBe(two)
    const shown = startCommand('sandbox start --port 0 --token generate')
    expect(await shown.until(/Ctrl-C/)).toMatch(/token +[\w-]{32}/)
  })
})

describe('commands of a sandbox with a token', () => {
  test('on this machine commands find the token in the private lock file, and show it to nobody', async () => {
    const sandbox = await startSandboxCommand(`${everywhere} --token ${token}`)
    const { transactionId } = await sandbox.json(sale)
    const commands = [
      ['sandbox', 'status'],
      ['sandbox', 'status', '--base-url', sandbox.url],
      ['query', transactionId, '--timeline'],
      ['query', transactionId, '--base-url', sandbox.url.replace('127.0.0.1', 'localhost')],
      ['logs', 'tail', '--no-follow'],
      ['webhook', 'list'],
      ['sandbox', 'clock', '--freeze'],
    ]
    const outputs = [sandbox.output()]
    for (const command of commands)
      for (const args of [command, [...command, '--json']]) {
        const ended = await sandbox.run(args)
        expect([args, ended.code, ended.stderr]).toEqual([args, 0, ''])
        outputs.push(ended)
      }
    expect(JSON.stringify(outputs)).not.toContain(token)
    const lock = join(sandbox.state, 'lock.json')
    expect(statSync(lock).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(lock, 'utf8')).token).toBe(token)
  })

  test('listen and logs tail find the token too', async () => {
    const sandbox = await startSandboxCommand(`--token ${token}`)
    const tail = startCommand('logs tail --json', { cwd: sandbox.cwd })
    const listening = startCommand('listen --json', { cwd: sandbox.cwd })
    await untilStderr(tail, /Requests of/)
    await untilStderr(listening, /Listening to/)
    const { transactionId } = await sandbox.json(sale)
    await tail.until(new RegExp(transactionId))
    await listening.until(new RegExp(transactionId))
  })

  test('elsewhere TILLBOX_TOKEN has the token, and a missing or wrong one is reported', async () => {
    const sandbox = await startSandboxCommand(`${everywhere} --token ${token}`)
    const elsewhere = { cwd: scratchFolder() }
    const args = ['sandbox', 'status', '--base-url', sandbox.url]
    const own = { ...elsewhere, env: { TILLBOX_TOKEN: token } }
    expect((await runCommand(args, own)).code).toBe(0)
    expect((await runCommand([...sale, '--base-url', sandbox.url], own)).code).toBe(0)
    for (const env of [{}, { TILLBOX_TOKEN: 'a-token-of-the-test-0002' }])
      for (const command of [args, [...sale, '--base-url', sandbox.url]]) {
        const { stderr } = await fails(runCommand(command, { ...elsewhere, env }), 1, 'TILLBOX_TOKEN')
        expect(stderr).not.toMatch(/a-token-of/)
      }
  })

  test('TILLBOX_TOKEN is also what a sandbox starts with', async () => {
    const sandbox = await startSandboxCommand(everywhere, { env: { TILLBOX_TOKEN: token } })
    expect((await sandbox.run(sale)).code).toBe(0)
    expect((await fetch(`${sandbox.url}/_sandbox/health`)).status).toBe(401)
  })
})
