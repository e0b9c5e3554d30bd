import { describe, expect, test } from 'vitest'
import { runCommand } from '../support/commands/command.ts'
import { fails } from '../support/commands/launched.ts'

const docs = async (...words: string[]) => (await runCommand(['docs', ...words])).stdout

describe('tillbox docs', () => {
  test('lists every page, and prints one by its address or name', async () => {
    const list = await docs()
    expect(list).toMatch(/^# tillbox\n/)
    expect(list).toContain('[Agents](/docs/guides/agents)')
    const guide = await docs('webhooks')
    expect(guide).toMatch(/^# .+\n/)
    for (const name of ['/docs/guides/webhooks', 'docs/guides/webhooks']) expect(await docs(name)).toBe(guide)
    expect(await docs('refund')).toContain('`originalTransactionId`')
    const part = await docs('/docs/guides/webhooks#order')
    expect(part).toMatch(/^## Order\n/)
    expect(guide).toContain(part.trim())
  })

  test('finds passages: the best in full, the others by their address', async () => {
    const found = await docs('partial', 'refund')
    expect(found).toMatch(/^\/docs\/\S+\n#+ .+\n[\s\S]+\nAlso\n/)
    const { stdout } = await runCommand('docs refund late --json')
    expect(JSON.parse(stdout).passages[0]).toEqual({
      path: expect.stringMatching(/^\/docs\//),
      title: expect.any(String),
      where: expect.any(String),
    })
    await fails(runCommand('docs zzzz'), 1, 'No passage has all of these words', 'tillbox docs')
  })
})
