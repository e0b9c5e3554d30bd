import { once } from 'node:events'
import { expect } from 'vitest'
import { runCommand } from '../support/commands/command.ts'
import { fails } from '../support/commands/launched.ts'
import {
  keepAlive,
  type LaunchedSandbox,
  leftByKill,
  type SandboxAnswer,
  spawnSandbox,
  startSandboxCommand,
  test,
} from '../support/commands/running-sandbox.ts'
import { scratchFolder } from '../support/commands/scratch.ts'
import { newId } from '../support/service/new-id.ts'
import { answersIn, goodHeaders, openSocket, requestText } from '../support/service/raw.ts'
import { salePath } from '../support/service/requests.ts'
import { sale } from '../support/service/service.ts'

const saleOf = (transactionRequestId: string) => sale(1000, { transactionRequestId })

/** What became of the sales of a load. */
interface SaleLoad {
  /** transactionId by transactionRequestId of every sale that was accepted. */
  readonly accepted: Map<string, string>
  /** Every other answer, by transactionRequestId. */
  readonly refused: Map<string, SandboxAnswer>
  /** Sales whose connection was cut before an answer. */
  readonly cut: Set<string>
  /** Lets running requests finish and sends no more. */
  stop(): void
  /** Resolves when no request is on its way any more. */
  readonly done: Promise<void>
}

/** Each connection sends one sale after the other until `stop`, a cut connection, or `most` sales in all. */
function loadSales(sandbox: LaunchedSandbox, connections: number, most = Number.POSITIVE_INFINITY): SaleLoad {
  const agent = keepAlive(connections)
  const [accepted, refused] = [new Map<string, string>(), new Map<string, SandboxAnswer>()]
  const cut = new Set<string>()
  let [stopped, sent] = [false, 0]
  const connection = async () => {
    while (!stopped && sent++ < most) {
      const id = newId()
      const answer = await sandbox
        .send('POST', salePath, { body: saleOf(id), agent })
        .catch((error: NodeJS.ErrnoException) => error)
      if (answer instanceof Error) {
        cut.add(id)
        return
      }
      if (answer.envelope.code === '0') accepted.set(id, answer.envelope.data.transactionId)
      else refused.set(id, answer)
    }
  }
  const done = Promise.all(Array.from({ length: connections }, connection)).then(() => undefined)
  const stop = () => {
    stopped = true
  }
  return { accepted, refused, cut, stop, done }
}

/** Fails unless every one of the sales is there, under its ids, and SUCCESS. */
async function expectStored(sandbox: LaunchedSandbox, sales: ReadonlyMap<string, string>): Promise<void> {
  const agent = keepAlive(32)
  const rest = [...sales]
  const missing: string[] = []
  const check = async () => {
    for (let sale = rest.pop(); sale !== undefined; sale = rest.pop()) {
      const [requestId, transactionId] = sale
      const found = await sandbox.send(
        'GET',
        `/v1/transaction/query?merchantId=${sandbox.merchantId}&transactionRequestId=${requestId}`,
        { agent },
      )
      const { code, data } = found.envelope
      const stored = code === '0' && data.transactionId === transactionId && data.transactionStatus === 'S'
      if (!stored) missing.push(`${requestId}: ${found.text}`)
    }
  }
  await Promise.all(Array.from({ length: 32 }, check))
  expect(missing).toEqual([])
}

const countOf = async (sandbox: LaunchedSandbox): Promise<number> =>
  (await sandbox.send('GET', '/_sandbox/state')).envelope.data.transactions

/** The error code of a request that does not reach the sandbox; null when it does. */
const refusal = (sandbox: LaunchedSandbox): Promise<string | null> =>
  sandbox.send('GET', '/_sandbox/health').then(
    () => null,
    ({ code }: NodeJS.ErrnoException) => code ?? 'no code',
  )

/** Sends the head of a sale and, when the sandbox has read it, holds the body back. */
async function holdSale({ port }: LaunchedSandbox, requestId: string) {
  const { socket, received } = openSocket(port)
  const body = JSON.stringify(saleOf(requestId))
  const more = [`Host: 127.0.0.1:${port}`, `Content-Length: ${body.length}`, 'Expect: 100-continue']
  socket.write(requestText(`POST ${salePath} HTTP/1.1`, ...goodHeaders(), ...more))
  await expect.poll(() => received.text).toContain('100 Continue')
  return async () => {
    socket.write(body)
    await once(socket, 'end')
    return answersIn(received.text)[0]
  }
}

