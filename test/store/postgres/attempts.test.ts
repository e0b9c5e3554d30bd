import { describe, expect, onTestFinished, test } from 'vitest'
import { Database } from '../../../src/store/postgres/connection/database.ts'
import { sharedCluster, skipsPostgres } from '../../support/cluster/postgres.ts'
import { openSession } from '../../support/cluster/space-storage.ts'

const attempt = { merchantId: '1', number: 1 }

/** Of so many rows the oldest are removed when attempts are added, and so many stay. */
const [many, remaining] = [10_500, 10_000]

/** A space of a database, with as many attempts in both logs. */
async function newSpace() {
  const url = (await sharedCluster()).url()
  const database = await Database.open(url)
  onTestFinished(() => database.close())
  await database.run("insert into spaces (name) values ('ci-1'), ('ci-2')")
  await database.run(
    `insert into attempts (space, merchant_id, number, body)
      select space, '1', number, '{}' from generate_series(1, ${many}) as number, (values ('ci-1'), ('ci-2')) as spaces(space)`,
  )
  const open = async () => {
    const { open, kill } = await openSession(url)
    const opened = await open('ci-1')
    const log = opened.attempts<typeof attempt>()
    const trim = () => {
      for (let added = 0; added < 1_000; added += 1) log.add(attempt)
      return log.written()
    }
    return { trim, kill, forget: () => log.forget() }
  }
  const rows = async () =>
    (await database.run('select space, count(*) from attempts group by space order by space')).rows.map(
      ({ space, count }) => [space, Number(count)],
    )
  return { open, rows }
}

describe.skipIf(skipsPostgres())('attempts of webhooks in a database', () => {
  test('the oldest attempts are removed after many, and all of them when a log is deleted', async () => {
    const { open, rows } = await newSpace()
    const { trim, forget } = await open()
    await trim()
    expect(await rows()).toEqual([
      ['ci-1', remaining],
      ['ci-2', many],
    ])
    await forget()
    expect(await rows()).toEqual([['ci-2', many]])
  })

  test.each(['trim', 'forget'] as const)(
    'a former owner of the space removes no attempt of the new one: %s',
    async (remove) => {
      const { open, rows } = await newSpace()
      const former = await open()
      await former.kill()
      await open()
      await former[remove]()
      expect(await rows()).toEqual([
        ['ci-1', many],
        ['ci-2', many],
      ])
    },
  )
})
