import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { MerchantServer } from '../../../src/scenario/merchant/merchant-server.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'

/** A server whose worker listens, and ends half a second after the process that started it. */
const withWorker = `
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'

const { PORT, PARENT } = process.env
if (PARENT === undefined) {
  const env = { ...process.env, PARENT: String(process.pid) }
  spawn(process.execPath, process.argv.slice(1), { env, detached: true, stdio: 'ignore' })
  setInterval(() => undefined, 60_000)
} else {
  createServer((_, response) => response.end(JSON.stringify({ parent: PARENT }))).listen(Number(PORT), '127.0.0.1')
  setInterval(() => process.ppid === Number(PARENT) || process.exit(), 500)
}
`

test('after a crash a server is started once the port is free, and answers itself', async () => {
  const file = join(scratchFolder(), 'server.mjs')
  writeFileSync(file, withWorker)
  const server = await MerchantServer.open({ start: `exec node ${file}` }, {}, file)
  onTestFinished(() => server.close())
  const before = await server.send({ line: 'GET /' })
  await server.crash()
  expect((await server.send({ line: 'GET /' })).parent).not.toBe(before.parent)
})
