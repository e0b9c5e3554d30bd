import { describe, expect, test } from 'vitest'
import { runCommand } from '../../support/commands/command.ts'
import { fails } from '../../support/commands/launched.ts'
import { startSandboxCommand } from '../../support/commands/running-sandbox.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

const sale = 'sale --amount 10.00'

describe('webhook hold and release', () => {
  test('webhooks are held, listed, released by name and all at once', async () => {
    const receiver = await openReceiver()
    const { run, json } = await startSandboxCommand(`--notify-url ${receiver.url}`)
    expect((await run('webhook hold')).stdout).toBe(
      'Webhooks are held back. tillbox webhook release sends them.\n',
    )
    await json(`${sale} --wait-webhooks`)
    expect((await run(`${sale} --wait-webhooks`)).stderr).toContain('held back (1)')
    expect((await run('webhook hold')).stdout).toContain('2 deliveries are held.')
    expect((await run('webhook list')).stdout.match(/ held /g)).toHaveLength(2)
    expect((await run('webhook wait --delivered')).stdout).toContain('held back (2)')
    const { deliveries } = await json('webhook list')
    const [first, second] = deliveries.map(({ id }: { id: string }) => id)
    expect((await run(`webhook show ${first}`)).stdout).toContain('held: tillbox webhook release sends it')
    const released = await run(`webhook release ${second}`)
    expect(released).toMatchObject({ code: 0, stdout: expect.stringContaining('1 delivery is still held.') })
    expect(receiver.arrivals.map(({ id }) => id)).toEqual([second])
    receiver.answer(500)
    expect((await run(`webhook release ${first}`)).code).toBe(4)
    receiver.answer(200)
    const ended = await run('webhook release --wait-webhooks --wait-webhooks-timeout 1ms')
    expect(ended).toMatchObject({ code: 5, stdout: 'Webhooks are sent as usual.\n' })
  })

  test('an id that is not held is refused by the name of the argument', async () => {
    const { run } = await startSandboxCommand()
    await fails(run('webhook release x'), 2, 'names x, but webhooks are not held')
  })

  test('more ids than one release takes are wrong usage', async () => {
    const ids = Array.from({ length: 101 }, (_, each) => String(each))
    await fails(runCommand(['webhook', 'release', ...ids]), 2, '101 webhooks are named')
  })
})
