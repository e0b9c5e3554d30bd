import { describe, expect, test } from 'vitest'
import { ClusterRegistry } from '../../src/server/cluster/cluster-registry.ts'
import { Database } from '../../src/store/postgres/connection/database.ts'
import { noPostgres, sharedCluster, skipsPostgres } from '../support/postgres.ts'

if (skipsPostgres()) process.stderr.write(noPostgres)

describe.skipIf(skipsPostgres())('the spaces of a database', () => {
  test('one is found by its key with an index, however many there are', async () => {
    const cluster = await sharedCluster()
    const schema = `keys_${process.pid}`
    const database = await Database.open(cluster.url(schema))
    await database.run(
      `insert into spaces (name, keys) select 'ci-' || n, array['sk_a' || n, 'sk_b' || n] from generate_series(1, 10000) as n`,
    )
    await database.run('analyze spaces')
    const registry = new ClusterRegistry(database)
    const found = [await registry.spaceOfKey('sk_b77'), await registry.spaceOfKey('sk_none')]
    await database.close() // what its connections counted is there a moment later
    expect(found).toEqual(['ci-77', undefined])
    const scans = `select idx_scan from pg_stat_user_indexes where schemaname = '${schema}' and indexrelname = 'spaces_keys_idx'`
    await expect.poll(() => cluster.ask(scans)).toBe('2')
  })
})
