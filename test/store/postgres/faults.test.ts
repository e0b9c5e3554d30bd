import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import { type Cluster, noPostgres, skipsPostgres, startCluster } from '../../support/cluster/postgres.ts'
import { openAt } from '../../support/cluster/space-storage.ts'
import { appOf } from '../../support/service/app.ts'
import { askIn } from '../../support/service/ask.ts'
import { newId } from '../../support/service/new-id.ts'
import { salePath } from '../../support/service/requests.ts'
import { apiKey, plainStateOf, sale } from '../../support/service/service.ts'

if (skipsPostgres()) process.stderr.write(noPostgres)

interface OpenedSandbox {
  readonly sandbox: Sandbox
  readonly lost: Error[]
}

async function open(url: string): Promise<OpenedSandbox> {
  const lost: Error[] = []
  const sandbox = await openAt(url, { lost: (error) => lost.push(error) })
  let closing: Promise<void> | undefined
  const { close } = sandbox
  sandbox.close = () => {
    closing ??= close()
    return closing
  }
  onTestFinished(sandbox.close)
  return { sandbox, lost }
}

/** Sells until it is stopped. Resolves to the ids that were acknowledged, and how many were refused. */
function sellOn(sandbox: Sandbox, atOnce = 8) {
  const ask = askIn(sandbox)
  const [acknowledged, refused]: [string[], string[]] = [[], []]
  let isOver = false
  const sell = async () => {
    while (!isOver) {
      const transactionRequestId = newId('L')
      const answer = await ask('POST', salePath, sale(100, { transactionRequestId }))
      if (answer?.code === '0') acknowledged.push(transactionRequestId)
      else {
        expect([answer?.status, answer?.code]).toEqual([503, 'SBX_STORE_FAIL'])
        refused.push(transactionRequestId)
        await sleep(10)
      }
    }
  }
  const sellers = Array.from({ length: atOnce }, sell)
  return {
    acknowledged,
    refused,
    stop: async () => {
      isOver = true
      await Promise.all(sellers)
    },
  }
}

/** How often each sale is in the state. */
function countsIn({ engine }: Sandbox): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { transactions } of engine.state.ledgers.values())
    for (const { transactionRequestId: id } of transactions) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}

/** Nothing that was acknowledged is lost, and nothing is there twice: now, and after a restart. */
async function expectNoLoss(
  { sandbox }: OpenedSandbox,
  url: string,
  acknowledged: readonly string[],
): Promise<void> {
  await sandbox.engine.ready()
  const now = countsIn(sandbox)
  expect(acknowledged.filter((id) => now.get(id) !== 1)).toEqual([])
  expect([...now].filter(([, count]) => count > 1)).toEqual([])
  const before = plainStateOf(sandbox)
  await sandbox.close()
  const again = await open(url)
  expect(plainStateOf(again.sandbox)).toEqual(before)
}

describe.skipIf(skipsPostgres())('faults of a database', () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster()
  })
  afterAll(() => cluster.remove())

  test('connections that end during appends lose nothing and duplicate nothing', async () => {
    const url = cluster.url()
    const opened = await open(url)
    const load = sellOn(opened.sandbox)
    for (let round = 0; round < 20; round += 1) {
      await sleep(20)
      await cluster.ask(
        "select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name like 'tillbox %'",
      )
    }
    const before = load.acknowledged.length
    await expect.poll(() => load.acknowledged.length).toBeGreaterThan(before + 20)
    await load.stop()
    expect(opened.lost).toEqual([])
    await expectNoLoss(opened, url, load.acknowledged)
  })

  test('a sandbox goes on without loss after the database crashes and restarts under load', async () => {
    const url = cluster.url()
    const opened = await open(url)
    const load = sellOn(opened.sandbox)
    for (let round = 0; round < 3; round += 1) {
      const before = load.acknowledged.length
      await expect.poll(() => load.acknowledged.length).toBeGreaterThan(before + 20)
      await cluster.stop('immediate')
      await cluster.start()
    }
    const before = load.acknowledged.length
    await expect.poll(() => load.acknowledged.length).toBeGreaterThan(before + 20)
    await load.stop()
    expect(opened.lost).toEqual([])
    await expectNoLoss(opened, url, load.acknowledged)
  })

  test('requests get 503 and Retry-After while the database is down, and are accepted once it is back', async () => {
    const url = `${cluster.url()}&unavailable_after=2`
    const opened = await open(url)
    const app = appOf(opened.sandbox)
    const send = () =>
      app.request(salePath, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${apiKey}`,
          'X-Client-Request-Id': randomUUID(),
          'X-Timestamp': String(Date.now()),
          'Content-Type': 'application/json',
        },
        body: JSON.stringify(sale(100)),
      })
    expect((await send()).status).toBe(200)
    await cluster.stop('immediate')
    try {
      for (let round = 0; round < 5; round += 1) {
        const response = await send()
        expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '1'])
        const { code, detail, remedy } = await response.json()
        expect(code).toBe('SBX_STORE_FAIL')
        expect(detail).toMatch(
          /the database postgres:\/\/tillbox@127\.0\.0\.1:\d+\/postgres\?schema=\w+ does not answer: /,
        )
        expect(remedy).toBe(
          'Send the request again with the same ids, in a second: it happens once, however often it is sent',
        )
        expect(JSON.stringify({ detail, remedy })).not.toContain(cluster.password)
      }
    } finally {
      await cluster.start()
    }
    await expect.poll(async () => (await send()).status).toBe(200)
    expect(opened.lost).toEqual([])
    await expectNoLoss(opened, url, [])
  })

  test('a second owner fences the first, which acknowledges nothing more and reports it', async () => {
    const url = cluster.url('fenced')
    const first = await open(url)
    const load = sellOn(first.sandbox, 4)
    await expect.poll(() => load.acknowledged.length).toBeGreaterThan(20)
    // As if the first node slept for longer than its lease.
    await cluster.ask("update fenced.spaces set owner = 'another', epoch = epoch + 1")
    await expect.poll(() => first.lost.length).toBe(1)
    expect(first.lost[0]?.message).toMatch(
      /^The space default of postgres:.* is not this sandbox's any more: /,
    )
    await load.stop()
    await cluster.ask('update fenced.spaces set owner = null')
    const second = await open(url)
    const counts = countsIn(second.sandbox)
    expect(load.acknowledged.filter((id) => counts.get(id) !== 1)).toEqual([])
    expect(load.refused.filter((id) => counts.has(id))).toEqual([])
    const answer = await askIn(first.sandbox)('POST', salePath, sale(100))
    expect([answer?.status, answer?.code]).toEqual([503, 'SBX_STORE_FAIL'])
  })
})
