import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../../../support/commands/command.ts'
import { folderWith, scratchFolder } from '../../../support/commands/scratch.ts'
import { freePort } from '../../../support/network/ports.ts'

/** A folder with a server that starts once and never again, and a scenario with these steps. */
function brittle(...steps: readonly string[]): string {
  const folder = scratchFolder()
  writeFileSync(
    join(folder, 'server.mjs'),
    `import { createServer } from 'node:http'
    import { existsSync, writeFileSync } from 'node:fs'
    const started = process.env.TILLBOX_RUN_FOLDER + '/started'
    if (existsSync(started)) throw new Error('the database is locked')
    writeFileSync(started, '')
    createServer((_, response) => response.end('[]')).listen(Number(process.env.PORT), '127.0.0.1')`,
  )
  writeFileSync(
    join(folder, 'drive.yaml'),
    `server:
  start: exec node server.mjs
  orders: { request: GET /orders, paid: { status: paid } }
steps:
${steps.map((step) => `  - ${step}\n`).join('')}teardown:
  - command: touch torn-down
`,
  )
  return folder
}

const sell = 'sale: { amount: 10.00 USD }'

test.each([
  [['server crash:', 'server request: GET /orders']],
  [['server crash: { on: sale }', sell, 'wait until: { webhooks: delivered }']],
  [[sell, 'server crash: { on: batch close }', 'batch close:']], // which opens no transaction
])('a server that does not come up again fails the scenario with what it printed: %j', async (steps) => {
  const { code, stdout } = await runCommand(`test ${join(brittle(...steps), 'drive.yaml')}`)
  expect(stdout).toContain('the database is locked')
  expect(code).toBe(1)
})

test('a command that cannot be run is no failure of a drive, and teardown comes after a broken law', async () => {
  const folder = brittle('command: exit 3', sell, 'server request: GET /orders')
  const { code, stdout } = await runCommand(`test ${join(folder, 'drive.yaml')}`)
  expect(stdout).toContain('approved-known')
  expect(code).toBe(1)
  expect(existsSync(join(folder, 'torn-down'))).toBe(true)
})

test('requests that come together, held webhooks with one of them, and a forgery without a signature', async () => {
  const folder = folderWith({
    'server.mjs': `import { createServer } from 'node:http'
    const seen = []
    createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString()
      if (request.url === '/seen') return response.end(JSON.stringify({ seen: seen.sort().join() }))
      seen.push(request.url + (request.headers['x-signature'] ? ' signed' : ' ' + body.slice(0, 1)))
      await new Promise((resolve) => setTimeout(resolve, 100))
      response.end('{}')
    }).listen(Number(process.env.PORT), '127.0.0.1')`,
    'drive.yaml': `server: { start: exec node server.mjs, url: "http://127.0.0.1:PORT" }
steps:
  - server request: { to: POST /one, body: 1, together: [{ to: POST /two, body: 2 }] }
  - webhook hold:
  - sale: { amount: 10.00 USD, notifyUrl: "http://127.0.0.1:PORT/webhook" }
  - server request: GET /seen
    expect: { answer: { seen: "/one 1,/two 2" } }
  - server request: { to: POST /three, together: webhooks }
  - webhook forge: { signature: none }
  - server request: GET /seen
    expect: { answer: { seen: "/one 1,/three ,/two 2,/webhook signed,/webhook {" } }
`.replaceAll('PORT', String(await freePort())),
  })
  const { code, stdout } = await runCommand(`test ${join(folder, 'drive.yaml')} --json`)
  expect(code, stdout).toBe(0)
})

test.each([
  ['terminal queue: insufficient-funds', 'No terminal is named, and no step before had one: add terminal:'],
  ['terminal queue: { terminal: TBX-AUTO-001, outcome: no-money }', 'C17 There is no outcome no-money'],
  ['terminal offline: NO-SUCH-TERMINAL', 'SBX_UNREGISTERED'],
  ['terminal cancel: { terminal: TBX-ATTENDED-001 }', 'It sent no request to the sandbox: nothing is judged'],
])('in a drive the step %s is an error only if no world makes it possible', async (step, message) => {
  const folder = brittle(step, 'server request: GET /orders')
  const { code, stdout } = await runCommand(`test ${join(folder, 'drive.yaml')}`)
  expect(code, stdout).toBe(1)
  expect(stdout).toContain(message)
})

test('a request that breaks off while another one goes on is an outcome of the step', async () => {
  const folder = folderWith({
    'server.mjs': `import { createServer } from 'node:http'
    createServer((request, response) => {
      if (request.url === '/cut') return request.destroy()
      setTimeout(() => response.end('[]'), 200)
    }).listen(Number(process.env.PORT), '127.0.0.1')`,
    'drive.yaml': `server: { start: exec node server.mjs }
steps:
  - server request: { to: POST /cut, together: [{ to: POST /slow }] }
`,
  })
  const { code, stdout } = await runCommand(`test ${join(folder, 'drive.yaml')}`)
  expect(code, stdout).toBe(0)
})
