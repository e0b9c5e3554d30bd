import { describe, expect, test } from 'vitest'
import { Database } from '../../src/sandbox/store/postgres/connection/database.ts'
import { SpaceRegistry } from '../../src/server/cluster/space-registry.ts'
import { databaseAt } from '../support/access-stores.ts'
import { sharedCluster, skipsPostgres } from '../support/cluster/postgres.ts'
import { openSession } from '../support/cluster/space-storage.ts'
import { cuttingProxy } from '../support/network/cutting-proxy.ts'

const unlimited = { ttlMs: null, madeBy: null }

const registryAt = async (url: string) => new SpaceRegistry(await databaseAt(url))

describe.skipIf(skipsPostgres())('the spaces of a database', () => {
  test('a removal that arrives late does not remove a new space of the same name', async () => {
    const cluster = await sharedCluster()
    const proxy = await cuttingProxy(cluster.port)
    const direct = cluster.url()
    const one = await registryAt(direct.replace(`:${cluster.port}/`, `:${proxy.port}/`))
    const two = await registryAt(direct)
    const space = { name: 'ci-1', secret: (await one.add('ci-1', unlimited, () => []))?.secret ?? '' }
    proxy.cutAt('update spaces set expires_at', 'late')
    await expect(one.remove(space)).rejects.toThrow('does not answer')
    await two.remove(space)
    expect(await two.find('ci-1')).toBe(undefined)
    const secret = (await two.add('ci-1', unlimited, () => []))?.secret
    await proxy.deliver()
    expect(await two.find('ci-1')).toMatchObject({ name: 'ci-1', secret })
  })

  test('a node whose session ended no longer serves its space, even before another one has taken it', async () => {
    const { database, open } = await openSession((await sharedCluster()).url())
    await open('held')
    await database.run(
      "insert into spaces (name, owner, owner_url) values ('left', 'x', 'http://127.0.0.1:1')",
    )
    const { owners, wanted, ended } = await new SpaceRegistry(database).survey(10, ['held', 'left'])
    expect([owners, wanted, ended]).toEqual([{ held: null }, ['left'], []])
  })

  test('a space is found by its key with an index, however many spaces there are', async () => {
    const cluster = await sharedCluster()
    const schema = `keys_${process.pid}`
    const database = await Database.open(cluster.url(schema))
    await database.run(
      `insert into spaces (name, keys) select 'ci-' || n, array['sk_a' || n, 'sk_b' || n] from generate_series(1, 10000) as n`,
    )
    await database.run('analyze spaces')
    const registry = new SpaceRegistry(database)
    const found = [await registry.spaceOfKey('sk_b77'), await registry.spaceOfKey('sk_none')]
    await database.close() // what its connections counted is there a moment later
    expect(found).toEqual(['ci-77', undefined])
    const scans = `select idx_scan from pg_stat_user_indexes where schemaname = '${schema}' and indexrelname = 'spaces_keys_idx'`
    await expect.poll(() => cluster.ask(scans)).toBe('2')
  })
})
