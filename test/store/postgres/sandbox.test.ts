import { describe, expect, onTestFinished, test } from 'vitest'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import { Database } from '../../../src/store/postgres/connection/database.ts'
import { sharedCluster, skipsPostgres, whileLocked } from '../../support/cluster/postgres.ts'
import { openAt } from '../../support/cluster/space-storage.ts'
import { askIn, dataOf } from '../../support/service/ask.ts'
import { newId } from '../../support/service/new-id.ts'
import { salePath } from '../../support/service/requests.ts'
import { plainLedgersOf, plainStateOf, sale } from '../../support/service/service.ts'

const reports: string[] = []

const open = (url: string): Promise<Sandbox> => openAt(url, { report: (message) => reports.push(message) })

const orderIn =
  (sandbox: Sandbox) =>
  async (method: string, path: string, members?: object): Promise<Record<string, unknown>> =>
    dataOf(await askIn(sandbox)(method, path, members), path)

describe.skipIf(skipsPostgres())('a sandbox on PostgreSQL', () => {
  test('payments, settings and snapshots are there after a restart', async () => {
    const cluster = await sharedCluster()
    const url = cluster.url()
    const first = await open(url)
    const order = orderIn(first)
    await Promise.all(
      Array.from({ length: 30 }, () => order('POST', salePath, sale(100, { transactionRequestId: newId() }))),
    )
    await order('POST', '/_sandbox/clock', { action: 'freeze' })
    await order('PUT', '/_sandbox/snapshots/base', {})
    await order('POST', salePath, sale(200))
    const before = plainStateOf(first)
    await first.close()

    const second = await open(url)
    expect(plainStateOf(second)).toEqual(before)
    expect(second.clock.state.frozenAt).not.toBeNull()
    const again = orderIn(second)
    const { snapshots } = await again('GET', '/_sandbox/snapshots')
    expect(snapshots).toMatchObject([{ name: 'base', transactions: 30, problem: null }])
    await again('POST', '/_sandbox/snapshots/base/restore')
    expect(second.engine.state.ledgers.values().next().value?.transactions.size).toBe(30)
    const restored = plainLedgersOf(second)
    await second.close()
    expect(plainLedgersOf(await open(url))).toEqual(restored)
    expect(reports).toEqual([])
  })

  test('texts with characters that PostgreSQL text cannot hold are stored, in one group with others', async () => {
    const url = (await sharedCluster()).url()
    const first = await open(url)
    const order = orderIn(first)
    const odd = '\u0000 \ud800 \uffff 😀'
    await order('POST', '/_sandbox/merchants', { merchantId: 'M-ODD', name: odd })
    await Promise.all(
      [odd, 'a', odd, 'b'].map((text) =>
        order(
          'POST',
          salePath,
          sale(100, { transactionRequestId: newId(), description: text, attach: text }),
        ),
      ),
    )
    await order('PUT', '/_sandbox/snapshots/odd', {})
    const [before, settings] = [plainStateOf(first), structuredClone(first.settings.data)]
    await first.close()
    const second = await open(url)
    expect(plainStateOf(second)).toEqual(before)
    expect(second.settings.data).toEqual(settings)
    expect(reports).toEqual([])
  })

  test('a start that fails gives its space back', async () => {
    const url = (await sharedCluster()).url()
    await (await open(url)).close()
    const database = await Database.open(url)
    onTestFinished(() => database.close())
    await database.run("alter table spaces add constraint nowhere check (settings::text not like '%/hook%')")
    const start = openAt(url, { forwardTo: 'http://127.0.0.1:9/hook' })
    await expect(start).rejects.toThrow('violates check constraint "nowhere"')
    expect((await database.run('select name, owner from spaces')).rows).toEqual([
      { name: 'default', owner: null },
    ])
  })

  test('a start makes the tables even if its process hangs for seconds meanwhile', async () => {
    const cluster = await sharedCluster()
    const schema = `busy_${process.pid}`
    const other = await Database.open(cluster.url())
    onTestFinished(() => other.close())
    const lock = `select pg_advisory_xact_lock(7164551, hashtext('${schema}'))`
    const waits = `select count(*) from pg_stat_activity where wait_event = 'advisory' and query like '%advisory_xact%'`
    const opening = await whileLocked(other, lock, async () => {
      const started = [Database.open(cluster.url(schema))]
      await expect.poll(() => cluster.ask(waits)).toBe('1')
      return started
    })
    for (const from = performance.now(); performance.now() - from < 2_300; );
    for (const database of await Promise.all(opening)) await database.close()
  })

  test('the location of the store has no password', async () => {
    const cluster = await sharedCluster()
    const sandbox = await open(cluster.url('shown'))
    expect(sandbox.options.state).toBe(`postgres://tillbox@127.0.0.1:${cluster.port}/postgres?schema=shown`)
  })
})
