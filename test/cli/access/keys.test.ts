import { describe, expect, test } from 'vitest'
import {
  type LaunchedSandbox,
  leftByKill,
  startSandboxCommand,
} from '../../support/commands/running-sandbox.ts'

const sale = ['sale', '--amount', '10.00']
const fixtureKey = 'tbx_sandbox_5f3c9a71e24b4d08'

/** Makes a new key through the control interface; the old one expires after `graceMs`, left out after a day. */
async function regenerate(sandbox: LaunchedSandbox, graceMs?: number): Promise<string> {
  const body = graceMs === undefined ? {} : { graceMs }
  const { envelope } = await sandbox.send('POST', '/_sandbox/keys/regenerate', { body })
  expect(envelope.data.apiKey).toMatch(/^tbx_sandbox_/)
  return envelope.data.apiKey
}

/** A sale with a key that was given. */
const saleWith = (sandbox: LaunchedSandbox, key: string) => sandbox.run([...sale, '--api-key', key])

describe('commands after a new key was made', () => {
  test.each([undefined, 0])('commands find the new key without a setting; grace %j', async (graceMs) => {
    const sandbox = await startSandboxCommand()
    const key = await regenerate(sandbox, graceMs)
    expect(key).not.toBe(sandbox.apiKey)
    expect((await sandbox.json(['sandbox', 'status', '--show-key'])).apiKey).toBe(key)
    const { transactionId } = await sandbox.json(sale)
    await sandbox.json(['refund', transactionId, '--amount', '4.00'])
    expect((await sandbox.run([...sale, '--base-url', sandbox.url])).code).toBe(0)
  })

  test('the old key is accepted for a day by default, then refused as expired', async () => {
    const sandbox = await startSandboxCommand()
    const key = await regenerate(sandbox)
    expect((await saleWith(sandbox, fixtureKey)).code).toBe(0)
    expect((await saleWith(sandbox, key)).code).toBe(0)
    const next = await regenerate(sandbox, 0)
    const refused = await saleWith(sandbox, key)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('has expired')
    expect(refused.stderr).not.toContain(key)
    expect((await saleWith(sandbox, next)).code).toBe(0)
    expect((await saleWith(sandbox, fixtureKey)).code).toBe(0)
  })

  test.each(['a stop', 'kill -9'])(
    'a new key is still the key of the sandbox after %s and a restart',
    async (end) => {
      const sandbox = await startSandboxCommand()
      const key = await regenerate(sandbox, 0)
      const { cwd } = end === 'kill -9' ? leftByKill(sandbox) : sandbox
      await sandbox.stop()
      const again = await startSandboxCommand([], { cwd })
      expect(again.apiKey).toBe(key)
      expect((await again.run(sale)).code).toBe(0)
      expect((await saleWith(again, fixtureKey)).code).toBe(1)
    },
  )

  test('a key given at a start replaces it, and a start without one brings it back', async () => {
    const sandbox = await startSandboxCommand()
    const key = await regenerate(sandbox, 0)
    await sandbox.stop()
    const { cwd } = sandbox
    const own = await startSandboxCommand(['--api-key', 'a-key-of-mine'], { cwd })
    expect((await own.json(['sandbox', 'status', '--show-key'])).apiKey).toBe('a-key-of-mine')
    expect((await own.run(sale)).code).toBe(0)
    expect((await saleWith(own, 'a-key-of-mine')).code).toBe(0)
    for (const other of [key, fixtureKey]) expect((await saleWith(own, other)).code).toBe(1)
    await own.stop()
    const back = await startSandboxCommand([], { cwd })
    expect(back.apiKey).toBe(key)
    expect((await back.run(sale)).code).toBe(0)
    expect((await saleWith(back, 'a-key-of-mine')).code).toBe(1)
  })
})
