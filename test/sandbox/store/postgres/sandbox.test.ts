import { describe, expect, test } from 'vitest'
import { Database } from '../../../../src/sandbox/store/postgres/connection/database.ts'
import { databaseAt } from '../../../support/access-stores.ts'
import { sharedCluster, skipsPostgres, whileLocked } from '../../../support/cluster/postgres.ts'
import { openAt } from '../../../support/cluster/space-storage.ts'

describe.skipIf(skipsPostgres())('a sandbox on PostgreSQL', () => {
  test('a start that fails gives its space back', async () => {
    const url = (await sharedCluster()).url()
    await (await openAt(url)).close()
    const database = await databaseAt(url)
    await database.run("alter table spaces add constraint nowhere check (settings::text not like '%/hook%')")
    const start = openAt(url, { forwardTo: 'http://127.0.0.1:9/hook' })
    await expect(start).rejects.toThrow('violates check constraint "nowhere"')
    const owners = await database.run('select name, owner from spaces')
    expect(owners.rows).toEqual([{ name: 'default', owner: null }])
  })

  test('a start makes the tables even if its process hangs for seconds meanwhile', async () => {
    const cluster = await sharedCluster()
    const schema = `busy_${process.pid}`
    const lock = `select pg_advisory_xact_lock(7164551, hashtext('${schema}'))`
    const waits = `select count(*) from pg_stat_activity where wait_event = 'advisory' and query like '%advisory_xact%'`
    const opening = await whileLocked(cluster.url(), lock, async () => {
      const started = [Database.open(cluster.url(schema))]
      await expect.poll(() => cluster.ask(waits)).toBe('1')
      return started
    })
    for (const from = performance.now(); performance.now() - from < 2_300; );
    for (const database of await Promise.all(opening)) await database.close()
  })
})
