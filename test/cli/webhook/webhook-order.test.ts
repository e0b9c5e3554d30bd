import { describe, expect, test } from 'vitest'
import { runCommand, startCommand } from '../../support/commands/command.ts'
import { listening } from '../../support/commands/listening.ts'
import { startSandboxCommand } from '../../support/commands/running-sandbox.ts'
import { openHolding } from '../../support/webhooks/holding-receiver.ts'

const sale = 'sale --amount 10.00'

describe('webhook order', () => {
  test('webhook order is shown and set, survives a restart, and yields to a flag of the start', async () => {
    const sandbox = await startSandboxCommand()
    const { cwd, port } = sandbox
    const shown = async () => (await runCommand('webhook order', { cwd })).stdout
    expect(await shown()).toBe(
      'relaxed  To each URL one after another; later ones go on while a failed one is retried.\n',
    )
    const set = 'webhook order concurrent --concurrency 3'
    expect(await sandbox.json(set)).toMatchObject({ order: 'concurrent', concurrency: 3 })
    expect(await shown()).toBe('concurrent  To each URL at most 3 at the same time, in any order.\n')
    await sandbox.stop('SIGTERM')
    const start = `sandbox start --port ${port} --json`
    const again = startCommand(start, { cwd })
    await again.until(/"url"/)
    expect(await shown()).toContain('at most 3 at the same time')
    await again.stop('SIGTERM')
    const strict = startCommand(`${start} --set webhookOrder=strict`, { cwd })
    await strict.until(/"url"/)
    expect(await shown()).toContain('wait until a failed one is delivered or given up')
    await strict.stop('SIGTERM')
  })
})

describe('tillbox listen', () => {
  test.each([
    [[], 1],
    [['--set', 'webhookOrder=concurrent', '--set', 'webhookConcurrency=3'], 3],
  ])('with %j has %d attempts under way at once, and never more', async (flags, atOnce) => {
    const target = await openHolding()
    const sandbox = await startSandboxCommand(flags)
    const listener = await listening(sandbox, target.url, '--events', 'payment')
    for (let each = 0; each < 7; each++) await sandbox.json(sale)
    await target.got(atOnce)
    target.release()
    await target.got(atOnce + 1)
    target.releaseAll()
    await target.got(7)
    expect(await sandbox.json('webhook wait --delivered')).toMatchObject({ reached: true })
    expect(target.mostOpen()).toBe(atOnce)
    expect(new Set(target.arrivals.map(({ id }) => id)).size).toBe(7)
    await listener.stop('SIGINT')
  })
})
