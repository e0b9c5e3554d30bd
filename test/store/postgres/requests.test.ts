import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createState } from '../../../src/domain/state.ts'
import { builtIn } from '../../../src/fixtures.ts'
import type { LoggedRequest } from '../../../src/request-log/logged-request.ts'
import { RequestLog } from '../../../src/request-log/request-log.ts'
import { openSandbox, type Sandbox } from '../../../src/sandbox/sandbox.ts'
import { Database } from '../../../src/store/postgres/connection/database.ts'
import { LeaseKeeper } from '../../../src/store/postgres/lease.ts'
import { spaceStorage } from '../../../src/store/postgres/postgres-storage.ts'
import type { RequestRecord } from '../../../src/store/storage/storage.ts'
import { noPostgres, sharedCluster, skipsPostgres, whileLocked } from '../../support/cluster/postgres.ts'
import { sideBySide } from '../../support/runner/side-by-side.ts'
import { askIn } from '../../support/service/ask.ts'
import { apiKey, sale } from '../../support/service/service.ts'

if (skipsPostgres()) process.stderr.write(noPostgres)

const now = Date.parse('2026-11-20T12:00:00Z')

/** A request that is hard to carry. */
const requestOf = (number: number, more: Partial<LoggedRequest> = {}): LoggedRequest => ({
  at: now + number,
  method: 'POST',
  path: `/v1/\u0000/\ud800/é"\\{},${number}`,
  status: 200,
  code: 'C17',
  traceId: randomUUID(),
  durationMs: 1.25,
  notes: ['a note'],
  operation: 'sale',
  baseUrl: 'http://127.0.0.1:8455',
  target: '/v1/?a=1',
  headers: 'Host\n127.0.0.1',
  body: `{"text":"\\u0000 \u0000 \ud800 é€😀 ${number}"}`,
  bodyLength: 40,
  answerHeaders: [],
  answer: '{}',
  answerLength: 2,
  field: undefined,
  detail: 'why',
  remedy: undefined,
  others: [],
  fault: null,
  caller: 'a till',
  repeats: null,
  hasHidden: false,
  ...more,
})

/** A look-up that folds with every other one. */
const lookUp = (): LoggedRequest => {
  const traceId = randomUUID()
  const answer = JSON.stringify({ traceId, data: { transactionId: '1' } })
  return requestOf(0, {
    method: 'GET',
    operation: 'query',
    code: '0',
    traceId,
    answer,
    answerLength: answer.length,
  })
}

const plain = (value: object): object => JSON.parse(JSON.stringify(value)) as object

const addTo = (log: RequestLog, count: number): void => {
  for (let number = 0; number < count; number += 1) log.add(requestOf(number))
}

/** The request log of a space, while a node has it. */
interface OpenRequestLog {
  readonly log: RequestLog
  readonly record: RequestRecord<LoggedRequest>
  readonly reports: string[]
  close(): Promise<void>
}

/** A space of a database, and its rows. */
async function newSpace() {
  const url = (await sharedCluster()).url()
  const database = await Database.open(url)
  onTestFinished(() => database.close())
  await database.run("insert into spaces (name) values ('ci-1'), ('ci-2')")
  const rows = async (what = 'number') =>
    (
      await database.run(`select ${what} as found from requests where space = 'ci-1' order by number`)
    ).rows.map(({ found }) => found)
  const open = async (log = new RequestLog(), space = 'ci-1', isLookedAt = true): Promise<OpenRequestLog> => {
    const reports: string[] = []
    const report = (message: string) => void reports.push(message)
    const leases = new LeaseKeeper({ database, node: randomUUID(), url: null, renewEveryMs: 600_000, report })
    const opened = await spaceStorage({ database, leases, space }).open({
      empty: () => createState(builtIn),
      wall: () => now,
      forwards: false,
      ownAccess: null,
      failed: (error) => report(error.message),
      lost: (error) => report(error.message),
      report,
    })
    const record = opened.requests?.(log)
    if (record === undefined) throw new Error('a space of PostgreSQL has no record of requests')
    await log.follow(record)
    if (isLookedAt) await log.whole()
    let closing: Promise<void> | undefined
    const close = () => {
      closing ??= opened.store.close(null).then(() => leases.stop())
      return closing
    }
    onTestFinished(close)
    return { log, record, reports, close }
  }
  return { url, database, rows, open }
}

