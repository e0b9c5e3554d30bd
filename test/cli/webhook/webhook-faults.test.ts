import { describe, expect, test } from 'vitest'
import { leftByKill, startSandboxCommand } from '../../support/commands/running-sandbox.ts'
import { noWebhookFaults } from '../../support/webhooks/deliveries.ts'

describe('webhook fault', () => {
  test('webhook faults are set, shown and cleared, are off when left out, and survive a restart', async () => {
    const sandbox = await startSandboxCommand()
    expect(await sandbox.json('webhook fault')).toEqual(noWebhookFaults)
    expect((await sandbox.run('webhook fault')).stdout).toBe('No webhook fault is injected.\n')
    const all = '--duplicate .5 --drop 0.1 --bad-signature 1 --stale 0.25 --delay 1s..5s --reorder 3 --seed 7'
    const set = {
      ...noWebhookFaults,
      ...{ duplicate: 0.5, drop: 0.1, badSignature: 1, stale: 0.25 },
      ...{ delayMs: [1000, 5000], reorder: 3, seed: 7 },
    }
    expect(await sandbox.json(['webhook', 'fault', ...all.split(' ')])).toEqual(set)
    const { stdout } = await sandbox.run('webhook fault')
    for (const pattern of [/bad-signature +1/, /delay +1s\.\.5s/, /reorder +3/, /seed +7/])
      expect(stdout).toMatch(pattern)
    const again = await startSandboxCommand([], leftByKill(sandbox))
    expect(await again.json('webhook fault')).toEqual(set)
    const other = await again.json('webhook fault --delay 2s')
    expect(other).toEqual({ ...set, delayMs: [2000, 2000] })
    const off = { ...set, drop: 0, delayMs: null }
    expect(await again.json('webhook fault --drop 0 --delay 0')).toEqual(off)
    await again.json('webhook fault --delay 2')
    const { faults } = await again.json('sandbox fault')
    expect(faults.map(({ kind }: { kind: string }) => kind)).toContain('delay=2000')
    expect(await again.json('webhook fault --clear')).toEqual(noWebhookFaults)
  })

  test('without a notify URL the answer says that faults hit tillbox listen', async () => {
    const note = 'faults hit tillbox listen'
    const [plain, notifying] = [
      await startSandboxCommand(),
      await startSandboxCommand('--notify-url http://127.0.0.1:9/'),
    ]
    expect((await plain.run('webhook fault --drop 1')).stdout).toContain(note)
    expect((await plain.run('webhook fault')).stdout).toContain(note)
    expect((await notifying.run('webhook fault --drop 1')).stdout).not.toContain(note)
  })
})
