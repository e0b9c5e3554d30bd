import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Database } from '../../../src/store/postgres/connection/database.ts'
import { DatabaseAway } from '../../../src/store/postgres/connection/database-errors.ts'
import { LeaseKeeper, type LeaseOptions, SpaceTaken } from '../../../src/store/postgres/lease.ts'
import { SpaceHold } from '../../../src/store/postgres/space-hold.ts'
import { noPostgres, sharedCluster, skipsPostgres, whileLocked } from '../../support/cluster/postgres.ts'
import { openSpaceStorage } from '../../support/cluster/space-storage.ts'
import { cuttingProxy } from '../../support/network/cutting-proxy.ts'
import { sideBySide } from '../../support/runner/side-by-side.ts'
import { ElapsedClock } from '../../support/service/service.ts'

if (skipsPostgres()) process.stderr.write(noPostgres)

const never = (why: string) => {
  throw new Error(`it was lost: ${why}`)
}

const databaseWith = async (...spaces: string[]): Promise<Database> =>
  databaseAt((await sharedCluster()).url(), ...spaces)

async function databaseAt(url: string, ...spaces: string[]): Promise<Database> {
  const database = await Database.open(url)
  onTestFinished(() => database.close())
  for (const space of spaces) await database.run('insert into spaces (name) values ($1)', [space])
  return database
}

function keeperOn(database: Database, options: Partial<LeaseOptions> = {}): LeaseKeeper {
  const keeper = new LeaseKeeper({
    database,
    node: randomUUID(),
    url: 'http://node.test:8455',
    renewEveryMs: 600_000, // the test renews
    report: (message) => {
      throw new Error(message)
    },
    ...options,
  })
  onTestFinished(() => keeper.stop())
  return keeper
}

/** As if so much time had passed for the database. */
const passIn = (database: Database, milliseconds: number) =>
  database.run(`update spaces set leased_until = leased_until - $1 * interval '1 ms'`, [milliseconds])

