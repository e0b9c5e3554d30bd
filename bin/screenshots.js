#!/usr/bin/env node
// Makes the pictures of README.md: starts a sandbox on a free port, takes some payments, and photographs its pages.
// Needs a Chromium on the PATH, or its path in CHROMIUM.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const root = fileURLToPath(new URL('..', import.meta.url))
const binary = join(root, 'bin/run.js')
const images = join(root, 'docs/images')
const state = mkdtempSync(join(tmpdir(), 'tillbox-screenshots-'))
const env = { PATH: process.env.PATH, HOME: state, TILLBOX_STATE: state, TZ: 'UTC' }

mkdirSync(images, { recursive: true })
const sandbox = spawn(process.execPath, [binary, 'sandbox', 'start', '--port', '0', '--json'], {
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const [ready] = await once(createInterface(sandbox.stdout), 'line')
  const { url } = JSON.parse(ready)
  takePayments()
  await photograph(url)
} finally {
  sandbox.kill('SIGTERM')
  await once(sandbox, 'exit')
  rmSync(state, { recursive: true, force: true })
}

/** A day at a counter: the dashboard shows it. Ends with a payment that waits for its card. */
function takePayments() {
  tillbox('sandbox clock --set 2026-11-20T07:40:00Z')
  tillbox('sandbox clock --freeze')
  const sales = [1250, 480, 2399, 1800, 9734, 3650, 720, 5400, 9823, 1599, 2875, 640, 4120]
  const ids = sales.map((amount) => {
    tillbox('sandbox clock --advance 47m')
    return idOf(tillbox(`sale --amount ${amount} --reference-order-id ORDER-${1000 + amount}`, [0, 4]))
  })
  tillbox(`refund ${ids[2]} --amount 8.00`)
  tillbox(`refund ${ids[5]} --amount 36.50`)
  tillbox(`void ${ids[6]}`)
  tillbox(`tip-adjust ${ids[7]} --tip-amount 8.10`)
  tillbox('sandbox clock --advance 25m')
  const auth = idOf(tillbox('auth --amount 120.00'))
  tillbox('sandbox clock --advance 31m')
  tillbox(`post-auth ${auth} --amount 104.50 --no-push-to-terminal`)
  tillbox('checkout sale --amount 59.00 --payment-method APPLE_PAY')
  tillbox('sandbox clock --advance 12m')
  tillbox(
    'sale --amount 18.00 --terminal TBX-ATTENDED-001 --no-wait --reference-order-id TABLE-7 --description Lunch --tip-config {"onScreenTip":true}',
  )
}

/** Runs a command and returns what it printed. Errors: an exit code that is not expected. */
function tillbox(typed, expected = [0]) {
  try {
    return execFileSync(process.execPath, [binary, ...typed.split(' '), '--json'], { env, encoding: 'utf8' })
  } catch (error) {
    if (expected.includes(error.status)) return error.stdout
    throw error
  }
}

function idOf(output) {
  return JSON.parse(output).transactionId
}

async function photograph(url) {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
  const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0, env })
  try {
    const page = await browser.newPage({ colorScheme: 'light', deviceScaleFactor: 1, bypassCSP: true })
    await page.setViewportSize({ width: 1320, height: 960 })
    await page.goto(`${url}/?span=day`)
    await page.waitForTimeout(500)
    await page.screenshot({ path: join(images, 'dashboard.png') })
    await page.setViewportSize({ width: 780, height: 720 })
    await page.goto(`${url}/terminal/TBX-ATTENDED-001`)
    await page.waitForTimeout(500)
    // Without the gradient of the background the file is half as large.
    await page.addStyleTag({ content: '.shop { background-image: none !important }' })
    await page.screenshot({ path: join(images, 'terminal.png') })
  } finally {
    await browser.close()
  }
}
