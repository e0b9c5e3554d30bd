import { beforeEach, expect, test } from 'vitest'
import { openSandbox, type Sandbox } from '../../../src/server/sandbox/sandbox.ts'
import { nextTurn } from '../../../src/shared/timers.ts'
import { askIn, dataOf } from '../../support/service/ask.ts'
import { newId } from '../../support/service/new-id.ts'
import { crashCopy, plainLedgersOf, sale, temporaryFolder } from '../../support/service/service.ts'
import { disk, useTestDisk } from '../../support/store/disk.ts'

/** What changes while the whole state is replaced, and right after it. */

beforeEach(useTestDisk)

/** A sandbox with a snapshot `base`, after which a merchant was added. */
async function opened() {
  const folder = temporaryFolder()
  const sandbox = await openSandbox({ state: folder })
  const ask = askIn(sandbox)
  const control = (method: string, path: string, members?: object) =>
    ask(method, `/_sandbox/${path}`, members)
  const order = async (method: string, path: string, members?: object) =>
    dataOf(await control(method, path, members), path)
  const sell = () =>
    ask('POST', '/v1/semi-integration/transaction/sale', sale(100, { transactionRequestId: newId() }))
  const add = (merchantId: string) => control('POST', 'merchants', { merchantId })
  await order('POST', 'faults', { kind: 'http-503', operation: 'void' })
  await sell()
  await order('PUT', 'snapshots/base', {})
  await add('M-gone')
  await order('DELETE', 'faults')
  return { folder, sandbox, control, sell, add }
}

/** What is kept, as it is in memory. */
const kept = (sandbox: Sandbox) => ({
  ledgers: plainLedgersOf(sandbox),
  faults: sandbox.faults.rulesWithCounts,
  allowed: Object.values(sandbox.settings.data.allowLists),
})

/** What a start finds after a crash. */
async function afterCrash(folder: string) {
  const again = await openSandbox({ state: crashCopy(folder) })
  const found = kept(again)
  await again.close()
  return found
}

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await nextTurn()
}

test('a merchant that is added after a restore removed another one survives a crash', async () => {
  const { folder, sandbox, control, sell, add } = await opened()
  expect((await control('POST', 'snapshots/base/restore'))?.code).toBe('0')
  expect((await add('M-new'))?.code).toBe('0')
  expect((await sell())?.code).toBe('0')
  const now = kept(sandbox)
  expect(await afterCrash(folder)).toEqual(now)
  await sandbox.close()
  const again = await openSandbox({ state: folder })
  expect(kept(again)).toEqual(now)
  await again.close()
})

test('no acknowledged merchant is lost where states are replaced meanwhile', async () => {
  const { folder, sandbox, control, sell, add } = await opened()
  const added: string[] = []
  let done = false
  const adding = async (name: string) => {
    for (let number = 1; !done; number += 1)
      if ((await add(`M-${name}-${number}`))?.code === '0') added.push(`M-${name}-${number}`)
  }
  const workers = ['a', 'b', 'c'].map(adding)
  for (let count = 0; count < 8; count += 1) {
    await turns(count)
    expect((await control('POST', 'reset'))?.code).toBe('0') // which keeps merchants
    await sandbox.follow(sandbox.catalogue)
  }
  done = true
  await Promise.all(workers)
  expect(added.length).toBeGreaterThan(8)
  expect([...sandbox.engine.state.ledgers.keys()]).toEqual(expect.arrayContaining(added))
  expect((await sell())?.code).toBe('0')
  const now = kept(sandbox)
  expect(await afterCrash(folder)).toEqual(now)
  await sandbox.close()
})

test('a setting that is changed during a restore holds if it is acknowledged, whatever disk error there is', async () => {
  const seen = { refused: 0, set: 0 }
  /** Restores while that call fails; 0: none. Resolves to the number of calls. */
  const restoreFailing = async (failing: number, after: number): Promise<number> => {
    const { folder, sandbox, control, sell } = await opened()
    let calls = 0
    const gate = (call: string) => {
      calls += 1
      if (calls === failing && call !== 'close')
        throw Object.assign(new Error(`ENOSPC: no space left on device, ${call}`), { code: 'ENOSPC' })
    }
    disk.watcher = { folder, gate }
    const restored = control('POST', 'snapshots/base/restore')
    await turns(after)
    const set = control('PUT', 'allow-list', { addresses: ['127.0.0.1', '10.0.0.2'] })
    const [answered, answer] = await Promise.all([restored, set])
    disk.watcher = null
    const where = `call ${failing}, after ${after} turns: restore ${answered?.code}, setting ${answer?.code}`
    await expect.poll(() => sandbox.engine.ready().catch((error) => error), { interval: 5 }).toBeUndefined()
    const now = kept(sandbox)
    expect(JSON.stringify(now.allowed).includes('10.0.0.2'), where).toBe(answer?.code === '0')
    expect(await afterCrash(folder), where).toEqual(now)
    expect((await sell())?.code, where).toBe('0')
    await sandbox.close()
    seen[answer?.code === '0' ? 'set' : 'refused'] += 1
    return calls
  }
  const most = await restoreFailing(0, 3)
  for (let failing = 1; failing <= most; failing += 1)
    for (const after of [0, 2, 5, 9]) await restoreFailing(failing, after)
  expect(seen.set).toBeGreaterThan(20)
  expect(seen.refused).toBeGreaterThan(0)
}, 120_000)
