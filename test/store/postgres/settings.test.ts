import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Low } from 'lowdb'
import { describe, expect, onTestFinished, test } from 'vitest'
import { noSettings, type Settings } from '../../../src/domain/settings.ts'
import { Database } from '../../../src/store/postgres/connection/database.ts'
import { LeaseKeeper } from '../../../src/store/postgres/lease.ts'
import { settingsRows } from '../../../src/store/postgres/settings-row.ts'
import { SpaceHold } from '../../../src/store/postgres/space-hold.ts'
import { openSpaceSettings } from '../../../src/store/postgres/space-settings.ts'
import type { OpenStorage } from '../../../src/store/storage/storage.ts'
import { noPostgres, sharedCluster, skipsPostgres } from '../../support/cluster/postgres.ts'
import { openSpaceStorage } from '../../support/cluster/space-storage.ts'
import { cuttingProxy } from '../../support/network/cutting-proxy.ts'

if (skipsPostgres()) process.stderr.write(noPostgres)

/** A database with a space. */
async function databaseWith(space: string, url?: string): Promise<Database> {
  const database = await Database.open(url ?? (await sharedCluster()).url())
  onTestFinished(() => database.close())
  await database.run('insert into spaces (name) values ($1)', [space])
  return database
}

/** Settings of a sandbox whose clock stands so many seconds after a fixed moment. */
const frozenAt = (seconds: number): Settings => ({
  ...noSettings(),
  clock: { offset: 0, frozenAt: 1_800_000_000_000 + seconds * 1000 },
})

const freeze = (settings: Low<Settings>, seconds: number) =>
  settings.update((data) => void Object.assign(data, frozenAt(seconds)))

const secondsIn = ({ data }: Low<Settings>) => ((data.clock.frozenAt ?? 0) - 1_800_000_000_000) / 1000

describe.skipIf(skipsPostgres())('settings of a space', () => {
  test('a released hold does not overwrite what the same node holds now', async () => {
    const [space, node] = ['settings-fence', randomUUID()]
    const database = await databaseWith(space)
    const leases = new LeaseKeeper({ database, node, url: null, report: () => undefined })
    onTestFinished(() => leases.stop())
    const take = async () => {
      const taken = await leases.acquire(space, () => undefined, 0)
      const hold = new SpaceHold({ database, space, node, taken, lost: () => undefined })
      return {
        taken,
        hold,
        settings: await openSpaceSettings({ database, space, hold, node, toRow: settingsRows(0) }),
      }
    }
    const before = await take()
    await freeze(before.settings, 1)
    await leases.release(before.taken)
    const now = await take()
    await freeze(now.settings, 2)
    await expect(freeze(before.settings, 3)).rejects.toThrow('another node has taken it over')
    await now.settings.read()
    expect([secondsIn(now.settings), before.hold.lost === null, now.hold.lost]).toEqual([2, false, null])
  })

  test.each([
    ['settings', (storage: OpenStorage) => freeze(storage.settings, 2)],
    [
      'a restore',
      ({ store, state }: OpenStorage) =>
        store.replace(
          () => state,
          () => frozenAt(2),
        ),
    ],
  ] as const)(
    'an abandoned write loses to %s of a later time, even when it arrives after them',
    async (_, later) => {
      const space = 'settings-late'
      const cluster = await sharedCluster()
      const proxy = await cuttingProxy(cluster.port)
      const database = await databaseWith(
        space,
        cluster.url().replace(`:${cluster.port}/`, `:${proxy.port}/`),
      )
      const report = () => undefined
      const leases = new LeaseKeeper({ database, node: randomUUID(), url: null, report })
      onTestFinished(() => leases.stop())
      const storage = await openSpaceStorage({ database, leases, space })
      proxy.cutAt('"frozenAt":1800000001000', 'late')
      await freeze(storage.settings, 1)
      await later(storage)
      await proxy.deliver()
      await storage.settings.read()
      expect(secondsIn(storage.settings)).toBe(2)
      await storage.store.close(null)
    },
  )

  test('settings wait while the epoch is raised to settle another write, and are then written', async () => {
    const [space, node] = ['settings-settle', randomUUID()]
    const database = await databaseWith(space)
    await database.run('update spaces set owner = $1, epoch = 2 where name = $2', [node, space])
    const hold = {
      epoch: 1, // it was raised in the database, and the answer is on its way
      isInDoubt: true,
      requireHeld: () => undefined,
      lose: (why: string): never => {
        throw new Error(why)
      },
    }
    const settings = await openSpaceSettings({ database, space, hold, node, toRow: settingsRows(0) })
    const written = freeze(settings, 5)
    await sleep(250)
    Object.assign(hold, { epoch: 2, isInDoubt: false })
    await written
    await settings.read()
    expect(secondsIn(settings)).toBe(5)
  })
})
