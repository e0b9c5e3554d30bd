import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished } from 'vitest'
import { openSandbox } from '../../../src/sandbox/sandbox.ts'
import { databaseAt } from '../../support/access-stores.ts'
import { noPostgres, sharedCluster, skipsPostgres, whileLocked } from '../../support/cluster/postgres.ts'
import { cuttingProxy } from '../../support/network/cutting-proxy.ts'
import { sideBySide } from '../../support/runner/side-by-side.ts'
import { askIn } from '../../support/service/ask.ts'
import { newId } from '../../support/service/new-id.ts'
import { salePath } from '../../support/service/requests.ts'
import { plainStateOf, sale } from '../../support/service/service.ts'

if (skipsPostgres()) process.stderr.write(noPostgres)

/** A sandbox that reaches its database through a proxy, and one more time without it. */
async function behindProxy(settings = '') {
  const cluster = await sharedCluster()
  const schema = `doubt_${process.pid}_${Math.floor(performance.now() * 1000)}`
  const proxy = await cuttingProxy(cluster.port)
  const direct = `${cluster.url(schema)}${settings}`
  const lost: Error[] = []
  const sandbox = await openSandbox({
    store: direct.replace(`:${cluster.port}/`, `:${proxy.port}/`),
    lost: (error) => lost.push(error),
  })
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= sandbox.close()
    return closing
  }
  onTestFinished(close)
  const ask = askIn(sandbox)
  const sell = (transactionRequestId: string) => ask('POST', salePath, sale(100, { transactionRequestId }))
  /** What the database has, as another start finds it: the space was given back. */
  const reopened = async () => {
    await close()
    expect(await cluster.ask(`select owner is null from ${schema}.spaces`)).toBe('t')
    const again = await openSandbox({ store: direct })
    onTestFinished(() => again.close())
    return again
  }
  return { cluster, schema, sandbox, proxy, ask, sell, reopened, lost }
}

const idsIn = ({ engine }: Awaited<ReturnType<typeof openSandbox>>): string[] =>
  [...engine.state.ledgers.values()].flatMap(({ transactions }) =>
    Array.from(transactions, (each) => each.transactionRequestId),
  )

describe.skipIf(skipsPostgres())('a write without a known result', () => {
  const waiting = sideBySide()

  for (const [what, cut] of [
    ['the server never had it', 'request'],
    ['the server has carried it out', 'answer'],
    ['the server has half of it, and its connection seems to live', 'half'],
  ] as const)
    waiting(
      `assumption postgres-doubt: a write happens once, and is acknowledged, when ${what}`,
      async () => {
        const { sandbox, proxy, sell, reopened, lost } = await behindProxy('&unavailable_after=5')
        await sell('before')
        proxy.cutAt('cut-here', cut)
        const answers = await Promise.all([sell('cut-here'), sell('beside')])
        expect(proxy.isArmed).toBe(false)
        expect(answers.map((answer) => answer?.code)).toEqual(['0', '0'])
        expect((await sell('after'))?.code).toBe('0')
        const before = plainStateOf(sandbox)
        const again = await reopened()
        expect(plainStateOf(again)).toEqual(before)
        expect(idsIn(again).filter((id) => id === 'cut-here')).toHaveLength(1)
        expect(lost).toEqual([])
      },
    )

  waiting(
    'assumption postgres-doubt: a write happens once, and is acknowledged, when the server is still at it',
    async () => {
      const { cluster, schema, sandbox, proxy, sell, reopened, lost } =
        await behindProxy('&unavailable_after=8')
      await sell('before')
      const database = await databaseAt(cluster.url(schema))
      const settling = `select count(*) from pg_stat_activity join pg_locks using (pid)
      where wait_event_type = 'Lock' and query like 'update spaces set epoch%' and relation = '${schema}.spaces'::regclass`
      let answer: ReturnType<typeof sell> | undefined
      await whileLocked(database, 'select from spaces for update', async () => {
        proxy.cutAt('cut-here', 'mute')
        answer = sell('cut-here')
        await expect.poll(() => cluster.ask(settling)).not.toBe('0')
      })
      expect((await answer)?.code).toBe('0')
      const before = plainStateOf(sandbox)
      const again = await reopened()
      expect(plainStateOf(again)).toEqual(before)
      expect(lost).toEqual([])
    },
  )

  waiting('changes made while a doubt is settled are stored behind it, with no gap', async () => {
    const { sandbox, proxy, sell, reopened, lost } = await behindProxy()
    await sell('before')
    proxy.cutAt('cut-here', 'answer')
    const answers = [sell('cut-here')]
    for (let later = 0; later < 100; later += 1) {
      await sleep(1)
      answers.push(sell(`later-${later}`))
    }
    const codes = (await Promise.all(answers)).map((answer) => answer?.code)
    expect([proxy.isArmed, codes.filter((code) => code !== '0')]).toEqual([false, []])
    const before = plainStateOf(sandbox)
    expect(plainStateOf(await reopened())).toEqual(before)
    expect(lost).toEqual([])
  })

  waiting(
    'assumption postgres-doubt: a write without an answer is refused, and settled once the database is back',
    async () => {
      const { sandbox, proxy, sell, reopened, lost } = await behindProxy('&unavailable_after=2')
      await sell('before')
      proxy.cutAt('in-doubt', 'silence')
      const answer = await sell('in-doubt')
      expect([answer?.status, answer?.code]).toEqual([503, 'SBX_STORE_FAIL'])
      expect(answer?.detail).toContain('does not answer: no answer in ')
      expect((await sell('refused'))?.status).toBe(503)
      proxy.endSilence()
      await expect.poll(async () => (await sell(newId()))?.code).toBe('0')
      const repeated = await sell('in-doubt')
      expect(repeated?.code).toMatch(/^SBX_DUP_/)
      const before = plainStateOf(sandbox)
      const again = await reopened()
      expect(plainStateOf(again)).toEqual(before)
      expect(idsIn(again).filter((id) => id === 'in-doubt')).toHaveLength(1)
      expect(lost).toEqual([])
    },
  )

  for (const cut of ['request', 'answer'] as const)
    waiting(`a restore whose ${cut} is lost happens once`, async () => {
      const { sandbox, proxy, ask, sell, reopened } = await behindProxy()
      await sell('kept')
      await ask('PUT', '/_sandbox/checkpoints/base', {})
      await sell('later')
      proxy.cutAt('commit', cut)
      const answer = await ask('POST', '/_sandbox/checkpoints/base/restore')
      expect([answer?.code, proxy.isArmed]).toEqual(['0', false])
      expect(idsIn(sandbox)).toEqual(['kept'])
      await sell('after')
      const before = plainStateOf(sandbox)
      expect(plainStateOf(await reopened())).toEqual(before)
    })

  waiting('settings whose write is cut off are written again', async () => {
    const { proxy, ask, reopened } = await behindProxy()
    proxy.cutAt('frozenAt', 'request')
    const answer = await ask('POST', '/_sandbox/clock', { action: 'freeze' })
    expect([answer?.code, proxy.isArmed]).toEqual(['0', false])
    expect((await reopened()).clock.state.frozenAt).not.toBeNull()
  })
})