/** As when another node takes the space: its lease has ended. */
const endLease = (database: Database) =>
  database.run("update spaces set leased_until = now() - interval '1 s'")

describe.skipIf(skipsPostgres())('the request log of a space', () => {
  const waiting = sideBySide()

  test('the log follows the space to another node, each request unchanged and in order', async () => {
    const { rows, open } = await newSpace()
    const one = await open()
    addTo(one.log, 450)
    const before = plain(one.log.list())
    await one.close()
    const two = await open()
    expect(plain(two.log.list())).toEqual(before)
    expect([two.log.first, two.log.total]).toEqual([0, 450])
    two.log.add(requestOf(450))
    await two.close()
    expect(await rows()).toEqual(Array.from({ length: 451 }, (_, number) => String(number)))
    const three = await open()
    expect([three.log.list().length, three.log.list(450)[0]?.at]).toEqual([451, now + 450])
    expect([...one.reports, ...two.reports, ...three.reports]).toEqual([])
  })

  test('the log is readable in the database, and each space has its own', async () => {
    const { database, rows, open } = await newSpace()
    const [one, other] = [await open(), await open(new RequestLog(), 'ci-2')]
    const request = requestOf(7, { path: '/v1/\u0000/x', status: 404 })
    one.log.add(request)
    other.log.add(requestOf(8))
    await Promise.all([one.close(), other.close()])
    const columns =
      "array_to_string(array[method, path, status::text, code, trace_id, (extract(epoch from at) * 1000)::bigint::text], ' ')"
    expect(await rows(columns)).toEqual([`POST /v1/\ufffd/x 404 C17 ${request.traceId} ${now + 7}`])
    expect(JSON.parse((await rows('body'))[0] ?? '')).toEqual(plain(request))
    const comment = await database.run("select obj_description('requests'::regclass) as text")
    expect(comment.rows[0]?.text).toContain('The last 1,000 requests')
    await database.run("delete from spaces where name = 'ci-1'")
    expect((await database.run('select space from requests')).rows).toEqual([{ space: 'ci-2' }])
  })

  test('the log has the last 1,000 requests, and no more bytes than are kept in memory', async () => {
    const { rows, open } = await newSpace()
    const one = await open()
    addTo(one.log, 900)
    await one.record.written()
    addTo(one.log, 2_600)
    await one.record.written()
    expect(await rows()).toEqual(Array.from({ length: 1_000 }, (_, index) => String(2_500 + index)))
    await one.close()
    const two = await open(new RequestLog(1_000, null, 20_000))
    const left = two.log.list().length
    expect(left).toBeLessThan(40)
    expect(two.log.total).toBe(3_500)
    two.log.add(requestOf(3_500))
    await two.close()
    expect((await rows()).at(-1)).toBe('3500')
    expect((await rows()).length).toBe(two.log.list().length)
  })

  test('the log is read at the first look, and comes before newer requests', async () => {
    const { rows, open } = await newSpace()
    const one = await open()
    addTo(one.log, 950)
    await one.close()
    const { log, record } = await open(new RequestLog(), 'ci-1', false)
    addTo(log, 40)
    await record.written()
    expect([log.list().length, log.first, (await rows()).length]).toEqual([40, 0, 990])
    addTo(log, 20)
    await record.written()
    const left = Array.from({ length: 1_000 }, (_, index) => String(10 + index))
    expect([await rows(), log.first]).toEqual([left, 10])
    await Promise.all([log.whole(), log.whole()])
    expect([log.list().length, log.first, log.total]).toEqual([1_000, 10, 1_010])
    expect(log.list()[939]?.at).toBe(now + 949)
    expect(log.list()[940]?.at).toBe(now)
    log.add(requestOf(7))
    await record.written()
    expect((await rows()).slice(-2)).toEqual(['1009', '1010'])
  })

  test.each([
    ['before it is read', async (log: RequestLog) => log.clear().then(() => log.whole())],
    ['while it is read', (log: RequestLog) => Promise.all([log.whole(), log.clear()])],
  ])('the whole log is deleted %s', async (_, forget) => {
    const { rows, open } = await newSpace()
    const one = await open()
    addTo(one.log, 300)
    await one.close()
    const { log } = await open(new RequestLog(), 'ci-1', false)
    addTo(log, 2)
    await forget(log)
    expect([log.list(), log.total, await rows()]).toEqual([[], 302, []])
  })

  waiting('the log is written at most once a second, however many requests there are', async () => {
    const { rows, open } = await newSpace()
    const { log } = await open()
    const writes = new Set<string | null | undefined>()
    const began = performance.now()
    let count = 0
    while (writes.size < 2) {
      addTo(log, 100)
      count += 100
      await sleep(100)
      for (const write of await rows('xmin')) writes.add(write)
      expect(writes.size).toBeLessThanOrEqual((performance.now() - began) / 1_000)
    }
    await expect.poll(async () => (await rows()).at(-1)).toBe(String(count - 1))
  })

  waiting('the log is written later after many bytes, with 250 KB a second on average', async () => {
    const { rows, open } = await newSpace()
    const { log, record } = await open()
    for (let number = 0; number < 12; number += 1) log.add(requestOf(number, { body: 'x'.repeat(64_000) }))
    const before = performance.now()
    await record.written()
    log.add(requestOf(12))
    await expect.poll(async () => (await rows()).length).toBe(13)
    expect(performance.now() - before).toBeGreaterThan(2_900)
  })

  waiting('the log counts equal look-ups, even those after a write and at another node', async () => {
    const { rows, open } = await newSpace()
    const one = await open()
    const look = async (opened: OpenRequestLog, caller: string, count: number) => {
      for (let number = 0; number < count; number += 1) opened.log.add({ ...lookUp(), caller })
      await opened.record.written()
    }
    await look(one, 'a till', 2)
    await look(one, 'another', 2)
    await look(one, 'a till', 3)
    const [before] = one.log.list()
    await one.close()
    const two = await open()
    expect(two.log.list()[0]?.repeats).toMatchObject({ count: 4, traceIds: before?.repeats?.traceIds })
    const { total, changes } = two.log
    await look(two, 'another', 1)
    expect(two.log.entriesSince(total, changes)).toMatchObject([{ caller: 'another' }])
    expect(await rows()).toEqual(['0', '1'])
    await two.close()
    expect((await open()).log.list()).toMatchObject([
      { traceId: before?.traceId, repeats: { count: 4 } },
      { caller: 'another', repeats: { count: 2 } },
    ])
  })

  waiting('a cleared log has no rows, and later requests are kept', async () => {
    const { rows, open } = await newSpace()
    const { log, close } = await open()
    addTo(log, 20)
    await log.clear()
    expect(await rows()).toEqual([])
    log.add(requestOf(1))
    await close()
    expect(await rows()).toEqual(['20'])
  })

  waiting('the log gets nothing from a node that lost the space', async () => {
    const { database, rows, open } = await newSpace()
    const one = await open()
    addTo(one.log, 2)
    await one.record.written()
    addTo(one.log, 3)
    await endLease(database)
    const two = await open()
    two.log.add(requestOf(9))
    await two.record.written()
    await one.log.clear()
    await one.close()
    expect(await rows()).toEqual(['0', '1', '2'])
    await two.close()
    expect((await open()).log.list(2)).toMatchObject([{ at: now + 9 }])
  })

  test.each(['epoch = epoch + 1', "owner = 'another node'"])(
    'the log gets nothing from a node that loses the space while it writes: %s',
    async (loss) => {
      const { url, database, rows, open } = await newSpace()
      const other = await Database.open(url)
      onTestFinished(() => other.close())
      const one = await open()
      addTo(one.log, 3)
      const writing = await whileLocked(other, 'lock table requests in share mode', async () => {
        // the write waits at its first row
        const written = one.record.written()
        await expect
          .poll(
            async () =>
              (
                await database.run(
                  "select 1 from pg_locks where not granted and relation = 'requests'::regclass",
                )
              ).count,
          )
          .toBe(1)
        await database.run(`update spaces set ${loss}`)
        return { written }
      })
      await writing.written
      expect(await rows()).toEqual([])
    },
  )

  waiting(
    'a log that cannot be written is reported once, and written once that is possible again',
    async () => {
      const { database, rows, open } = await newSpace()
      const { log, record, reports } = await open()
      await database.run('alter table requests rename to away')
      addTo(log, 3)
      await record.written()
      await record.written()
      expect(reports).toEqual([expect.stringMatching(/^the request log is not written: .*requests/)])
      await database.run('alter table away rename to requests')
      await expect.poll(rows).toEqual(['0', '1', '2'])
    },
  )

  waiting('a log that cannot be written does not prevent the node from giving the space back', async () => {
    const { url, database, open } = await newSpace()
    const other = await Database.open(url)
    onTestFinished(() => other.close())
    const { log, close } = await open()
    addTo(log, 3)
    await whileLocked(other, 'lock table requests in share mode', async () => {
      await close()
      expect((await database.run("select owner from spaces where name = 'ci-1'")).rows).toEqual([
        { owner: null },
      ])
    })
  })
})

