import { execFileSync, spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { exportLines } from '../../../src/cli/sandbox/export-lines.ts'
import { runCommand } from '../../support/commands/command.ts'
import { fails } from '../../support/commands/launched.ts'
import { startSandboxCommand } from '../../support/commands/running-sandbox.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'

test('sandbox env prints what exec sets, token included, and a shell reads it', async () => {
  const sandbox = await startSandboxCommand('--token own-token-0123456789')
  expect(await sandbox.json('sandbox env')).toMatchObject({
    TILLBOX_BASE_URL: sandbox.url,
    TILLBOX_API_KEY: sandbox.apiKey,
    TILLBOX_APP_ID: sandbox.appId,
    TILLBOX_MERCHANT_ID: sandbox.merchantId,
    TILLBOX_TERMINAL_SN: 'TBX-AUTO-001',
    TILLBOX_WEBHOOK_SECRET: expect.stringMatching(/^whsec_/),
    TILLBOX_TOKEN: 'own-token-0123456789',
    TILLBOX_STATE: expect.stringMatching(/^\//),
  })
  const { stdout } = await sandbox.run('sandbox env')
  const show = 'eval "$1" && printf %s "$TILLBOX_BASE_URL $TILLBOX_TOKEN"'
  const shown = execFileSync('sh', ['-c', show, 'sh', stdout], { encoding: 'utf8' })
  expect(shown).toBe(`${sandbox.url} own-token-0123456789`)
})

test('sandbox env --merchant gives the key of another merchant, and an error names that command', async () => {
  const sandbox = await startSandboxCommand()
  const added = await sandbox.json('merchant add M3000000001')
  const asOther = 'sale --amount 10.00 --merchant-id M3000000001'
  await sandbox.fails(asOther, 1, 'tillbox sandbox env --merchant M3000000001')
  const variables = await sandbox.json('sandbox env --merchant M3000000001')
  expect(variables).toMatchObject({
    TILLBOX_API_KEY: added.apiKey,
    TILLBOX_APP_ID: added.appId,
    TILLBOX_MERCHANT_ID: 'M3000000001',
    TILLBOX_WEBHOOK_SECRET: added.webhookSecret,
  })
  expect((await sandbox.run('sale --amount 10.00', variables)).code).toBe(0)
  await sandbox.fails('sandbox env --merchant M9', 1, 'M9')
})

test('where it fails, a shell that evaluates its output does, too', async () => {
  const cwd = scratchFolder()
  const { code, stdout } = await runCommand('sandbox env --state .tillbox', { cwd })
  expect([code, spawnSync('sh', ['-c', 'eval "$1"', 'sh', stdout]).status]).toEqual([3, 1])
  await fails(runCommand('sandbox env --state .tillbox --json', { cwd }), 3, 'No sandbox runs')
})

test('a value cannot end its quotes', () => {
  const hostile = "a'; touch /tmp/x; echo '$(id) `id` \\"
  const lines = exportLines({ NAME: hostile })
  const shown = execFileSync('sh', ['-c', `${lines}printf %s "$NAME"`], { encoding: 'utf8' })
  expect(shown).toBe(hostile)
})

test.each(['\n', '\u001b[2J', '\u202e'])('a control character is refused: %j', (text) => {
  expect(() => exportLines({ NAME: `a${text}b` })).toThrow('NAME has a control character')
})
