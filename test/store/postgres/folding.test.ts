import { describe, expect, onTestFinished, test } from 'vitest'
import { openSandbox } from '../../../src/sandbox/sandbox.ts'
import { noPostgres, sharedCluster, skipsPostgres } from '../../support/cluster/postgres.ts'
import { askIn } from '../../support/service/ask.ts'
import { newId } from '../../support/service/new-id.ts'
import { salePath } from '../../support/service/requests.ts'
import { plainStateOf, sale } from '../../support/service/service.ts'

if (skipsPostgres()) process.stderr.write(noPostgres)

async function open(url: string, foldAfter: number) {
  const reports: string[] = []
  const sandbox = await openSandbox({ store: url, foldAfter, report: (message) => reports.push(message) })
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= sandbox.close()
    return closing
  }
  onTestFinished(close)
  const ask = askIn(sandbox)
  const sell = async (count: number) => {
    for (let sold = 0; sold < count; sold += 1)
      expect((await ask('POST', salePath, sale(100, { transactionRequestId: newId() })))?.code).toBe('0')
  }
  return { sandbox, reports, close, ask, sell }
}

describe.skipIf(skipsPostgres())('events that are replaced by a snapshot', () => {
  test('a start replaces many earlier events by a snapshot, and so does a stop', async () => {
    const cluster = await sharedCluster()
    const schema = `restart_${process.pid}`
    const url = cluster.url(schema)
    const first = await open(url, 1_000_000)
    await first.sell(40)
    await first.close()
    const second = await open(url, 20)
    await second.sell(5)
    await second.ask('POST', '/_sandbox/reset')
    await second.sell(5)
    const before = plainStateOf(second.sandbox)
    await second.close()
    expect(await cluster.ask(`select count(*) <= 10 from ${schema}.events`)).toBe('t')
    expect(plainStateOf((await open(url, 20)).sandbox)).toEqual(before)
    expect(second.reports).toEqual([])
  })

  test('a missing or changed snapshot or event is reported as damage, and nothing is touched', async () => {
    const cluster = await sharedCluster()
    const schema = `damage_${process.pid}`
    const url = cluster.url(schema)
    const first = await open(url, 1_000_000)
    await first.sell(5)
    await first.ask('POST', '/_sandbox/reset')
    await first.sell(5)
    await first.close()
    const damages = [
      [
        `delete from ${schema}.events where sequence = (select max(sequence) - 1 from ${schema}.events)`,
        /is missing, and it was acknowledged/,
      ],
      [
        `delete from ${schema}.events where sequence = (select max(sequence) from ${schema}.events)`,
        /is missing, and it was acknowledged/,
      ],
      [
        `update ${schema}.events set body = replace(body::text, ':100,', ':10,')::json`,
        /is damaged at line \d+ .*: the checksum of event \d+ does not match/,
      ],
      [
        `update ${schema}.events set body = replace(body::text, ',', ', ')::json where sequence = (select max(sequence) from ${schema}.events)`,
        /the checksum of event \d+ does not match/,
      ],
      [
        `update ${schema}.snapshots set body = replace(body, 'settings', 'setting') where line = 2`,
        /snapshot \d+ of the space default .* is damaged at line 2 .*: its checksum does not match/,
      ],
      [
        `delete from ${schema}.snapshots where line = (select max(line) from ${schema}.snapshots)`,
        /is damaged at line \d+ .*: its end is missing/,
      ],
    ] as const
    for (const [damage, message] of damages) {
      await cluster.ask(
        `create table ${schema}.e as table ${schema}.events; create table ${schema}.s as table ${schema}.snapshots`,
      )
      await cluster.ask(damage)
      await expect(openSandbox({ store: url })).rejects.toThrow(message)
      await cluster.ask(
        `truncate ${schema}.events, ${schema}.snapshots; insert into ${schema}.events table ${schema}.e;
          insert into ${schema}.snapshots table ${schema}.s; drop table ${schema}.e, ${schema}.s`,
      )
    }
    const again = await open(url, 1_000_000)
    expect(again.sandbox.engine.state.requests.size).toBe(5)
  })
})
