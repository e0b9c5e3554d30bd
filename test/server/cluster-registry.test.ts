import { describe, expect, onTestFinished, test } from 'vitest'
import { ClusterRegistry } from '../../src/server/cluster/cluster-registry.ts'
import { Database } from '../../src/store/postgres/connection/database.ts'
import { noPostgres, sharedCluster, skipsPostgres } from '../support/cluster/postgres.ts'
import { cuttingProxy } from '../support/network/cutting-proxy.ts'

if (skipsPostgres()) process.stderr.write(noPostgres)

async function registryAt(url: string): Promise<ClusterRegistry> {
  const database = await Database.open(url)
  onTestFinished(() => database.close())
  return new ClusterRegistry(database)
}

describe.skipIf(skipsPostgres())('the spaces of a database', () => {
  test('a removal that arrives late does not remove a new space of the same name', async () => {
    const cluster = await sharedCluster()
    const proxy = await cuttingProxy(cluster.port)
    const direct = cluster.url()
    const one = await registryAt(direct.replace(`:${cluster.port}/`, `:${proxy.port}/`))
    const two = await registryAt(direct)
    const space = { name: 'ci-1', secret: (await one.add('ci-1', null, () => [])) ?? '' }
    proxy.cutAt('with gone as', 'late')
    await expect(one.remove(space)).rejects.toThrow('does not answer')
    await two.remove(space)
    expect(await two.find('ci-1')).toBe(undefined)
    const secret = await two.add('ci-1', null, () => [])
    await proxy.deliver()
    expect(await two.find('ci-1')).toMatchObject({ name: 'ci-1', secret })
  })

  test('a node is listed while it reports itself, and no longer once it leaves', async () => {
    const url = (await sharedCluster()).url()
    const database = await Database.open(url)
    onTestFinished(() => database.close())
    const registry = new ClusterRegistry(database)
    for (const name of ['one', 'two', 'asleep', 'dead'])
      await registry.present(name, `http://${name}.test`, Date.now)
    const setSeen = (name: string, milliseconds: number) =>
      database.run(`update nodes set seen_at = now() - $1 * interval '1 ms' where node = $2`, [
        milliseconds,
        name,
      ])
    await setSeen('asleep', 4_000)
    await setSeen('dead', 61_000)
    await registry.present('two', 'http://two.test:8456', Date.now)
    await setSeen('two', -60_000) // whenever the next statement comes
    expect(await registry.leave('one')).toEqual(['http://two.test:8456'])
    const { rows } = await database.run('select node from nodes order by node')
    expect(rows).toEqual([{ node: 'asleep' }, { node: 'two' }])
  })

  test('a space is found by its key with an index, however many spaces there are', async () => {
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
