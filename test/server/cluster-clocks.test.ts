import { beforeAll, describe, expect, test } from 'vitest'
import type { AnyJson } from '../support/any-json.ts'
import { apiHeaders, openNode } from '../support/cluster/cluster-node.ts'
import { type Cluster, sharedCluster, skipsPostgres } from '../support/cluster/postgres.ts'
import { salePath } from '../support/service/requests.ts'
import { apiKey, sale } from '../support/service/service.ts'

const minute = 60_000

/** A node whose own clock is ahead by so many milliseconds. */
const nodeAhead = (store: string, ahead: number) => openNode(store, { wall: () => Date.now() + ahead })

describe.skipIf(skipsPostgres())(
  'assumption shared-store: nodes whose clocks differ go by the clock of the database',
  () => {
    let cluster: Cluster
    beforeAll(async () => {
      cluster = await sharedCluster()
    })

    test('X-Timestamp is checked by the clock of the database, whichever node serves the space', async () => {
      const store = cluster.url()
      const early = await nodeAhead(store, 5 * minute) // it serves the first space
      for (const { ask } of [early, await nodeAhead(store, -5 * minute)]) {
        for (const [off, code] of [
          [-8, '0'],
          [8, '0'],
          [-12, 'SBX_TIME_SKEW'],
          [12, 'SBX_TIME_SKEW'],
        ] as const) {
          const headers = { ...apiHeaders(apiKey), 'X-Timestamp': String(Date.now() + off * minute) }
          expect((await ask('POST', salePath, sale(1000), headers)).code).toBe(code)
        }
      }
    })

    test('a space ends when its time is over by the clock of the database, and no sooner', async () => {
      const store = cluster.url()
      const right = await nodeAhead(store, 0)
      const all = [right, await nodeAhead(store, 5 * minute), await nodeAhead(store, -5 * minute)]
      for (const [name, ttlMs] of [
        ['short', 4 * minute],
        ['over', minute],
      ] as const)
        expect((await right.ask('POST', '/_sandbox/spaces', { name, ttlMs })).code).toBe('0')
      const schema = new URL(store).searchParams.get('schema')
      await cluster.ask(`update ${schema}.spaces set expires_at = now() where name = 'over'`)
      for (const { ask } of all) {
        const names = async () =>
          (await ask('GET', '/_sandbox/spaces')).data.spaces.map(({ name }: AnyJson) => name)
        await expect.poll(names).toEqual(['default', 'short'])
        expect((await ask('GET', '/s/short/_sandbox/health')).httpStatus).toBe(200)
      }
    })

    test('times and ids of transactions increase from one node to the next', async () => {
      const store = cluster.url()
      const ids: bigint[] = []
      let before = await nodeAhead(store, 0)
      for (const ahead of [5, -5, 0, -5, 5]) {
        const next = await nodeAhead(store, ahead * minute)
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
  },
)
