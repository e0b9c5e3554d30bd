import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { databaseAt } from '../../support/access-places.ts'
import { noPostgres, sharedCluster, skipsPostgres } from '../../support/postgres.ts'

if (skipsPostgres()) process.stderr.write(noPostgres)

/** Holds this process up. */
const holdUp = (milliseconds: number) =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)

describe.skipIf(skipsPostgres())('a process that was held up', () => {
  test('takes the answer of the database that came meanwhile', async () => {
    const database = await databaseAt((await sharedCluster()).url())
    const asked = database.run("select 'an answer' as text from pg_sleep(0.05)", [], 300)
    for (let turns = 0; turns < 3; turns += 1) await turn() // the statement leaves
    holdUp(3_000)
    expect((await asked).rows).toEqual([{ text: 'an answer' }])
  })

  test('still ends a connection that does not answer', async () => {
    const database = await databaseAt((await sharedCluster()).url())
    await expect(database.run('select pg_sleep(60)', [], 100)).rejects.toThrow(/no answer in \d+ ms/)
  })
})
