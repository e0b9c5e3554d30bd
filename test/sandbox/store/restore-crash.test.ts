import { relative } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { openSandbox, type Sandbox } from '../../../src/server/sandbox/sandbox.ts'
import { Random } from '../../support/load/random.ts'
import { times } from '../../support/runner/counts.ts'
import { askIn, dataOf } from '../../support/service/ask.ts'
import { newId } from '../../support/service/new-id.ts'
import {
  crashCopy,
  openService,
  plainLedgersOf,
  sale,
  temporaryFolder,
} from '../../support/service/service.ts'
import { disk, useTestDisk } from '../../support/store/disk.ts'
import { Disk } from '../../support/store/disk-image.ts'
import { DiskRecord } from '../../support/store/disk-record.ts'
import { writeImage } from './power-loss.ts'

beforeEach(useTestDisk)

/** What a restore brings back, all of it or nothing. */
const restorable = (sandbox: Sandbox): object => ({
  ledgers: plainLedgersOf(sandbox),
  clock: sandbox.clock.state.frozenAt ?? sandbox.clock.state.offset,
  faults: sandbox.faults.rulesWithCounts,
})

/** A sandbox with a snapshot that differs from its state in everything. */
async function prepared(state: string) {
  const sandbox = await openSandbox({ state })
  const ask = askIn(sandbox)
  const order = async (method: string, path: string, members?: object) =>
    dataOf(await ask(method, path, members), path)
  const sell = (requestId = newId()) =>
    ask('POST', '/v1/semi-integration/transaction/sale', sale(100, { transactionRequestId: requestId }))
  const control = (method: string, path: string, members?: object) =>
    order(method, `/_sandbox/${path}`, members)
  await control('POST', 'clock', { action: 'freeze' })
  await control('POST', 'faults', { kind: 'http-503', operation: 'void' })
  await sell()
  await control('PUT', 'snapshots/base', {})
  const saved = restorable(sandbox)
  await sell()
  await control('POST', 'clock', { action: 'advance', milliseconds: 60_000 })
  await control('DELETE', 'faults')
  const before = restorable(sandbox)
  return { sandbox, ask, sell, saved, before }
}

test('a power loss at any moment of a restore leaves the old state or the restored one, clock and faults included', async () => {
  const seed = Date.now() % 2 ** 31
  const random = new Random(seed)
  const folder = temporaryFolder()
  const record = new DiskRecord()
  disk.watcher = { folder, record }
  const marks = { begun: 0, answered: 0, sold: 0 }
  const later = newId()
  const { sandbox, ask, sell, saved, before } = await prepared(folder)
  try {
    marks.begun = record.position
    expect((await ask('POST', '/_sandbox/snapshots/base/restore'))?.code).toBe('0')
    marks.answered = record.position
    expect((await sell(later))?.code).toBe('0')
    marks.sold = record.position
  } finally {
    disk.watcher = null
  }
  const after = restorable(sandbox)
  await sandbox.close()
  expect(marks.answered).toBeGreaterThan(marks.begun + 5)
  const lost = new Disk()
  let [olds, news] = [0, 0]
  for (const [number, change] of record.changes.entries()) {
    lost.apply(change)
    const point = number + 1
    if (point < marks.begun || point > marks.sold) continue
    for (let variant = 0; variant < times(2, 30); variant++) {
      const image = temporaryFolder()
      const files = [...lost.imageAt(random)].map(([path, bytes]) => [relative(folder, path), bytes] as const)
      writeImage(new Map(files), image)
      const opened = await openService({ state: image })
      const found = restorable(opened.sandbox)
      const where = `seed ${seed}, after change ${point} of ${marks.begun}–${marks.answered}–${marks.sold}`
      if (point >= marks.sold) expect(found, where).toEqual(after)
      else if (point >= marks.answered) expect([saved, after], where).toContainEqual(found)
      else expect([before, saved], where).toContainEqual(found)
      if (JSON.stringify(found) === JSON.stringify(before)) olds += 1
      else news += 1
      await opened.close()
      if (!random.happens(times(25, 100) / 100)) continue
      const again = await openService({ state: image })
      expect(restorable(again.sandbox), `${where}, once more`).toEqual(found)
      await again.close()
    }
  }
  expect(olds).toBeGreaterThan(0)
  expect(news).toBeGreaterThan(0)
}, 120_000)

test('a disk error at any call of a restore leaves the old state or the restored one, and payments go on', async () => {
  const seen = { refused: 0, restored: 0 }
  /** Restores while that call fails, and those after it if it `lasts`; 0: none. Resolves to the number of calls. */
  const restoreFailing = async (failing: number, lasts: boolean): Promise<number> => {
    const folder = temporaryFolder()
    const { sandbox, ask, sell, saved, before } = await prepared(folder)
    let calls = 0
    const gate = (call: string) => {
      calls += 1
      const message = `ENOSPC: no space left on device, ${call}`
      if ((lasts ? failing > 0 && calls >= failing : calls === failing) && call !== 'close')
        throw Object.assign(new Error(message), { code: 'ENOSPC', syscall: call })
    }
    disk.watcher = { folder, gate }
    const answer = await ask('POST', '/_sandbox/snapshots/base/restore')
    disk.watcher = null
    const where = `call ${failing}${lasts ? ' and all after it' : ''}: ${answer?.code} ${answer?.detail}`
    await expect.poll(() => sandbox.engine.ready().catch((error) => error), { interval: 5 }).toBeUndefined()
    const expected = answer?.code === '0' ? saved : before
    seen[answer?.code === '0' ? 'restored' : 'refused'] += 1
    expect(restorable(sandbox), where).toEqual(expected)
    expect((await sell())?.code, where).toBe('0')
    const after = restorable(sandbox)
    const crashed = crashCopy(folder)
    await sandbox.close()
    for (const state of [crashed, folder]) {
      const again = await openService({ state })
      const moment = `${where}, after a ${state === folder ? 'restart' : 'crash'}`
      expect(restorable(again.sandbox), moment).toEqual(after)
      await again.close()
    }
    return calls
  }
  const most = await restoreFailing(0, false)
  const each = Array.from({ length: most }, (_, before) => before + 1)
  for (const failing of each) await restoreFailing(failing, false)
  for (const failing of each) await restoreFailing(failing, true)
  expect(seen.refused).toBeGreaterThan(5)
}, 120_000)
