import { beforeAll, describe, expect, test } from 'vitest'
import type { AnyJson } from '../support/any-json.ts'
import { openNode } from '../support/cluster/cluster-node.ts'
import { type Cluster, schemaOf, sharedCluster, skipsPostgres } from '../support/cluster/postgres.ts'
import { salePath } from '../support/service/requests.ts'
import { apiHeaders, apiKey, sale } from '../support/service/service.ts'

const minute = 60_000

/** A node whose own clock is ahead by so many minutes. */
const nodeAhead = (store: string, minutes: number) =>
  openNode(store, { wall: () => Date.now() + minutes * minute })

describe.skipIf(skipsPostgres())('assumption shared-store: nodes go by the clock of the database', () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await sharedCluster()
  })

  test('X-Timestamp is checked by the clock of the database, whichever node serves the space', async () => {
    const store = cluster.url()
    for (const ahead of [5, -5]) {
      const { ask } = await nodeAhead(store, ahead) // the first one serves the space
      const codeAt = async (off: number) =>
        (await ask('POST', salePath, sale(1000), apiHeaders(apiKey, Date.now() + off * minute))).code
      const codes = ['0', '0', 'SBX_TIME_SKEW', 'SBX_TIME_SKEW']
      expect(await Promise.all([-8, 8, -12, 12].map(codeAt))).toEqual(codes)
    }
  })

  test('a space ends when its time is over by the clock of the database, and no sooner', async () => {
    const store = cluster.url()
    const right = await nodeAhead(store, 0)
    const all = [right, await nodeAhead(store, 5), await nodeAhead(store, -5)]
    const create = (name: string, ttlMs: number) => right.ask('POST', '/_sandbox/spaces', { name, ttlMs })
    for (const created of [await create('short', 4 * minute), await create('over', minute)])
      expect(created.code).toBe('0')
    await cluster.ask(`update ${schemaOf(store)}.spaces set expires_at = now() where name = 'over'`)
    for (const { ask, count } of all) {
      const names = async () =>
        (await ask('GET', '/_sandbox/spaces')).data.spaces.map(({ name }: AnyJson) => name)
      await expect.poll(names).toEqual(['default', 'short'])
      expect(await count('/s/short')).toBe(0)
    }
  })

  test('times and ids of transactions increase from one node to the next', async () => {
    const store = cluster.url()
    const ids: bigint[] = []
    let before = await nodeAhead(store, 0)
    for (const ahead of [5, -5, 0, -5, 5]) {
      const next = await nodeAhead(store, ahead)
      await before.close()
      for (let count = 0; count < 3; count += 1)
        ids.push(BigInt((await next.sell(apiKey)).data.transactionId))
      before = next
    }
    expect(ids).toEqual([...ids].sort((one, other) => Number(one - other)))
    const { transactions } = (await before.ask('GET', '/_sandbox/transactions?limit=100')).data
    const times = transactions.map(({ createdAt }: AnyJson) => Date.parse(createdAt))
    expect(times).toHaveLength(15)
    expect(times).toEqual([...times].sort((one, other) => other - one))
    for (const time of times) expect(Math.abs(time - Date.now())).toBeLessThan(2 * minute)
  })
})
