import { describe, expect, onTestFinished, test } from 'vitest'
import { DatabaseAudit } from '../../../src/store/postgres/access/database-access.ts'
import { auditEntry, behindProxy, databaseAt, unexpected } from '../../support/access-stores.ts'
import { sharedCluster, skipsPostgres } from '../../support/cluster/postgres.ts'
import { sideBySide } from '../../support/runner/side-by-side.ts'

describe.skipIf(skipsPostgres())('the table of the audit log', () => {
  test('assumption audit-log: the latest lines are kept, and older ones for a while', async () => {
    const url = (await sharedCluster()).url()
    const open = async () => {
      const log = new DatabaseAudit(await databaseAt(url), unexpected, 500)
      onTestFinished(() => log.close())
      return log
    }
    const [database, log] = [await databaseAt(url), await open()]
    const counted = async () =>
      Number((await database.run('select count(*) as count from audit')).rows[0]?.count)
    for (let number = 1; number <= 1_400; number += 1) {
      log.add(auditEntry(number))
      if (number % 100 === 0) await log.written()
    }
    expect(await counted()).toBeGreaterThanOrEqual(500)
    expect(await counted()).toBeLessThan(1_400)
    const numbers = (await log.latest(500, null)).map(({ path }) => Number(path.slice(1)))
    expect(numbers).toEqual(Array.from({ length: 500 }, (_, index) => 901 + index))
    // A node that never writes many lines removes old ones, too.
    const another = await open()
    another.add(auditEntry(1_401))
    await another.written()
    expect(await counted()).toBe(500)
  })

  test('refused requests never push out changes', async () => {
    const log = new DatabaseAudit(await databaseAt((await sharedCluster()).url()), unexpected, 500)
    onTestFinished(() => log.close())
    log.add(auditEntry(1))
    for (let number = 2; number <= 2_500; number += 1) {
      log.add({ ...auditEntry(number), code: 'SBX_TOKEN' })
      if (number % 100 === 0) await log.written()
    }
    const lines = await log.latest(9_999, null)
    expect(lines[0]).toEqual(auditEntry(1))
    expect(lines.length).toBeLessThan(2_000)
  })

  test('a path of characters that PostgreSQL text cannot hold is stored as it is, beside others', async () => {
    const log = new DatabaseAudit(await databaseAt((await sharedCluster()).url()), unexpected)
    onTestFinished(() => log.close())
    const paths = ['/before', '/a\0b', '/cut\ud83d', '/after']
    for (const path of paths) log.add({ ...auditEntry(2), path })
    expect((await log.latest(9, null)).map(({ path }) => path)).toEqual(paths)
  })
})

describe.skipIf(skipsPostgres())('a database that does not answer', () => {
  const waiting = sideBySide()

  for (const cut of ['request', 'answer', 'half'] as const)
    waiting(
      `assumption audit-log: lines whose ${cut} was lost are written later, once and in order`,
      async () => {
        const { proxy, url } = await behindProxy()
        const reports: string[] = []
        const log = new DatabaseAudit(await databaseAt(url), ({ message }) => reports.push(message))
        onTestFinished(() => log.close())
        log.add(auditEntry(1))
        await log.written()
        proxy.cutAt('insert into audit', cut)
        log.add(auditEntry(2))
        await log.written()
        log.add(auditEntry(3))
        expect(proxy.isArmed).toBe(false)
        expect(reports).toEqual([expect.stringMatching(/^the database \S+ does not answer: /)])
        const lines = async () => (await log.latest(9, null)).map(({ path }) => path)
        await expect.poll(lines).toEqual(['/1', '/2', '/3'])
        expect(reports).toHaveLength(1)
      },
    )

  waiting(
    'assumption audit-log: the latest 10,000 lines wait, and the number of those left out is reported',
    async () => {
      const { proxy, url, direct } = await behindProxy()
      const reports: string[] = []
      const log = new DatabaseAudit(await databaseAt(url), ({ message }) => reports.push(message))
      onTestFinished(() => log.close())
      proxy.cutAt('insert into audit', 'silence')
      for (let number = 1; number <= 7_000; number += 1) log.add(auditEntry(number))
      await log.written()
      for (let number = 7_001; number <= 15_000; number += 1) log.add(auditEntry(number))
      proxy.endSilence()
      await log.written()
      const reader = new DatabaseAudit(await databaseAt(direct), unexpected)
      const lines = (await reader.latest(99_999, null)).map(({ path }) => Number(path.slice(1)))
      expect(lines).toEqual(Array.from({ length: 10_000 }, (_, index) => 5_001 + index))
      expect(reports.slice(1)).toEqual([
        expect.stringMatching(/^5000 records could not be written to the database$/),
      ])
    },
  )

  waiting('lines that are still unwritten when the node stops are counted in a report', async () => {
    const { proxy, url } = await behindProxy()
    const reports: string[] = []
    const log = new DatabaseAudit(await databaseAt(url), ({ message }) => reports.push(message))
    proxy.cutAt('insert into audit', 'silence')
    log.add(auditEntry(1))
    await log.close()
    proxy.endSilence()
    expect(reports.at(-1)).toMatch(/^1 record could not be written/)
  })
})
