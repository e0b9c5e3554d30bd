import { describe, expect, test } from 'vitest'
import { openPty } from '../../support/commands/pty.ts'
import { startSandboxCommand } from '../../support/commands/running-sandbox.ts'

describe.skipIf(process.platform !== 'linux')('commands in a window that is closed', () => {
  test.each<[string, string[], RegExp]>([
    ['terminal attend', ['terminal', 'attend', 'TBX-ATTENDED-001'], /Ready/],
    ['the prompt of sandbox reset', ['sandbox', 'reset'], /Forget 0 transactions/],
    ['the prompt of batch close', ['batch', 'close'], /Close and settle/],
  ])('a closed window ends %s with 129', async (_, command, ready) => {
    const sandbox = await startSandboxCommand()
    const window = openPty(command, sandbox)
    await expect.poll(window.written).toMatch(ready)
    expect(await window.close()).toBe(129)
  })
})
