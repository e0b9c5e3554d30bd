import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

/** Asks again and again, for up to ten seconds, until an answer has that. */
async function until(look, isRight) {
  for (let tries = 0; tries < 200; tries++) {
    const found = await look().catch(() => undefined)
    if (found !== undefined && isRight(found)) return found
    await setTimeout(50)
  }
  throw new Error('It did not happen')
}

test('an order is paid', async (context) => {
  const port = await freePort()
  const shop = spawn(process.execPath, [fileURLToPath(new URL('shop.js', import.meta.url))], {
    env: { ...process.env, PORT: String(port) },
  })
  context.after(() => shop.kill())
  const url = `http://127.0.0.1:${port}/orders`
  const list = async () => (await fetch(url)).json()
  await until(list, () => true)
  await fetch(url, { method: 'POST', body: '{"amount":"12.50"}' })
  const [{ status }] = await until(list, ([order]) => order.status !== 'pending')
  assert.equal(status, 'paid')
})
