import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { DeliveryView } from '../../src/contract/control/webhooks.ts'
import { verifyWebhook } from '../../src/contract/signature/verify-webhook.ts'
import {
  keepAlive,
  type LaunchedSandbox,
  spawnSandbox,
  startSandboxCommand,
} from '../support/commands/running-sandbox.ts'
import { scratchFolder } from '../support/commands/scratch.ts'
import { times } from '../support/runner/counts.ts'
import { salePath } from '../support/service/requests.ts'
import { sale } from '../support/service/service.ts'
import { type Arrival, openReceiver, type WebhookReceiver } from '../support/webhooks/webhook-receiver.ts'

/** A merchant's server; on a bad day it answers 503 at random, and goes away for a while again and again. */
async function openServer(badDay: boolean) {
  const taken: Arrival[] = []
  let wrong = 0
  const open = (port?: number): Promise<WebhookReceiver> =>
    openReceiver((arrival, response) => {
      const refused = badDay && Math.random() < 0.3
      if (!verifyWebhook(arrival, secretOf.current, Date.now()).valid) wrong += 1
      if (!refused) taken.push(arrival)
      response.writeHead(refused ? 503 : 200).end()
    }, port)
  let receiver = await open()
  const { url, port } = receiver
  const restart = async () => {
    await receiver.close()
    await sleep(100)
    receiver = await open(port)
  }
  return { url, taken, wrong: () => wrong, restart }
}

const secretOf = { current: '' }

/** Sales a round at most. */
const most = 25

/**
 * Sells from several connections until the sandbox is gone; keeps what was accepted. Each connection has a URL of its
 * own, and the last one hears of its terminal there too.
 */
function load(sandbox: LaunchedSandbox, url: string, accepted: Set<string>): Promise<unknown> {
  const agent = keepAlive(4)
  let sent = 0
  const connection = async (number: number) => {
    const own = `${url}/${number}`
    const urls = { notifyUrl: own, ...(number === 3 && { terminalEventNotifyUrl: own }) }
    while (sent++ < most) {
      const answer = await sandbox.send('POST', salePath, { body: sale(1000, urls), agent }).catch(() => null)
      if (answer === null) return
      if (answer.envelope.code === '0') accepted.add(answer.envelope.data.transactionId)
    }
  }
  return Promise.all([0, 1, 2, 3].map(connection))
}

/** What a sale tells at each URL, in order. */
const results = ['result']
const everything = [
  'ORDER_RECEIVED',
  'PAYMENT_PRESENTED',
  'PAYMENT_PROCESSING',
  'result',
  'TRANSACTION_ENDED',
]

test.each<[order: string, told: string, badDay: boolean, inOrder: boolean]>([
  ['relaxed', 'a sound receiver: everything arrives in order', false, true],
  ['relaxed', 'a receiver that fails and restarts: everything arrives', true, false],
  ['concurrent', 'a receiver that fails and restarts: everything arrives', true, false],
  ['strict', 'a receiver that fails and restarts: everything arrives in order', true, true],
])(
  'kill -9 under load loses no signed notification: order %s, %s',
  async (order, _, badDay, inOrder) => {
    const cwd = scratchFolder()
    const receiver = await openServer(badDay)
    const accepted = new Set<string>()
    const args = ['--retries', Array(600).fill('10ms').join(','), '--set', `webhookOrder=${order}`]
    let shaking = badDay
    const shake = (async () => {
      while (shaking) {
        await sleep(300)
        await receiver.restart()
      }
    })()
    onTestFinished(() => {
      shaking = false
    })
    for (let round = 0; round < times(1, 4); round++) {
      const sandbox = await spawnSandbox(args, { cwd })
      secretOf.current = (await sandbox.send('GET', '/_sandbox/webhook-secret')).envelope.data.secret
      const loading = load(sandbox, receiver.url, accepted)
      const enough = accepted.size + most / 2 // the rest is under way when it is killed
      await expect.poll(() => accepted.size, { interval: 5 }).toBeGreaterThan(enough)
      await sandbox.stop('SIGKILL')
      await loading
    }
    const listed = async (sandbox: LaunchedSandbox, state: string): Promise<DeliveryView[]> =>
      (await sandbox.send('GET', `/_sandbox/webhooks?state=${state}&limit=99999`)).envelope.data.deliveries
    const pending = async (sandbox: LaunchedSandbox): Promise<number> =>
      (await sandbox.send('GET', '/_sandbox/state')).envelope.data.webhooks.pending
    const untilWaiting = (sandbox: LaunchedSandbox, count: number) =>
      expect.poll(() => pending(sandbox), { interval: 100 }).toBeLessThanOrEqual(count)
    const killed = await spawnSandbox(args, { cwd })
    await untilWaiting(killed, (await pending(killed)) / 2)
    await killed.stop('SIGKILL') // in the middle of delivering what waited
    const sandbox = await startSandboxCommand(args, { cwd })
    await untilWaiting(sandbox, 0)
    shaking = false
    await shake
    expect(accepted.size).toBeGreaterThan(most / 2)
    expect(await listed(sandbox, 'failed')).toEqual([])
    const delivered = await listed(sandbox, 'delivered')
    const stored = new Set(delivered.map(({ transactionId }) => transactionId))
    const arrived = new Set(receiver.taken.map(({ json }) => json.transactionId as string))
    expect([...accepted].filter((id) => !arrived.has(id))).toEqual([])
    expect([...arrived].filter((id) => !stored.has(id))).toEqual([]) // nothing was told that did not happen
    expect(receiver.wrong()).toBe(0)
    for (const number of [0, 1, 2, 3]) {
      const own = receiver.taken.filter(({ path }) => path === `/hook/${number}`)
      const notified = new Set(own.map(({ json }) => `${json.transactionId} ${json.eventType ?? 'result'}`))
      const ids = [...new Set(own.map(({ json }) => json.transactionId as string))].sort()
      const all = number === 3 ? everything : results
      const expected = ids.flatMap((id) => all.map((what) => `${id} ${what}`))
      if (inOrder) expect([...notified]).toEqual(expected)
      else expect([...notified].sort()).toEqual(expected.sort())
      expect(new Set(own.map(({ id }) => id)).size).toBe(notified.size)
    }
  },
  600_000,
)