describe.skipIf(skipsPostgres())('the request log of a sandbox on PostgreSQL', () => {
  const opened = async (store: string): Promise<Sandbox> => {
    const sandbox = await openSandbox({ store, report: (message) => expect(message).toBe('nothing') })
    let closing: Promise<void> | undefined
    const { close } = sandbox
    sandbox.close = () => {
      closing ??= close()
      return closing
    }
    onTestFinished(sandbox.close)
    return sandbox
  }

  test('values that are hidden on display are not stored, and are shown as before', async () => {
    const cluster = await sharedCluster()
    const schema = `s_${randomUUID().replaceAll('-', '')}`
    const first = await opened(cluster.url(schema))
    const ask = askIn(first)
    const salePath = '/v1/semi-integration/transaction/sale'
    const notifyUrl = 'http://shop:s3cret@127.0.0.1:9/hook?key=hush'
    await ask('POST', salePath, sale(100, { description: apiKey, notifyUrl }))
    await ask('POST', `${salePath}?note=${apiKey}`, sale(100))
    const { token } = (await ask('POST', '/_sandbox/tokens', { name: 'ci', scope: 'admin' }))?.data ?? {}
    const shown = async (sandbox: Sandbox) => {
      await sandbox.log.whole()
      const stories = sandbox.log.list().map(({ traceId }) => `/_sandbox/requests/${traceId}`)
      return Promise.all(stories.map(async (path) => (await askIn(sandbox)('GET', path))?.data))
    }
    const before = await shown(first)
    expect(before.map(({ curl }) => curl === null)).toEqual([true, true, false])
    await first.close()
    const rows = await cluster.ask(`select * from ${schema}.requests`)
    for (const secret of [apiKey, token, 's3cret', 'hush']) {
      expect(secret).toMatch(/\w{4}/)
      expect(rows).not.toContain(secret)
    }
    expect(await shown(await opened(cluster.url(schema)))).toEqual(before)
  })

  test('the log is stored without secrets, and shown as before', async () => {
    const cluster = await sharedCluster()
    const schema = `s_${randomUUID().replaceAll('-', '')}`
    const first = await opened(cluster.url(schema))
    const salePath = '/v1/semi-integration/transaction/sale'
    await askIn(first)('POST', salePath, sale(100))
    await askIn(first)('POST', salePath, sale(-1))
    const shown = async (sandbox: Sandbox) => {
      await sandbox.log.whole()
      const ask = askIn(sandbox)
      const list = (await ask('GET', '/_sandbox/requests'))?.data
      const [sold] = list.requests
      return [list, (await ask('GET', `/_sandbox/requests/${sold.traceId}`))?.data]
    }
    const [before, logged] = [await shown(first), plain(first.log.list())]
    await first.close()
    const bodies = await cluster.ask(`select json_agg(body order by number) from ${schema}.requests`)
    expect(JSON.parse(bodies)).toEqual(logged)
    expect(bodies).not.toContain(apiKey)
    const second = await opened(cluster.url(schema))
    expect(await shown(second)).toEqual(before)
    await askIn(second)('POST', '/_sandbox/reset', { everything: true })
    expect(await cluster.ask(`select count(*) from ${schema}.requests`)).toBe('0')
  })
})
