import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { AnyJson } from '../../../support/any-json.ts'
import { openNode } from '../../../support/cluster/cluster-node.ts'
import { type Cluster, schemaOf, sharedCluster, skipsPostgres } from '../../../support/cluster/postgres.ts'
import { cuttingProxy } from '../../../support/network/cutting-proxy.ts'
import { sideBySide } from '../../../support/runner/side-by-side.ts'
import { apiKey } from '../../../support/service/service.ts'

describe.skipIf(skipsPostgres())('a write without a known result', () => {
  const waiting = sideBySide()
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await sharedCluster()
  })

  /** A node that reaches its database through a proxy. */
  async function behindProxy(settings = '') {
    const proxy = await cuttingProxy(cluster.port)
    const direct = `${cluster.url()}${settings}`
    const node = await openNode(direct.replace(`:${cluster.port}/`, `:${proxy.port}/`))
    const sell = (transactionRequestId: string) => node.sell(apiKey, '', { transactionRequestId })
    /** Ids of all sales, as another start finds them. */
    const stored = async (): Promise<string[]> => {
      await node.close()
      const again = await openNode(direct)
      onTestFinished(() => again.close())
      const { transactions } = (await again.ask('GET', '/_sandbox/transactions?limit=100')).data
      return transactions.map(({ transactionRequestId }: AnyJson) => transactionRequestId).sort()
    }
    return { proxy, ask: node.ask, schema: schemaOf(direct), sell, stored }
  }

  for (const [what, cut, seemsToLive] of [
    ['the server never had it', 'request', false],
    ['the server has carried it out', 'answer', false],
    ['the server has half of it, and its connection seems to live', 'half', true],
    ['nobody hears that its connection is gone', 'mute', true],
    ['the database is silent on every connection', 'silence', true],
  ] as const)
    waiting(
      `assumption postgres-session: a write is refused, and sent again happens once, when ${what}`,
      async () => {
        const { proxy, sell, stored } = await behindProxy('&unavailable_after=2')
        await sell('before')
        proxy.cutAt('cut-here', cut)
        const refused = { httpStatus: 503, code: 'SBX_STORE_FAIL' }
        const cutSale = sell('cut-here')
        await expect.poll(() => proxy.isArmed).toBe(false)
        const beside = await sell('beside')
        expect(await cutSale).toMatchObject(refused)
        // it waits behind the other one, unless the node has heard of the cut and has connected again
        if (seemsToLive || beside.code !== '0') expect(beside).toMatchObject(refused)
        if (cut === 'silence') {
          expect((await sell('cut-here')).httpStatus).toBe(503)
          proxy.endSilence()
        }
        for (const id of ['cut-here', 'beside'])
          await expect.poll(async () => (await sell(id)).code).toMatch(/^(0|SBX_DUP_TXN_ID)$/)
        expect(await stored()).toEqual(['before', 'beside', 'cut-here'].sort())
      },
    )

  for (const cut of ['request', 'answer'] as const)
    waiting(`a restore whose ${cut} is lost is refused, and the space goes on`, async () => {
      const { proxy, ask, sell, stored } = await behindProxy()
      await sell('kept')
      await ask('PUT', '/_sandbox/snapshots/base', {})
      await sell('later')
      proxy.cutAt('insert into states', cut)
      const restore = () => ask('POST', '/_sandbox/snapshots/base/restore')
      expect((await restore()).code).toBe('SBX_STORE_FAIL')
      await expect.poll(async () => (await restore()).code).toBe('0')
      await sell('after')
      expect(await stored()).toEqual(['after', 'kept'])
    })

  test('settings whose write is cut off are refused, and written when they are sent again', async () => {
    const { proxy, ask, schema } = await behindProxy()
    const freeze = () => ask('POST', '/_sandbox/clock', { action: 'freeze' })
    proxy.cutAt('frozenAt', 'request')
    expect((await freeze()).code).toBe('SBX_STORE_FAIL')
    await expect.poll(async () => (await freeze()).code).toBe('0')
    expect(await cluster.ask(`select count(settings->'clock'->'frozenAt') from ${schema}.spaces`)).toBe('1')
  })
})
