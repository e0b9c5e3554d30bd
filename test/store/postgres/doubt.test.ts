import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openNode } from '../../support/cluster/cluster-node.ts'
import { type Cluster, sharedCluster, skipsPostgres } from '../../support/cluster/postgres.ts'
import { cuttingProxy } from '../../support/network/cutting-proxy.ts'
import { sideBySide } from '../../support/runner/side-by-side.ts'
import { newId } from '../../support/service/new-id.ts'
import { apiKey } from '../../support/service/service.ts'

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
    /** How often a sale is there, as another start finds it. */
    const times = async (id: string): Promise<number> => {
      await node.close()
      const again = await openNode(direct)
      onTestFinished(() => again.close())
      const { transactions } = (await again.ask('GET', '/_sandbox/transactions?limit=100')).data
      return transactions.filter((each: { transactionRequestId: string }) => each.transactionRequestId === id)
        .length
    }
    const schema = new URL(direct).searchParams.get('schema')
    return { proxy, node, schema, sell, times }
  }

  for (const [what, cut] of [
    ['the server never had it', 'request'],
    ['the server has carried it out', 'answer'],
    ['the server has half of it, and its connection seems to live', 'half'],
    ['nobody hears that its connection is gone', 'mute'],
  ] as const)
    waiting(
      `assumption postgres-session: a write is refused, and sent again happens once, when ${what}`,
      async () => {
        const { proxy, sell, times } = await behindProxy('&unavailable_after=2')
        await sell('before')
        proxy.cutAt('cut-here', cut)
        const answers = await Promise.all([sell('cut-here'), sell('beside')])
        expect(proxy.isArmed).toBe(false)
        for (const answer of answers)
          expect(answer).toMatchObject({
            httpStatus: 503,
            code: 'SBX_STORE_FAIL',
            detail: expect.any(String),
          })
        for (const id of ['cut-here', 'beside'])
          await expect.poll(async () => (await sell(id)).code).toMatch(/^(0|SBX_DUP_TXN_ID)$/)
        expect(await times('cut-here')).toBe(1)
      },
    )

  waiting(
    'assumption postgres-session: nothing is acknowledged while the database is silent, and it goes on by itself',
    async () => {
      const { proxy, sell, times } = await behindProxy('&unavailable_after=2')
      await sell('before')
      proxy.cutAt('in-doubt', 'silence')
      expect(await sell('in-doubt')).toMatchObject({ httpStatus: 503, code: 'SBX_STORE_FAIL' })
      expect((await sell('refused')).httpStatus).toBe(503)
      proxy.endSilence()
      await expect.poll(async () => (await sell(newId())).code).toBe('0')
      expect((await sell('in-doubt')).code).toMatch(/^(0|SBX_DUP_TXN_ID)$/)
      expect(await times('in-doubt')).toBe(1)
    },
  )

  for (const cut of ['request', 'answer'] as const)
    waiting(`a restore whose ${cut} is lost is refused, and the space goes on`, async () => {
      const { proxy, node, sell, times } = await behindProxy()
      await sell('kept')
      await node.ask('PUT', '/_sandbox/snapshots/base', {})
      await sell('later')
      proxy.cutAt('insert into states', cut)
      const restore = () => node.ask('POST', '/_sandbox/snapshots/base/restore')
      expect((await restore()).code).toBe('SBX_STORE_FAIL')
      await expect.poll(async () => (await restore()).code).toBe('0')
      await sell('after')
      expect(await times('kept')).toBe(1)
    })

  test('settings whose write is cut off are refused, and written when they are sent again', async () => {
    const { proxy, node, schema } = await behindProxy()
    const freeze = () => node.ask('POST', '/_sandbox/clock', { action: 'freeze' })
    proxy.cutAt('frozenAt', 'request')
    expect((await freeze()).code).toBe('SBX_STORE_FAIL')
    await expect.poll(async () => (await freeze()).code).toBe('0')
    expect(await cluster.ask(`select count(settings->'clock'->'frozenAt') from ${schema}.spaces`)).toBe('1')
  })
})