describe.skipIf(skipsPostgres())('leases of spaces', () => {
  const waiting = sideBySide()

  test('one node at a time has a space, and another gets it with the next epoch once it is given back', async () => {
    const database = await databaseWith('ci-1')
    const [one, two] = [keeperOn(database), keeperOn(database)]
    const taken = await one.acquire('ci-1', never)
    expect(taken).toEqual({ space: 'ci-1', epoch: 1, position: 0, settingsVersion: 0 })
    await passIn(database, -60_000)
    const refused: SpaceTaken = await two.acquire('ci-1', never, 0).catch((error) => error)
    expect(refused).toMatchObject({
      name: 'SpaceTaken',
      message: 'The space ci-1 is in use by another sandbox at http://node.test:8455',
      ownerUrl: 'http://node.test:8455',
    })
    expect(refused.leftMs).toBeGreaterThan(50_000)
    expect([one.isHeld('ci-1'), two.isHeld('ci-1')]).toEqual([true, false])
    await one.release(taken)
    expect(one.isHeld('ci-1')).toBe(false)
    expect(await two.acquire('ci-1', never, 0)).toEqual({
      space: 'ci-1',
      epoch: 2,
      position: 0,
      settingsVersion: 0,
    })
  })

  test('a space whose lease has ended is taken over, and its former node learns it at the next renewal', async () => {
    const database = await databaseWith('ci-1', 'ci-2')
    const lost: string[] = []
    const one = keeperOn(database)
    await one.acquire('ci-1', (why) => lost.push(why))
    await one.acquire('ci-2', never)
    await passIn(database, 3_001)
    const two = keeperOn(database)
    await two.acquire('ci-1', never, 0)
    await one.renew()
    expect(lost).toEqual(['another node has taken it over, or it was removed'])
    expect([one.isHeld('ci-1'), one.isHeld('ci-2'), two.isHeld('ci-1')]).toEqual([false, true, true])
  })

  test('a renewal keeps every space of the node, and a late one gets them back if nobody took them', async () => {
    const database = await databaseWith('ci-1', 'ci-2')
    const clock = new ElapsedClock()
    const one = keeperOn(database, { elapsed: clock.read })
    await one.acquire('ci-1', never)
    await one.acquire('ci-2', never)
    await passIn(database, 10_000)
    clock.at = 10_000
    expect([one.isHeld('ci-1'), one.isHeld('ci-2')]).toEqual([false, false])
    await one.renew()
    expect([one.isHeld('ci-1'), one.isHeld('ci-2')]).toEqual([true, true])
    await expect(keeperOn(database).acquire('ci-2', never, 0)).rejects.toThrow(SpaceTaken)
  })

  test('assumption postgres-lease: a lease counts from when its renewal was sent; a node that slept distrusts it', async () => {
    const database = await databaseWith('ci-1')
    const clock = new ElapsedClock()
    const one = keeperOn(database, { elapsed: clock.read, leaseMs: 3_000, marginMs: 500 })
    await one.acquire('ci-1', never)
    clock.at = 2_499
    expect(one.isHeld('ci-1')).toBe(true)
    clock.at = 2_500
    expect(one.isHeld('ci-1')).toBe(false)
    const renewal = one.renew()
    clock.at = 4_000 // the answer takes that long
    await renewal
    clock.at = 4_999
    expect(one.isHeld('ci-1')).toBe(true)
    clock.at = 5_000
    expect(one.isHeld('ci-1')).toBe(false)
  })

  test('a former holder of a space that was taken again does not give it back', async () => {
    const database = await databaseWith('ci-1')
    const [one, two] = [keeperOn(database), keeperOn(database)]
    const before = await one.acquire('ci-1', () => undefined)
    await passIn(database, 3_001)
    const between = await two.acquire('ci-1', never, 0)
    await one.renew()
    await two.release(between)
    await one.acquire('ci-1', never, 0)
    await one.release(before)
    expect(one.isHeld('ci-1')).toBe(true)
    await expect(two.acquire('ci-1', never, 0)).rejects.toThrow(SpaceTaken)
  })

  test('a release that was abandoned frees nothing that the same node took later, even when it arrives late', async () => {
    const cluster = await sharedCluster()
    const [proxy, direct] = [await cuttingProxy(cluster.port), cluster.url()]
    const database = await databaseAt(direct.replace(`:${cluster.port}/`, `:${proxy.port}/`), 'ci-1')
    const one = keeperOn(database)
    const before = await one.acquire('ci-1', never)
    proxy.cutAt('set owner = null', 'late')
    await expect(one.release(before)).rejects.toThrow(DatabaseAway)
    await one.acquire('ci-1', never, 0)
    await proxy.deliver()
    await expect(keeperOn(await databaseAt(direct)).acquire('ci-1', never, 0)).rejects.toThrow(SpaceTaken)
  })

  test('a locked row delays no other: its space is not renewed and cannot be taken', async () => {
    const url = (await sharedCluster()).url()
    const [database, other] = [await databaseAt(url, 'ci-1', 'ci-2', 'ci-3'), await databaseAt(url)]
    const clock = new ElapsedClock()
    const one = keeperOn(database, { elapsed: clock.read, leaseMs: 3_000, marginMs: 500 })
    await one.acquire('ci-1', never)
    await one.acquire('ci-2', never)
    await whileLocked(other, "select from spaces where name in ('ci-1', 'ci-3') for update", async () => {
      clock.at = 1_000
      expect(await one.renew()).toBe(false)
      clock.at = 2_499
      expect([one.isHeld('ci-1'), one.isHeld('ci-2')]).toEqual([true, true])
      clock.at = 2_500
      expect([one.isHeld('ci-1'), one.isHeld('ci-2')]).toEqual([false, true])
      await expect(one.acquire('ci-3', never, 0)).rejects.toThrow(SpaceTaken)
    })
    expect(await one.renew()).toBe(true)
    expect([one.isHeld('ci-1'), one.isHeld('ci-2')]).toEqual([true, true])
  })

  waiting(
    'a node that sleeps in a transaction blocks nobody, as the server ends the transaction',
    async () => {
      const url = (await sharedCluster()).url()
      const [database, other] = [await databaseAt(url, 'ci-1'), await databaseAt(url)]
      const leases = keeperOn(database)
      const asleep = other.transaction(async (run) => {
        await run("select from spaces where name = 'ci-1' for share")
        await expect(leases.acquire('ci-1', never, 0)).rejects.toThrow(SpaceTaken)
        await expect.poll(() => leases.acquire('ci-1', never, 0).then(() => 'taken', String)).toBe('taken')
        await run('select 1')
      })
      await expect(asleep).rejects.toThrow(/idle-in-transaction timeout/)
      expect((await other.run('select 1')).count).toBe(1)
    },
  )

  test('a write to a space renews its lease', async () => {
    const database = await databaseWith('ci-1')
    const clock = new ElapsedClock()
    const leases = keeperOn(database, { elapsed: clock.read, leaseMs: 3_000, marginMs: 500 })
    const { store } = await openSpaceStorage({ database, leases, space: 'ci-1' })
    await passIn(database, 2_999)
    clock.at = 2_400
    await store.append({ stream: 'a merchant', sequence: 1, at: 0, events: [] })
    clock.at = 4_899
    expect(leases.isHeld('ci-1')).toBe(true)
    clock.at = 4_900
    expect(leases.isHeld('ci-1')).toBe(false)
    await passIn(database, 1_000)
    await expect(keeperOn(database).acquire('ci-1', never, 0)).rejects.toThrow(SpaceTaken)
    await store.close(null)
  })

  test('the position of --forward-to is written once the database is back, even if nothing follows', async () => {
    const [cluster, space] = [await sharedCluster(), 'ci-1']
    const [proxy, direct] = [await cuttingProxy(cluster.port), cluster.url()]
    const database = await databaseAt(direct.replace(`:${cluster.port}/`, `:${proxy.port}/`), space)
    const { store, forwarded } = await openSpaceStorage({ database, leases: keeperOn(database), space })
    const messages: string[] = []
    const position = await forwarded('http://shop.test/hook', ({ message }) => messages.push(message))
    proxy.cutAt('insert into positions', 'request')
    position.keep('first')
    await position.flush()
    expect(messages).toEqual([expect.stringContaining('does not answer')])
    const storedPositions = async () =>
      (await (await databaseAt(direct)).run('select id from positions')).rows
    await expect.poll(storedPositions).toEqual([{ id: 'first' }])
    expect(messages).toHaveLength(1)
    await store.close(null)
  })

  test('an epoch that was raised to settle a write is not raised again by a late statement', async () => {
    const [cluster, space] = [await sharedCluster(), 'ci-1']
    const proxy = await cuttingProxy(cluster.port)
    const database = await databaseAt(cluster.url().replace(`:${cluster.port}/`, `:${proxy.port}/`), space)
    const leases = keeperOn(database)
    const taken = await leases.acquire(space, never)
    const lost: Error[] = []
    const hold = new SpaceHold({
      database,
      space,
      node: leases.node,
      taken,
      lost: (error) => lost.push(error),
    })
    const write = () =>
      hold.write(1, async ({ epoch, next }) => {
        const { count } = await database.run('update spaces set position = $1 where epoch = $2', [
          next,
          epoch,
        ])
        return count === 1
      })
    proxy.cutAt('set epoch = nextval', 'late')
    let isFirst = true
    await hold.write(1, async () => {
      if (!isFirst) return true
      isFirst = false
      throw new DatabaseAway('a database', 'the connection was lost')
    })
    await database.run('update spaces set position = $1', [hold.position])
    await proxy.deliver()
    await write()
    expect([hold.position, lost]).toEqual([2, []])
  })

  test('a renewal sent before a space was given back and taken again does not end its hold', async () => {
    const database = await databaseWith('ci-1')
    const one = keeperOn(database)
    const before = await one.acquire('ci-1', never)
    await database.run('update spaces set owner = null')
    const renewal = one.renew()
    const released = one.release(before)
    await one.acquire('ci-1', never)
    await Promise.all([renewal, released])
    expect(one.isHeld('ci-1')).toBe(true)
  })

  waiting('a lease is renewed automatically, and another node waits until it ends', async () => {
    const database = await databaseWith('ci-1')
    const one = keeperOn(database, { leaseMs: 2_000, renewEveryMs: 200, marginMs: 100 })
    await one.acquire('ci-1', never)
    const two = keeperOn(database, { leaseMs: 2_000 })
    await expect(two.acquire('ci-1', never, 2_600)).rejects.toThrow(SpaceTaken)
    one.stop()
    await expect(two.acquire('ci-1', never, 60_000)).resolves.toEqual({
      space: 'ci-1',
      epoch: 2,
      position: 0,
      settingsVersion: 0,
    })
  })
})
