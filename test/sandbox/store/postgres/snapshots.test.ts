import { describe, expect, test } from 'vitest'
import { schemaOf, sharedCluster, skipsPostgres } from '../../../support/cluster/postgres.ts'
import { openAt } from '../../../support/cluster/space-storage.ts'
import { askIn } from '../../../support/service/ask.ts'
import { salePath } from '../../../support/service/requests.ts'
import { plainStateOf, sale } from '../../../support/service/service.ts'

/** A sandbox in a database that is new, and its numbers of saved states and of events. */
async function newDatabase() {
  const cluster = await sharedCluster()
  const url = cluster.url()
  const schema = schemaOf(url)
  const reports: string[] = []
  const open = async (saveAfter: number) => {
    const sandbox = await openAt(url, { saveAfter, report: (message) => reports.push(message) })
    const ask = askIn(sandbox)
    const sell = async (count: number) => {
      for (let sold = 0; sold < count; sold += 1)
        expect((await ask('POST', salePath, sale(100)))?.code).toBe('0')
    }
    return { sandbox, close: sandbox.close, ask, sell }
  }
  const counts = () =>
    cluster.ask(
      `select (select count(distinct sequence) from ${schema}.states), (select count(*) from ${schema}.events)`,
    )
  return { cluster, schema, url, reports, open, counts }
}

describe.skipIf(skipsPostgres())('saved states of a space', () => {
  test('a space that is closed with many events since the last saved state has a saved state in their place', async () => {
    const { open, counts, reports } = await newDatabase()
    for (const [sales, expected] of [
      [5, /^0\|[1-9]/],
      [20, /^1\|0$/],
      [3, /^1\|[1-9]/],
      [20, /^1\|0$/],
    ] as const) {
      const opened = await open(20)
      await opened.sell(sales)
      const before = plainStateOf(opened.sandbox)
      await opened.close()
      expect(await counts()).toMatch(expected)
      const again = await open(1_000)
      expect(plainStateOf(again.sandbox)).toEqual(before)
      await again.close()
    }
    expect(reports).toEqual([])
  })

  test('a space that is opened with many events writes a saved state while it serves, and a reset loses nothing', async () => {
    const { open, counts, reports } = await newDatabase()
    const first = await open(1_000_000)
    await first.sell(40)
    await first.close()
    const second = await open(20)
    await second.sell(5)
    await expect.poll(counts).toMatch(/^1\|\d$/)
    await second.ask('POST', '/_sandbox/reset')
    await second.sell(5)
    const before = plainStateOf(second.sandbox)
    await second.close()
    expect(plainStateOf((await open(20)).sandbox)).toEqual(before)
    expect(reports).toEqual([])
  })

  test('a missing or changed saved state or event is reported as damage, and nothing is touched', async () => {
    const { cluster, schema, url, open } = await newDatabase()
    const first = await open(1_000_000)
    await first.sell(5)
    await first.ask('POST', '/_sandbox/reset')
    await first.sell(5)
    await first.close()
    const isLast = `sequence = (select max(sequence) from ${schema}.events)`
    for (const [damage, message] of [
      [`delete from ${schema}.events where ${isLast}`, /it is missing, and it was acknowledged/],
      [`truncate ${schema}.events`, /it is missing, and it was acknowledged/],
      [
        `delete from ${schema}.events where sequence = (select max(sequence) - 1 from ${schema}.events)`,
        /is damaged at line \d+: it is missing, and it was acknowledged/,
      ],
      [
        `update ${schema}.events set body = replace(body::text, ':100,', ':10,')::json`,
        /journal of the space default .* is damaged at line \d+: its checksum does not match/,
      ],
      [
        `update ${schema}.events set body = replace(body::text, ',', ', ')::json where ${isLast}`,
        /its checksum does not match/,
      ],
      [
        `update ${schema}.states set body = replace(body, 'settings', 'setting')`,
        /saved state \d+ of the space default .* is damaged at line \d+ .*: its checksum does not match/,
      ],
      [
        `update ${schema}.states set body = left(body, -length(substring(body from '[^\n]*$')) - 1)`,
        /is damaged at line \d+ .*: its end is missing/,
      ],
    ] as const) {
      await cluster.ask(
        `create table ${schema}.e as table ${schema}.events; create table ${schema}.s as table ${schema}.states; ${damage}`,
      )
      await expect(openAt(url)).rejects.toMatchObject({
        message: expect.stringMatching(message),
        remedy: 'Nothing was changed. Bring the database back from a backup',
      })
      await cluster.ask(
        `truncate ${schema}.events, ${schema}.states; insert into ${schema}.events table ${schema}.e;
          insert into ${schema}.states table ${schema}.s; drop table ${schema}.e, ${schema}.s`,
      )
    }
    expect((await open(1_000_000)).sandbox.engine.state.requests.size).toBe(5)
  })
})
