import { describe, expect, onTestFinished, test } from 'vitest'
import { databaseAudit } from '../../../../src/sandbox/store/postgres/database-access.ts'
import { auditEntry, behindProxy, databaseAt, unexpected } from '../../../support/access-stores.ts'
import { sharedCluster, skipsPostgres } from '../../../support/cluster/postgres.ts'
import { sideBySide } from '../../../support/runner/side-by-side.ts'

/** The audit log of a node, and numbers of the paths of its latest lines. */
async function openLog(url: string, report: (error: Error) => void = unexpected, keep?: number) {
  const log = databaseAudit(await databaseAt(url), report, keep)
  onTestFinished(() => log.close())
  const latest = async () => (await log.latest(99_999, null)).map(({ path }) => Number(path.slice(1)))
  return { log, latest }
}

const numbers = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

describe.skipIf(skipsPostgres())('assumption audit-log: the table of the audit log', () => {
  test('the latest lines are kept, and older ones for a while', async () => {
    const url = (await sharedCluster()).url()
    const [database, { log, latest }] = [await databaseAt(url), await openLog(url, unexpected, 500)]
    const count = async () =>
      Number((await database.run('select count(*) as count from audit')).rows[0]?.count)
    for (const number of numbers(1, 1_400)) {
      log.add(auditEntry(number))
      if (number % 100 === 0) await log.written()
    }
    expect((await latest()).slice(-500)).toEqual(numbers(901, 1_400))
    expect(await count()).toBeLessThan(1_400)
    // A node that never writes many lines removes old ones, too.
    const another = await openLog(url, unexpected, 500)
    another.log.add(auditEntry(1_401))
    await another.log.written()
    expect(await count()).toBe(500)
  })

  test('refused requests never push out changes', async () => {
    const { log } = await openLog((await sharedCluster()).url(), unexpected, 500)
    log.add(auditEntry(1))
    for (const number of numbers(2, 2_500)) {
      log.add({ ...auditEntry(number), code: 'SBX_TOKEN' })
      if (number % 100 === 0) await log.written()
    }
    const lines = await log.latest(9_999, null)
    expect(lines[0]).toEqual(auditEntry(1))
    expect(lines.length).toBeLessThan(2_000)
  })

  test('a path of characters that PostgreSQL text cannot hold is stored as it is, beside others', async () => {
    const { log } = await openLog((await sharedCluster()).url())
    const paths = ['/before', '/a\0b', '/cut\ud83d', '/after']
    for (const path of paths) log.add({ ...auditEntry(2), path })
    expect((await log.latest(9, null)).map(({ path }) => path)).toEqual(paths)
  })
})

describe.skipIf(skipsPostgres())('assumption audit-log: a database that does not answer', () => {
  const waiting = sideBySide()

  for (const cut of ['request', 'answer', 'half'] as const)
    waiting(`lines whose ${cut} was lost are written later, once and in order`, async () => {
      const { proxy, url } = await behindProxy()
      const reports: string[] = []
      const { log, latest } = await openLog(url, ({ message }) => reports.push(message))
      log.add(auditEntry(1))
      await log.written()
      proxy.cutAt('insert into audit', cut)
      log.add(auditEntry(2))
      await log.written()
      log.add(auditEntry(3))
      expect(proxy.isArmed).toBe(false)
      await expect.poll(latest).toEqual([1, 2, 3])
      expect(reports).toEqual([expect.stringMatching(/^the database \S+ does not answer: /)])
    })

  waiting(
    'the latest 10,000 lines wait, and those left out, or unwritten at a stop, are counted in a report',
    async () => {
      const { proxy, url, direct } = await behindProxy()
      const reports: string[] = []
      const { log } = await openLog(url, ({ message }) => reports.push(message))
      proxy.cutAt('insert into audit', 'silence')
      for (const number of numbers(1, 7_000)) log.add(auditEntry(number))
      await log.written()
      for (const number of numbers(7_001, 15_000)) log.add(auditEntry(number))
      proxy.endSilence()
      await log.written()
      const { latest } = await openLog(direct)
      expect(await latest()).toEqual(numbers(5_001, 15_000))
      expect(reports.slice(1)).toEqual(['5000 records could not be written to the database'])
      proxy.cutAt('insert into audit', 'silence')
      log.add(auditEntry(15_001))
      await log.close()
      proxy.endSilence()
      expect(reports.at(-1)).toMatch(/^1 record could not be written/)
    },
  )
})
