import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { Database } from '../../src/store/postgres/connection/database.ts'
import type { AnyJson } from '../support/any-json.ts'
import { apiHeaders, openNode } from '../support/cluster/cluster-node.ts'
import { type Cluster, sharedCluster, skipsPostgres } from '../support/cluster/postgres.ts'
import { salePath } from '../support/service/requests.ts'
import { apiKey, sale } from '../support/service/service.ts'

let cluster: Cluster
beforeAll(async () => {
  if (!skipsPostgres()) cluster = await sharedCluster()
})

/** A node, and a till that asks it. */
async function node(...given: Parameters<typeof openNode>) {
  const { ask, close } = await openNode(...given)
  const send = (method: string, path: string, body?: object) =>
    ask(method, path, body, { 'User-Agent': 'till/1', ...apiHeaders(apiKey) })
  return {
    close,
    get: (path: string) => send('GET', path),
    post: (path: string, body: object) => send('POST', path, body),
  }
}

type Node = Awaited<ReturnType<typeof node>>

/** What is shown of every request, in the list and one by one. */
async function shownBy({ get }: Node): Promise<AnyJson[]> {
  const { requests } = (await get('/_sandbox/requests')).data
  const stories = requests.map(
    async ({ traceId }: AnyJson) => (await get(`/_sandbox/requests/${traceId}`)).data,
  )
  return [requests, await Promise.all(stories)]
}

/** A sale that waits at a terminal, three equal looks at it, and a sale that is refused. */
async function use({ get, post }: Node): Promise<string> {
  const { data, traceId } = await post(salePath, sale(100, { terminalSn: 'TBX-ATTENDED-001' }))
  for (let count = 0; count < 3; count += 1)
    await get(`/v1/transaction/query?transactionId=${data.transactionId}`)
  await post(salePath, sale(-1))
  return traceId
}

describe.skipIf(skipsPostgres())('the request log of a space', () => {
  test('the node that takes over a space shows the same log as the node that stopped', async () => {
    const store = cluster.url()
    const [one, two] = [await node(store), await node(store)]
    const traceId = await use(one)
    const before = await shownBy(one)
    expect(before[0]).toMatchObject([
      { traceId, operation: 'sale', code: '0' },
      { operation: 'query', times: 3 },
      { operation: 'sale', code: 'C17' },
    ])
    await one.close()
    expect(await shownBy(two)).toEqual(before)
    await use(two)
    expect((await shownBy(two))[0]).toHaveLength(6)
  })

  test('the node that takes over a space from a dead node shows the log as it was a second before', async () => {
    const store = cluster.url()
    const database = await Database.open(store)
    onTestFinished(() => database.close())
    const one = await node(store)
    await use(one)
    const before = await shownBy(one)
    const count = async () => (await database.run('select 1 from requests')).count
    await expect.poll(count).toBe(3)
    const two = await node(store)
    // As if the node had not renewed its lease.
    await database.run("update spaces set owner = 'a node that died', owner_url = null, leased_until = now()")
    expect(await shownBy(two)).toEqual(before)
  })

  test('the log comes back with a space that was asleep', async () => {
    const one = await node(cluster.url(), { spaceIdleMs: 0 })
    await one.post('/_sandbox/spaces', { name: 'ci-1' })
    await one.post(`/s/ci-1${salePath}`, {})
    const shown = async () => (await one.get('/s/ci-1/_sandbox/requests')).data.requests
    const before = await shown()
    const isInMemory = async () => (await one.get('/_sandbox/spaces')).data.spaces[1].inMemory
    expect(before).toHaveLength(1)
    await expect.poll(isInMemory).toBe(false)
    expect(await shown()).toEqual(before)
  })

  test('a reset of everything deletes the log', async () => {
    const store = cluster.url()
    const one = await node(store)
    await use(one)
    await one.post('/_sandbox/reset', { everything: true })
    await one.close()
    const [requests] = await shownBy(await node(store))
    expect(requests).toMatchObject([{ path: '/_sandbox/reset' }])
  })
})
