import { expect, onTestFinished, test, vi } from 'vitest'
import { verifyWebhook } from '../../src/webhook/verify.ts'
import { keepAlive, newId, type RunningBinary, scratchFolder, startBinary } from '../support/binary.ts'
import { type Arrival, openReceiver, type Receiver } from '../support/webhook-receiver.ts'

const salePath = '/v1/semi-integration/transaction/sale'

/** A merchant's server of a bad day: it answers 503 at random, and goes away for a while again and again. */
async function shakyReceiver(share: () => number) {
  const taken: Arrival[] = []
  let wrong = 0
  const open = (port: number): Promise<Receiver> =>
    openReceiver((arrival, response) => {
      const refused = Math.random() < share()
      const verdict = verifyWebhook(
        { headers: arrival.headers as Record<string, string>, body: arrival.body },
        secretOf.current,
        Date.now(),
      )
      if (!verdict.valid) wrong += 1
      if (!refused) taken.push(arrival)
      response.writeHead(refused ? 503 : 200).end()
    }, port)
  let receiver = await open(0)
  const { url } = receiver
  return {
    url,
    taken,
    wrong: () => wrong,
    restart: async () => {
      await receiver.close()
      await pause(200)
      receiver = await open(Number(new URL(url).port))
    },
  }
}

const secretOf = { current: '' }

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Sells from several connections until the sandbox is gone; keeps what was accepted, in the order of the answers. */
function load(sandbox: RunningBinary, url: string, accepted: Set<string>, most: number): Promise<unknown> {
  const agent = keepAlive(4)
  let sent = 0
  const connection = async (number: number) => {
    while (sent++ < most) {
      const id = newId()
      const body = {
        transactionRequestId: id,
        referenceOrderId: `O-${id.slice(-20)}`,
        amount: 1000,
        priceCurrency: 'USD',
        notifyUrl: `${url}/${number % 2}`,
      }
      const answer = await sandbox.send('POST', salePath, { body, agent }).catch(() => null)
      if (answer === null) return
      if (answer.envelope.code === '0') accepted.add(answer.envelope.data.transactionId)
    }
  }
  return Promise.all([0, 1, 2, 3].map(connection))
}

test('kill -9 under load, a receiver that fails and restarts: everything arrives, in order, signed', async () => {
  const cwd = scratchFolder()
  let share = 0.3
  const receiver = await shakyReceiver(() => share)
  const accepted = new Set<string>()
  const args = ['--retries', Array(90).fill('100ms').join(',')]
  let shaking = true
  const shake = (async () => {
    while (shaking) {
      await pause(700)
      await receiver.restart()
    }
  })()
  onTestFinished(() => {
    shaking = false
  })
  for (let round = 0; round < 4; round++) {
    const sandbox = await startBinary(args, { cwd })
    secretOf.current = (await sandbox.send('GET', '/_sandbox/webhook-secret')).envelope.data.secret
    const loading = load(sandbox, receiver.url, accepted, 150)
    await pause(1_200)
    await sandbox.stop('SIGKILL')
    await loading
  }
  shaking = false
  await shake
  share = 0
  expect(accepted.size).toBeGreaterThan(100)
  const sandbox = await startBinary(args, { cwd })
  const listed = async (state: string) =>
    (await sandbox.send('GET', `/_sandbox/webhooks?state=${state}&limit=10000`)).envelope.data.deliveries
  await vi.waitFor(async () => expect(await listed('pending')).toHaveLength(0), {
    timeout: 30_000,
    interval: 200,
  })
  expect(await listed('failed')).toEqual([])
  const arrived = new Set(receiver.taken.map(({ json }) => json.transactionId as string))
  expect([...accepted].filter((id) => !arrived.has(id))).toEqual([])
  expect(receiver.wrong()).toBe(0)
  for (const path of ['/hook/0', '/hook/1']) {
    const own = receiver.taken.filter((arrival) => arrival.path === path)
    const first = [...new Set(own.map(({ json }) => json.transactionId as string))]
    expect(first).toEqual([...first].sort())
    expect(new Set(own.map(({ id }) => id)).size).toBe(first.length)
  }
}, 90_000)