test('the lock of a killed sandbox does not block a start with the same process id, as in a container', async () => {
  const cwd = scratchFolder()
  const before =
    'mkdir .tillbox && echo "{\\"pid\\":$$}" > .tillbox/lock.json && chmod 600 .tillbox/lock.json'
  const sandbox = await spawnSandbox([], { cwd, before })
  expect((await sandbox.json('sandbox status')).pid).toBe(sandbox.pid)
})

test('SIGTERM under load: what is on its way is answered and stored, and what got no answer is not', async () => {
  const cwd = scratchFolder()
  const sandbox = await spawnSandbox([], { cwd })
  const id = newId()
  const goOn = await holdSale(sandbox, id)
  const [finishing, goingOn] = [loadSales(sandbox, 16), loadSales(sandbox, 16)]
  for (const load of [finishing, goingOn])
    await expect.poll(() => load.accepted.size, { interval: 5 }).toBeGreaterThan(50)
  finishing.stop()
  const ended = sandbox.stop('SIGTERM')
  await finishing.done
  expect([[...finishing.cut], [...finishing.refused.values()]]).toEqual([[], []])
  await expect.poll(() => refusal(sandbox)).toBe('ECONNREFUSED')
  const answer = await goOn()
  expect(answer?.envelope.code).toBe('0')
  expect(answer?.head).toContain('connection: close') // RFC 9112 9.6
  await goingOn.done
  expect(await ended).toMatchObject({ code: 0, signal: null, stderr: '' })
  const again = await startSandboxCommand([], { cwd })
  const accepted = new Map([
    ...finishing.accepted,
    ...goingOn.accepted,
    [id, answer?.envelope.data.transactionId],
  ])
  await expectStored(again, accepted)
  for (const id of goingOn.cut) {
    const found = await again.send('GET', `/v1/transaction/query?transactionRequestId=${id}`)
    expect(found.envelope.code).not.toBe('0')
  }
  expect(await countOf(again)).toBe(accepted.size)
})

test('a sandbox obeys SIGTERM and SIGINT from the moment it reports that it is ready', async () => {
  const signals = ['SIGTERM', 'SIGINT'] as const
  const ends = await Promise.all(signals.map(async (signal) => (await spawnSandbox()).stop(signal)))
  expect(ends).toMatchObject(signals.map(() => ({ code: 0, signal: null, stderr: '' })))
})

test('a taken port is refused, and the refusal names the sandbox that holds it', async ({ sandbox }) => {
  const taken = `sandbox start --port ${sandbox.port}`
  await fails(runCommand(taken), 2, `Port ${sandbox.port}`, `process ${sandbox.pid}`)
})

test('sales are refused on a full disk, and exactly the acknowledged ones are stored after kill -9, SIGTERM and a restart', async () => {
  const cwd = scratchFolder()
  const sandbox = await spawnSandbox([], { cwd, before: 'ulimit -f 128' })
  const load = loadSales(sandbox, 8)
  await expect.poll(() => load.refused.size, { interval: 5 }).toBeGreaterThan(20)
  load.stop()
  await load.done
  expect(load.accepted.size).toBeGreaterThan(0)
  expect([...load.cut]).toEqual([])
  for (const { status, envelope } of load.refused.values()) {
    expect(status).toBe(503)
    expect(envelope.code).toBe('SBX_STORE_FAIL')
    expect(envelope.data).toBeUndefined()
  }
  await expectStored(sandbox, load.accepted)
  const killed = leftByKill(sandbox)
  await sandbox.stop()
  for (const left of [killed, { cwd }]) {
    const again = await startSandboxCommand([], left)
    await expectStored(again, load.accepted)
    expect(await countOf(again)).toBe(load.accepted.size)
    const next = loadSales(again, 1, 1)
    await next.done
    await expectStored(again, next.accepted)
    expect(next.accepted.size).toBe(1)
  }
})
