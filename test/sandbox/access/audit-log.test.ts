import { describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../../src/contract/control/tokens.ts'
import { accessStores, auditEntry } from '../../support/access-stores.ts'

describe.each(accessStores.map(([name, make, isSkipped]) => ({ name, make, isSkipped })))(
  'assumption audit-log: lines in $name',
  ({ make, isSkipped }) => {
    const testIf = test.skipIf(isSkipped)

    testIf('lines are kept in the order in which they were added, even over a restart', async () => {
      const { openAudit } = await make()
      const log = await openAudit()
      const entries = Array.from({ length: 100 }, (_, index) => auditEntry(index + 1))
      for (const entry of entries.slice(0, 60)) log.add(entry)
      await log.written()
      for (const entry of entries.slice(60)) log.add(entry)
      expect(await log.latest(1_000, null)).toEqual(entries)
      expect(await log.latest(3, 'ci-1')).toEqual([95, 97, 99].map(auditEntry))
      expect(await log.latest(3, 'ci-2')).toEqual([])
      expect(await log.latest(0, null)).toEqual([])
      log.add(auditEntry(101))
      await log.close()
      const again = await openAudit()
      again.add(auditEntry(102))
      expect(await again.latest(3, null)).toEqual([100, 101, 102].map(auditEntry))
    })

    testIf(
      'equal refusals are counted: the first is its own line, the others have their number',
      async () => {
        const log = await (await make()).openAudit()
        const refusal = (number: number, path = '/') => ({
          ...auditEntry(2),
          ...{ path, at: new Date(number).toISOString(), code: 'SBX_TOKEN', status: 401 },
        })
        for (let number = 1; number <= 10_000; number++) log.add(refusal(number))
        log.add(refusal(10_001, '/other'))
        expect(await log.latest(1_000, null)).toEqual([
          refusal(1),
          { ...refusal(10_000), count: 9_999 },
          refusal(10_001, '/other'),
        ])
        log.add(auditEntry(3))
        log.add(refusal(10_002, '/third'))
        expect(await log.latest(1, null, 'changes')).toEqual([auditEntry(3)])
        expect(await log.latest(9, 'ci-1', 'refusals')).toEqual([])
        expect(await log.latest(1, 'default', 'refusals')).toEqual([refusal(10_002, '/third')])
        log.add(refusal(10_003, '/third')) // one more is a line without a number
        expect(await log.latest(1, 'default', 'refusals')).toEqual([refusal(10_003, '/third')])
      },
    )

    testIf('a line is written soon without a request to write', async () => {
      const { openAudit } = await make()
      const [one, two] = [await openAudit(), await openAudit()]
      one.add(auditEntry(1))
      await expect.poll(() => two.latest(10, null)).toEqual([auditEntry(1)])
    })

    testIf('a line keeps every member, even one that is null', async () => {
      const { openAudit } = await make()
      const entry: AuditEntry = {
        ...{ ...auditEntry(2), token: 'lee', scope: 'admin', address: '::1', path: '/"é€😀\\{},%00' },
        ...{ action: null, code: 'SBX_SCOPE', status: 403 },
      }
      const log = await openAudit()
      log.add(entry)
      expect(await log.latest(1, null)).toEqual([entry])
    })
  },
)
