import { cpSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Connection } from '../../../../src/contract/control/control-answers.ts'
import { builtIn } from '../../../../src/domain/fixtures.ts'
import type { Ledger } from '../../../../src/domain/model/ledger.ts'
import { createState } from '../../../../src/domain/state.ts'
import { FileStore } from '../../../../src/sandbox/store/file/file-store.ts'
import { LostState } from '../../../../src/shared/files/store-errors.ts'
import { sendRequest } from '../../../support/commands/running-sandbox.ts'
import { openRawSandbox } from '../../../support/service/raw.ts'
import { salePath } from '../../../support/service/requests.ts'
import {
  crashCopy,
  openService,
  plainStateOf,
  type Service,
  sale,
  temporaryFolder,
  transactionsIn,
} from '../../../support/service/service.ts'
import { journalOf, stateFileOf } from '../../../support/store/state-paths.ts'

/** A sandbox that listens, with its lock. */
async function start(state: string) {
  const reported: string[] = []
  const running = await openRawSandbox({ state, report: (message) => reported.push(message) })
  return { ...running, reported }
}

/** Sells over HTTP; the code of the answer, or of the connection. */
const sell = (connection: Connection): Promise<string> =>
  sendRequest(connection, 'POST', salePath, { body: sale(100) }).then(
    ({ envelope }) => envelope.code,
    () => 'closed',
  )

const idsIn = ({ sandbox }: Service): string[] => transactionsIn(sandbox).map(({ id }) => id)

describe('a sandbox that lost its folder', () => {
  const lockOf = (folder: string) => join(folder, 'lock.json')
  const replaceFolder = (folder: string) => {
    renameSync(folder, `${folder}.old`)
    writeFileSync(folder, '')
  }
  const replaceLock = (folder: string) => {
    cpSync(lockOf(folder), join(folder, 'copy'))
    renameSync(join(folder, 'copy'), lockOf(folder))
  }

  test.each<[string, (folder: string) => void, RegExp]>([
    ['its lock was removed', (folder) => rmSync(lockOf(folder)), /lock\.json was removed or replaced/],
    ['its lock was replaced by the same text', replaceLock, /lock\.json was removed or replaced/],
    ['the folder was removed', (folder) => rmSync(folder, { recursive: true }), /was removed or replaced/],
    ['the folder was moved away', (folder) => renameSync(folder, `${folder}.old`), /was removed or replaced/],
    ['a file took the place of the folder', replaceFolder, /was removed or replaced/],
    [
      'its journal was removed',
      (folder) => rmSync(journalOf(folder)),
      /journal-1\.jsonl was removed or replaced/,
    ],
    ['its state file was removed', (folder) => rmSync(stateFileOf(folder)), /state\.json was removed/],
  ])('a sandbox acknowledges nothing more and stops with the reason when %s', async (_, lose, why) => {
    const folder = join(temporaryFolder(), 'state')
    onTestFinished(() => rmSync(`${folder}.old`, { recursive: true, force: true }))
    const { connection, lost } = await start(folder)
    expect(await sell(connection)).toBe('0')
    lose(folder)
    expect(['SBX_STORE_FAIL', 'closed']).toContain(await sell(connection))
    expect((await lost).message).toMatch(why)
    expect(await sell(connection)).toBe('closed')
  })

  test('a sandbox notices without a request that it lost its folder', async () => {
    const folder = temporaryFolder()
    const { lost } = await start(folder)
    rmSync(join(folder, 'lock.json'))
    expect((await lost).message).toContain('lock.json')
  })

  test('a sandbox that takes the folder over finds everything acknowledged, and later answers do not count', async () => {
    const folder = temporaryFolder()
    const first = await start(folder)
    let acknowledged = 0
    for (let count = 0; count < 5; count++) if ((await sell(first.connection)) === '0') acknowledged += 1
    rmSync(join(folder, 'lock.json'))
    const second = await openService({ state: folder })
    expect(idsIn(second)).toHaveLength(acknowledged)
    for (let count = 0; count < 5; count++) expect(await sell(first.connection)).not.toBe('0')
    await second.call('sale', sale(1))
    const state = plainStateOf(second.sandbox)
    await first.close()
    expect(plainStateOf((await openService({ state: crashCopy(folder) })).sandbox)).toEqual(state)
  })
})

