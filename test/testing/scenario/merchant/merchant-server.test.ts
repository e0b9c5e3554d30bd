import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { MerchantServer } from '../../../../src/testing/scenario/merchant/merchant-server.ts'
import { listOrders, readOrders } from '../../../../src/testing/scenario/merchant/orders.ts'
import { fileWith, scratchFolder } from '../../../support/commands/scratch.ts'

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

test('a server gets the variables of its sandbox, and none that lead it to another one', async () => {
  const file = join(scratchFolder(), 'server.mjs')
  writeFileSync(
    file,
    `import { createServer } from 'node:http'
    createServer((_, answer) => answer.end(JSON.stringify(process.env))).listen(process.env.PORT, '127.0.0.1')`,
  )
  vi.stubEnv('TILLBOX_PROFILE', 'live')
  vi.stubEnv('TILLBOX_BASE_URL', 'http://127.0.0.1:9')
  vi.stubEnv('OWN', 'kept')
  onTestFinished(() => void vi.unstubAllEnvs())
  const variables = { TILLBOX_BASE_URL: 'http://127.0.0.1:1' }
  const server = await MerchantServer.open({ start: `exec node ${file}` }, variables, file)
  onTestFinished(() => server.close())
  const env = await server.send({ line: 'GET /' })
  expect(env).toMatchObject({ ...variables, OWN: 'kept' })
  expect(env.TILLBOX_PROFILE).toBeUndefined()
})

test('a server gets a port that is free, and that nobody is given who asks for any, while it starts or after a crash', async () => {
  const file = fileWith(
    'server.mjs',
    `import { createServer } from 'node:http'
    createServer((_, answer) => answer.end('{}')).listen(process.env.PORT, '127.0.0.1')`,
  )
  const open = async () => {
    const server = await MerchantServer.open({ start: `exec node ${file}` }, {}, file)
    onTestFinished(() => server.close())
    return Number(new URL(server.url).port)
  }
  const [first, ...others] = await Promise.all([open(), open(), open()])
  const last = Math.max(first, ...others)
  expect(new Set([first, ...others]).size).toBe(3)
  const taken = createServer().listen(last + 1, '127.0.0.1')
  onTestFinished(() => void taken.close())
  await once(taken, 'listening').catch(() => undefined) // somebody else has it already
  const next = await open()
  expect(next).not.toBe(last + 1)
  expect(next).toBeLessThan(32_768) // where Linux begins to give ports; other systems begin later
})

test('a folder that does not exist is named', async () => {
  const file = join(scratchFolder(), 'drive.yaml')
  const opened = MerchantServer.open({ start: 'true', folder: 'shop' }, {}, file)
  await expect(opened).rejects.toThrow(/^true cannot run: there is no folder .*shop$/)
})

test('where orders are not listed, the error names the address, the status and the answer', async () => {
  const file = join(scratchFolder(), 'server.mjs')
  writeFileSync(
    file,
    `import { createServer } from 'node:http'
    createServer((_, answer) => answer.writeHead(404).end('{"error":"no such page"}')).listen(process.env.PORT, '127.0.0.1')`,
  )
  const server = await MerchantServer.open({ start: `exec node ${file}` }, {}, file)
  onTestFinished(() => server.close())
  for (const list of [undefined, 'data'])
    await expect(
      listOrders(server, { request: 'GET /orders', paid: {}, ...(list && { list }) }),
    ).rejects.toThrow(
      `GET /orders of ${server.url} does not list orders${list ? ' in data' : ''}: 404 {"error":"no such page"} is no list`,
    )
})

test('what a command prints is read as a whole, also where a character comes in two pieces', async () => {
  const file = fileWith(
    'print.mjs',
    `const text = Buffer.from('[{"id":"é"}]')
    process.stdout.write(text.subarray(0, 9), () => setTimeout(() => process.stdout.write(text.subarray(9)), 50))`,
  )
  const server = await MerchantServer.open({ url: 'http://127.0.0.1:9' }, {}, file)
  onTestFinished(() => server.close())
  const section = { command: `node ${file}`, paid: { status: 'paid' } }
  expect(readOrders(await listOrders(server, section), section)).toMatchObject([{ id: 'é' }])
})

test('parcels that cannot be counted are named, not taken for none', async () => {
  const file = fileWith(
    'server.mjs',
    `import { createServer } from 'node:http'
    const orders = [{ id: 'A-1', amount: 1, parcels: ['P-1', 'P-2'], sent: 2 }]
    createServer((_, answer) => answer.end(JSON.stringify(orders))).listen(process.env.PORT, '127.0.0.1')`,
  )
  const server = await MerchantServer.open({ start: `exec node ${file}` }, {}, file)
  onTestFinished(() => server.close())
  const section = { request: 'GET /orders', paid: { status: 'paid' } }
  const fetched = async (parcels: string) =>
    readOrders(await listOrders(server, section), { ...section, parcels })
  await expect(fetched('parcels')).rejects.toThrow(
    'parcels of an order is ["P-1","P-2"], which is no whole number',
  )
  expect(await fetched('sent')).toMatchObject([{ parcels: 2 }])
  expect(await fetched('none')).toMatchObject([{ parcels: 0 }])
  const listed = [{ id: 'A-1', amount: '1245.00', currency: 'jpy' }]
  expect(readOrders(listed, section)).toMatchObject([{ amount: 1245, currency: 'JPY' }])
})

test('after a crash a server is started once the port is free, and answers itself', async () => {
  const file = fileWith('server.mjs', withWorker)
  const server = await MerchantServer.open({ start: `exec node ${file}` }, {}, file)
  onTestFinished(() => server.close())
  const before = await server.send({ line: 'GET /' })
  await server.crash()
  expect((await server.send({ line: 'GET /' })).parent).not.toBe(before.parent)
})

test('a server that is closed is not started again by a crash that was due', async () => {
  const folder = scratchFolder()
  const start = `echo started >> starts; exec node -e "require('node:http').createServer().listen(process.env.PORT, '127.0.0.1')"`
  const server = await MerchantServer.open({ start }, {}, join(folder, 'drive.yaml'))
  await server.close()
  await expect(server.crash()).rejects.toThrow('the server was closed')
  await expect(server.run('echo started >> starts')).rejects.toThrow('the server was closed')
  expect(readFileSync(join(folder, 'starts'), 'utf8')).toBe('started\n')
})

test('a start that is stopped is waited for no longer, and nothing of it stays', async () => {
  const folder = scratchFolder()
  const stop = new AbortController()
  const start = 'echo $TILLBOX_RUN_FOLDER > folder; exec sleep 600'
  const opening = MerchantServer.open({ start }, {}, join(folder, 'drive.yaml'), stop.signal)
  const file = join(folder, 'folder')
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toContain('tillbox-server-')
  stop.abort()
  await expect(opening).rejects.toThrow('does not listen')
  expect(existsSync(readFileSync(file, 'utf8').trim())).toBe(false)
})
