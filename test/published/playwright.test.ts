import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { findChromium, noChromium, requiresBrowser } from '../support/browser/chromium.ts'
import { runCommand } from '../support/commands/command.ts'
import { folderWith, scratchFolder } from '../support/commands/scratch.ts'
import { projectRoot, readProjectFile } from '../support/project.ts'
import { openTestSandbox } from '../support/service/test-sandbox.ts'
import { openReceiver } from '../support/webhooks/webhook-receiver.ts'

const chromium = findChromium()
if (chromium === undefined) process.stderr.write(`${noChromium}\n`)

const needsChromium = test.skipIf(chromium === undefined && !requiresBrowser())

/** The output of Playwright, whether its tests passed or not. */
async function playwright(cwd: string, ...args: string[]): Promise<string> {
  const home = scratchFolder()
  const cli = join(projectRoot, 'node_modules/@playwright/test/cli.js')
  const line = [cli, 'test', ...args, '--output', join(home, 'results')]
  const env = { PATH: process.env.PATH ?? '', HOME: home, CHROMIUM: chromium ?? noChromium }
  const ended = promisify(execFile)(process.execPath, line, { cwd, env })
  return (await ended.catch((error: { stdout: string }) => error)).stdout
}

needsChromium('the example suite passes', async () => {
  expect(await playwright(projectRoot, '--config', 'examples/playwright')).toMatch(/^ +4 passed/m)
})

needsChromium('pay with a card that is declined fails with what the page says', async () => {
  const act = "await page.goto(checkoutUrl)\n  await checkoutPage.pay('visa-declined')"
  const session = "await sandbox.client.createSession({ amount: 1000, priceCurrency: 'USD' })"
  const cwd = folderWith({
    'playwright.config.js': readProjectFile('examples/playwright/playwright.config.js')
      .replace(/^import.*/, '')
      .replace('defineConfig', ''),
    'package.json': '{ "type": "module" }',
    'a.spec.js': `import { test } from 'tillbox/playwright'\ntest('a', async ({ page, sandbox, checkoutPage }) => {\n  const { checkoutUrl } = ${session}\n  ${act}\n})\n`,
  })
  mkdirSync(join(cwd, 'node_modules'))
  symlinkSync(projectRoot, join(cwd, 'node_modules/tillbox'), 'junction')
  const said = await playwright(cwd)
  expect(said).toContain('Expected: "Payment received"')
  expect(said).toContain('Received: "Declined: Do not honor"')
})

test('its commands end as it expects, in its order', async () => {
  const { url } = await openReceiver()
  const sandbox = await openTestSandbox({ notifyUrl: url })
  const { sessionId } = await sandbox.client.createSession({ amount: 1000, priceCurrency: 'USD' })
  await sandbox.snapshot('open')
  const found = readProjectFile('docs/playwright.md').matchAll(/cy\.exec\(['`]npx tillbox (.*?)['`]/g)
  const ended: (readonly [string, number | null])[] = []
  for (const [, command = ''] of found) {
    const line = command.replace(/\$\{sessionId\}/, sessionId)
    const { code } = await runCommand(line, { env: sandbox.env })
    ended.push([line.replace(sessionId, ''), code])
    if (line.startsWith('sandbox reset')) await sandbox.restore('open') // your shop opens a session then
  }
  expect(ended).toEqual([
    ['sandbox reset --everything --yes', 0],
    ['checkout pay  --card visa-declined', 5], // another card may pay it,
    ['checkout pay  --card visa-contactless --wait-webhooks', 0],
    ['webhook wait --status approved --timeout 5s', 0],
    ['sandbox fault outcome=late-approval', 0],
    ['sandbox clock --advance 60s', 0],
  ])
})
