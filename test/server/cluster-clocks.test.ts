import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startNode } from '../../src/server/cluster/start-node.ts'
import { type Cluster, noPostgres, sharedCluster, skipsPostgres } from '../support/cluster/postgres.ts'
import { sendRequest } from '../support/commands/running-sandbox.ts'
import { dataOf } from '../support/service/ask.ts'
import { newId } from '../support/service/new-id.ts'
import { salePath } from '../support/service/requests.ts'
import { temporaryFolder } from '../support/service/service.ts'

if (skipsPostgres()) process.stderr.write(noPostgres)

const minute = 60_000

/** A node whose own clock is ahead by so many milliseconds. */
async function nodeAhead(store: string, ahead: number) {
  const { connection, close } = await startNode({
    store,
    state: temporaryFolder(),
    wall: () => Date.now() + ahead,
  })
  onTestFinished(close)
  return {
    close,
    ask: (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
      sendRequest(connection, method, path, { ...(body && { body }), headers }),
  }
}

const saleOf = (transactionRequestId: string) => ({
  transactionRequestId,
  referenceOrderId: `ORDER-${transactionRequestId}`,
  amount: 1000,
  priceCurrency: 'USD',
})

describe.skipIf(skipsPostgres())(
  'assumption shared-store: nodes whose clocks differ go by the clock of the database',
  () => {
    let cluster: Cluster
    beforeAll(async () => {
      cluster = await sharedCluster()
    })

    const threeClocks = async (store: string) => {
      const right = await nodeAhead(store, 0)
      return [right, await nodeAhead(store, 5 * minute), await nodeAhead(store, -5 * minute)] as const
    }

    test('X-Timestamp is checked by the clock of the database, whichever node serves the space', async () => {
      const store = cluster.url()
      const early = await nodeAhead(store, 5 * minute) // it serves the first space
      const late = await nodeAhead(store, -5 * minute)
      for (const { ask } of [early, late]) {
        for (const [off, code] of [
          [-8, '0'],
          [8, '0'],
          [-12, 'SBX_TIME_SKEW'],
          [12, 'SBX_TIME_SKEW'],
        ] as const) {
          const headers = { 'X-Timestamp': String(Date.now() + off * minute) }
          expect((await ask('POST', salePath, saleOf(newId()), headers)).envelope.code).toBe(code)
        }
      }
    })

    test('a space ends when its time is over by the clock of the database, and no sooner', async () => {
      const store = cluster.url()
      const [right, ...others] = await threeClocks(store)
      dataOf((await right.ask('POST', '/_sandbox/spaces', { name: 'short', ttlMs: 4 * minute })).envelope)
      dataOf((await right.ask('POST', '/_sandbox/spaces', { name: 'over', ttlMs: minute })).envelope)
      const schema = new URL(store).searchParams.get('schema')
      await cluster.ask(`update ${schema}.spaces set expires_at = now() where name = 'over'`)
      for (const { ask } of [right, ...others]) {
        await expect
          .poll(async () => (await ask('GET', '/_sandbox/spaces')).envelope.data.spaces.map(nameOf))
          .toEqual(['default', 'short'])
        expect((await ask('GET', '/s/short/_sandbox/health')).status).toBe(200)
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
          ids.push(BigInt(dataOf((await next.ask('POST', salePath, saleOf(newId()))).envelope).transactionId))
        before = next
      }
      expect(ids).toEqual([...ids].sort((one, other) => Number(one - other)))
      const { transactions } = dataOf((await before.ask('GET', '/_sandbox/transactions?limit=100')).envelope)
      const times = transactions.map(({ createdAt }: { createdAt: string }) => Date.parse(createdAt))
      expect(times).toHaveLength(15)
      expect(times).toEqual([...times].sort((one, other) => other - one))
      for (const time of times) expect(Math.abs(time - Date.now())).toBeLessThan(2 * minute)
    })
  },
)

const nameOf = ({ name }: { readonly name: string }): string => name
