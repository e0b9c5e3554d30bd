#!/usr/bin/env node
// Makes the pictures of README.md. With --all also one of every page and state, in both themes and four
// sizes, in coverage/screenshots; with names, of these only. Needs a Chromium on the PATH, or its path in CHROMIUM.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { createSandbox } from '../dist/index.js'
import { checkoutStates, dayAtShop, terminalScreens, unusualState } from './screenshots/day.js'
import { busyShots, emptyShots, shotsOf } from './screenshots/shots.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const sizes = { desk: [1440, 900], laptop: [1280, 800], tablet: [820, 1180], phone: [390, 844] }
const { values: flags, positionals: names } = parseArgs({
  options: { all: { type: 'boolean', default: false } },
  allowPositionals: true,
})

process.env.TZ = 'UTC'
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? chromiumOnPath(),
  chromiumSandbox: process.getuid?.() !== 0,
})
try {
  if (flags.all || names.length > 0) await photographAll()
  else await photographForDocuments()
} finally {
  await browser.close()
}

function chromiumOnPath() {
  const which = 'command -v chromium || command -v chromium-headless-shell || command -v google-chrome'
  return execFileSync('sh', ['-c', which], { encoding: 'utf8' }).trim()
}

async function photographForDocuments() {
  const images = join(root, 'docs/images')
  mkdirSync(images, { recursive: true })
  await withSandbox({}, async (sandbox) => {
    const { waiting } = await dayAtShop(sandbox)
    if (waiting === undefined) throw new Error('no payment waits for its card')
    const page = await browser.newPage({ colorScheme: 'light', bypassCSP: true })
    await page.setViewportSize({ width: 1320, height: 960 })
    await shoot(page, `${sandbox.url}/?since=24h`, join(images, 'dashboard.png'))
    await page.setViewportSize({ width: 780, height: 720 })
    // Without the gradient of the background the file is half as large.
    const plain = () => page.addStyleTag({ content: '.shop { background-image: none !important }' })
    await shoot(page, `${sandbox.url}/terminal/TBX-ATTENDED-001`, join(images, 'terminal.png'), plain)
  })
}

async function photographAll() {
  const folder = join(root, 'coverage/screenshots')
  mkdirSync(folder, { recursive: true })
  const receiver = await openReceiver()
  const origin = `http://127.0.0.1:${receiver.address().port}`
  const notifyUrl = `${origin}/webhooks`
  await withSandbox({ notifyUrl, retries: 'fast' }, async (sandbox) => {
    const day = await dayAtShop(sandbox)
    const terminals = await terminalScreens(sandbox)
    const checkouts = await checkoutStates(sandbox)
    const tried = (await sandbox.webhooks.list()).findLast(
      ({ attempts, last }) => attempts > 1 && last === 200,
    )
    const [refused] = await sandbox.requests.refused()
    await photograph(
      folder,
      sandbox,
      shotsOf({ day, terminals, checkouts, webhook: tried?.id, refused: refused?.traceId }),
    )
  })
  await withSandbox({}, (sandbox) => photograph(folder, sandbox, emptyShots))
  const gone = await openReceiver()
  const urls = [
    notifyUrl,
    `${origin}/flaky/api/v2/payments/notifications/tillbox`,
    `${origin}/gone/hooks`,
    `http://127.0.0.1:${gone.address().port}/webhooks`,
  ]
  gone.close()
  await withSandbox({ notifyUrl }, async (sandbox) => {
    const { raised } = await unusualState(sandbox, urls)
    await photograph(folder, sandbox, busyShots(raised))
  })
  receiver.close()
}

async function photograph(folder, { url }, shots) {
  const chosen = shots.filter(([name]) => names.length === 0 || names.includes(name))
  for (const colorScheme of ['light', 'dark'])
    for (const [size, [width, height]] of Object.entries(sizes)) {
      const page = await browser.newPage({
        colorScheme,
        viewport: { width, height },
        reducedMotion: 'reduce',
      })
      for (const [name, at, act] of chosen)
        await shoot(page, new URL(at, url).href, join(folder, `${name}-${size}-${colorScheme}.png`), act)
      await page.close()
    }
}

/** A picture of the page as it is after the act, once nothing moves any more. */
async function shoot(page, url, path, act = async () => undefined) {
  await page.goto(url)
  await page.waitForTimeout(200)
  await act(page)
  await page.waitForTimeout(200)
  await page.screenshot({ path })
}

async function withSandbox(options, use) {
  const sandbox = await createSandbox({ ...options, clock: 'frozen' })
  try {
    await use(sandbox)
  } finally {
    await sandbox.close()
  }
}

/** A merchant's server: it refuses every fourth attempt, below /flaky each with 500 or 204, below /gone with 404. */
async function openReceiver() {
  let attempts = 0
  const server = createServer((request, response) => {
    attempts += 1
    const [, path] = request.url.split('/')
    const usual = attempts % 4 === 2 ? 503 : 200
    response.writeHead({ flaky: attempts % 2 ? 500 : 204, gone: 404 }[path] ?? usual).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}