describe('two sandboxes on one folder without a lock', () => {
  test('the older sandbox can no longer store a sale, a setting, a state file or a reset', async () => {
    const older = await openService()
    await older.call('sale', sale(1))
    const newer = await openService({ state: older.folder })
    const files = readdirSync(older.folder).sort()
    expect((await older.call('sale', sale(2))).code).toBe('SBX_STORE_FAIL')
    const allowList = { addresses: ['203.0.113.7'] }
    expect((await older.control('PUT', 'allow-list', allowList)).code).toBe('SBX_STORE_FAIL')
    expect((await older.control('POST', 'reset')).code).toBe('SBX_STORE_FAIL')
    await older.close()
    expect(readdirSync(older.folder).sort()).toEqual(files)
    expect((await newer.call('sale', sale(3))).code).toBe('0')
    const state = plainStateOf(newer.sandbox)
    await newer.close()
    expect(plainStateOf((await openService({ state: older.folder })).sandbox)).toEqual(state)
  })

  test('entries that the older sandbox writes after that do not count', async () => {
    const older = await openService()
    await older.call('sale', sale(1))
    const newer = await openService({ state: older.folder })
    const refused = await Promise.all(Array.from({ length: 20 }, () => older.call('sale', sale(2))))
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['SBX_STORE_FAIL']))
    await newer.call('sale', sale(3))
    const reopened = await openService({ state: crashCopy(older.folder) })
    expect(plainStateOf(reopened.sandbox)).toEqual(plainStateOf(newer.sandbox))
    expect(idsIn(reopened)).toHaveLength(2)
  })
})

test('a file that a crash left unfinished is removed at the next start', async () => {
  const folder = temporaryFolder()
  await (await openService({ state: folder })).close()
  for (const name of ['state.json', 'journal-3.jsonl', 'tokens.json', 'lock.json'])
    writeFileSync(join(folder, `${name}.3f1c.new`), '{"half')
  await openService({ state: folder })
  const left = readdirSync(folder).filter((name) => name.endsWith('.new'))
  expect(left).toEqual(['lock.json.3f1c.new']) // another process may be at it
})

test('of two starts on one folder at the same moment, one has it, and the other fails', async () => {
  const before = await openService()
  await before.call('sale', sale(1))
  const folder = crashCopy(before.folder)
  const [empty, nothing] = [() => createState(builtIn), () => undefined]
  const open = () => FileStore.open({ folder, empty, wall: Date.now, lost: nothing, report: nothing })
  const starts = await Promise.allSettled([open(), open()])
  for (const start of starts) if (start.status === 'rejected') expect(start.reason).toBeInstanceOf(LostState)
  const opened = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  const isLost = ({ store }: (typeof opened)[number]) => {
    try {
      store.confirm()
      return false
    } catch (error) {
      return error instanceof LostState
    }
  }
  expect(opened.filter((each) => !isLost(each))).toHaveLength(1)
  for (const { store, stored } of opened) await store.close(stored.state)
  expect(plainStateOf((await openService({ state: folder })).sandbox)).toEqual(plainStateOf(before.sandbox))
})

test('an answer that throws while another change is being written causes no duplicate number', async () => {
  const folder = temporaryFolder()
  const { sandbox, call } = await openService({ state: folder })
  const { engine } = sandbox
  const ledger = engine.state.ledgers.get('M1000000001') as Ledger
  const command = { type: 'queue-outcome', terminalSn: 'TBX-AUTO-001', outcome: 'approve', times: 1 } as const
  const mistake = () => {
    throw new TypeError('a mistake')
  }
  const onItsWay = engine.run(ledger, command, () => ({ done: true }))
  expect(() => engine.run(ledger, command, mistake)).toThrow('a mistake')
  expect(await onItsWay).toEqual({ done: true })
  for (let count = 0; count < 3; count++) expect((await call('sale', sale(1))).code).toBe('0')
  const reopened = await openService({ state: crashCopy(folder) })
  expect(plainStateOf(reopened.sandbox)).toEqual(plainStateOf(sandbox))
  expect(idsIn(reopened)).toHaveLength(3)
})
