import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { DatabaseAway } from '../../../src/store/postgres/connection/database-errors.ts'
import { SpaceHold } from '../../../src/store/postgres/space-hold.ts'
import { databaseAt } from '../../support/access-stores.ts'
import { noPostgres, sharedCluster, skipsPostgres } from '../../support/cluster/postgres.ts'

if (skipsPostgres()) process.stderr.write(noPostgres)

/** Holds this process up. */
const holdUp = (milliseconds: number) =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)

describe.skipIf(skipsPostgres())('a process that was held up', () => {
  test('a process that was held up still takes the answer that the database sent meanwhile', async () => {
    const database = await databaseAt((await sharedCluster()).url())
    const answer = database.run("select 'an answer' as text from pg_sleep(0.05)", [], 300)
    for (let turns = 0; turns < 3; turns += 1) await turn() // the statement leaves
    holdUp(3_000)
    expect((await answer).rows).toEqual([{ text: 'an answer' }])
  })

  test.each([1, 6])(
    'a process that was held up goes on with a connection that it began %i turns before',
    async (turns) => {
      const database = await databaseAt((await sharedCluster()).url())
      const answer = database.runApart("select 'an answer' as text", [], 1_200) // its connection is opened for it
      for (let count = 0; count < turns; count += 1) await turn()
      holdUp(1_400)
      expect((await answer).rows).toEqual([{ text: 'an answer' }])
    },
  )

  test('a statement with almost no time left is not sent once a connection is free', async () => {
    const database = await databaseAt(`${(await sharedCluster()).url()}&pool=1`)
    const before = database.run('select pg_sleep(1.6)')
    const late = database.run('select pg_sleep(0.5)', [], 1_800).catch((error: unknown) => error)
    expect(await late).toMatchObject({
      message: expect.stringContaining('no connection was free in'),
      connection: null, // on which it might still happen
    })
    await before
  })

  test('a write that was not sent is refused, rather than sent with almost no time left', async () => {
    const database = await databaseAt(`${(await sharedCluster()).url()}&unavailable_after=1`)
    const [space, node] = ['patience', 'a node']
    await database.run('insert into spaces (name, owner, epoch) values ($1, $2, 1)', [space, node])
    const taken = { space, epoch: 1, position: 0, settingsVersion: 0 }
    const hold = new SpaceHold({ database, space, node, taken, lost: () => undefined })
    const patiences: number[] = []
    const written = hold.write(1, async (_, patience) => {
      patiences.push(patience)
      await sleep(930)
      throw new DatabaseAway('a database', 'the connection was lost')
    })
    await expect(written).rejects.toThrow(DatabaseAway)
    expect(patiences.filter((patience) => patience < 50)).toEqual([])
  })

  test('a process that was held up still ends a connection that does not answer', async () => {
    const database = await databaseAt((await sharedCluster()).url())
    await expect(database.run('select pg_sleep(60)', [], 100)).rejects.toThrow(/no answer in \d+ ms/)
  })
})
