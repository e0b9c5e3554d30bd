import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createState } from '../../src/domain/state.ts'
import { builtIn, fixturesOf } from '../../src/fixtures.ts'
import { packageRoot, packageVersion } from '../../src/package-root.ts'
import { fold } from '../../src/store/file/fold.ts'
import { fileNumberOf, filesOf, readManifest } from '../../src/store/file/format/manifest.ts'
import { DamagedLine, readLines } from '../../src/store/file/format/state-lines.ts'
import { Journal } from '../../src/store/file/journal.ts'
import { StoredState } from '../../src/store/file/stored-state.ts'
import { times } from '../support/runner/counts.ts'
import { codePoint } from '../support/service/code-point.ts'
import { newId } from '../support/service/new-id.ts'
import {
  crashCopy,
  encodeLine,
  openService,
  plainStateOf,
  type Service,
  sale,
  temporaryFolder,
} from '../support/service/service.ts'

const silent = {
  confirm: () => undefined,
  flushed: () => undefined,
  failed: () => undefined,
  report: () => undefined,
}

const journalFiles = (folder: string): string[] => filesOf(folder, 'journal')

/** An entry of a ledger in which nothing happens. */
const entry = (sequence: number) => ({ stream: 'M1', sequence, at: 0, events: [] })

const valuesOf = (path: string): unknown[] => {
  const values: unknown[] = []
  readLines<{ crc?: string }>(path, { take: ({ crc: _, ...value }) => values.push(value) })
  return values
}

describe('lines of the journal', () => {
  const path = () => join(temporaryFolder(), 'lines')

  test('any object is read back as it was written', () => {
    const file = path()
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.string({ unit: codePoint }), fc.jsonValue()), { maxLength: 8 }),
        (objects) => {
          const values = objects.map((value) => ({ value: JSON.parse(JSON.stringify(value)) as unknown }))
          writeFileSync(file, values.map(encodeLine).join(''))
          expect(valuesOf(file)).toEqual(values)
        },
      ),
      { numRuns: times(15, 500) },
    )
  })

  test('any changed byte is detected', () => {
    const file = path()
    const bytes = Buffer.from(encodeLine({ text: 'a value é', number: 12 }))
    for (let offset = 0; offset < bytes.length - 1; offset++)
      for (const flip of [1, 0x80]) {
        const changed = Buffer.from(bytes)
        changed[offset] = (changed[offset] ?? 0) ^ flip
        writeFileSync(file, changed)
        expect(() => valuesOf(file)).toThrow(DamagedLine)
      }
  })

  test('a line of several megabytes is read across blocks', () => {
    const file = path()
    const values = [{ text: 'x'.repeat(5_000_000) }, { text: 'é'.repeat(3_000_000) }, { text: 'end' }]
    writeFileSync(file, values.map(encodeLine).join(''))
    expect(valuesOf(file)).toEqual(values)
  })
})

describe('the journal', () => {
  /** Entries of a journal file, without its first line and the lines that begin groups. */
  const entriesOf = (path: string) => valuesOf(path).filter((value) => 'stream' in (value as object))

  test('appended entries follow the format, id and version, in order', async () => {
    const folder = temporaryFolder()
    const journal = new Journal(folder, 1, silent)
    const entries = Array.from({ length: 500 }, (_, number) => entry(number))
    await Promise.all(entries.map((each) => journal.append(each)))
    await journal.close()
    const path = join(folder, journal.open.name)
    expect(valuesOf(path).slice(0, 2)).toEqual([
      { format: 5, id: journal.open.id, version: packageVersion() },
      { group: 1 },
    ])
    expect(entriesOf(path)).toEqual(entries)
  })

  test('append resolves only once the line is in the file', async () => {
    const folder = temporaryFolder()
    const journal = new Journal(folder, 1, silent)
    for (let number = 0; number < 20; number++) {
      await journal.append(entry(number))
      expect(valuesOf(join(folder, journal.open.name)).at(-1)).toEqual(entry(number))
    }
    await journal.close()
  })

  test('appends at the same moment share one flush and form one group', async () => {
    const folder = temporaryFolder()
    let flushes = 0
    const journal = new Journal(folder, 1, { ...silent, flushed: () => flushes++ })
    await Promise.all(Array.from({ length: 100 }, (_, number) => journal.append(entry(number))))
    await journal.settled()
    expect(flushes).toBe(1)
    expect(journal.pending).toBe(false)
    await journal.append(entry(101))
    await journal.close()
    const groups = valuesOf(join(folder, journal.open.name)).filter((value) => 'group' in (value as object))
    expect(groups).toEqual([{ group: 1 }, { group: 2 }])
  })

  test('an idle journal records once that its last group is durable', async () => {
    const folder = temporaryFolder()
    const journal = new Journal(folder, 1, silent)
    journal.markIdle()
    await journal.append(entry(1))
    await journal.settled()
    for (let count = 0; count < 3; count++) journal.markIdle()
    await journal.append(entry(2))
    await journal.close()
    const [, ...lines] = valuesOf(join(folder, journal.open.name))
    expect(lines).toEqual([{ group: 1 }, entry(1), { group: 2 }, { group: 3 }, entry(2)])
  })

  test('rotate begins the next file, and the older one stays as it is', async () => {
    const folder = temporaryFolder()
    const journal = new Journal(folder, 1, silent)
    await journal.append(entry(1))
    const content = readFileSync(join(folder, journal.open.name))
    journal.rotate((sealed, open) => {
      expect(sealed).toMatchObject({
        name: expect.stringMatching(/^journal-000001-[0-9a-f]{8}\.jsonl$/),
        bytes: content.length,
        sequences: { M1: 1 },
      })
      expect(open.name).toMatch(/^journal-000002-/)
    })
    await journal.append(entry(2))
    await journal.close()
    const [first = '', second = ''] = journalFiles(folder)
    expect(readFileSync(join(folder, first))).toEqual(content)
    expect(entriesOf(join(folder, second))).toEqual([entry(2)])
  })

  test('a file that no manifest names is removed', async () => {
    const folder = temporaryFolder()
    const journal = new Journal(folder, 1, silent)
    const refuse = () => {
      throw new Error('no manifest')
    }
    expect(() => journal.rotate(refuse)).toThrow('no manifest')
    await journal.append(entry(1))
    await journal.close()
    expect(journalFiles(folder)).toEqual([journal.open.name])
    expect(entriesOf(join(folder, journal.open.name))).toEqual([entry(1)])
  })

  test('a group that was not confirmed is announced to nobody', async () => {
    const folder = temporaryFolder()
    const lost = new Error('lost')
    const confirm = () => {
      throw lost
    }
    const journal = new Journal(folder, 1, { ...silent, confirm })
    await expect(journal.append(entry(1))).rejects.toBe(lost)
    await journal.close()
  })

  test('file numbers stay in order beyond six digits', async () => {
    const folder = temporaryFolder()
    const journal = new Journal(folder, 999_999, silent)
    journal.rotate(() => undefined)
    await journal.close()
    expect(journalFiles(folder).map(fileNumberOf)).toEqual([999_999, 1_000_000])
  })
})

describe('the compaction of the journal', () => {
  const worker = join(packageRoot, 'dist/store/folding/fold-worker.js')
  const sales = ({ call }: Service, count: number) =>
    Promise.all(Array.from({ length: count }, () => call('sale', sale(100))))

  /** Resolves when the folder has this many journal files. */
  async function untilJournals(folder: string, count: number): Promise<void> {
    while (journalFiles(folder).length !== count) await new Promise((resolve) => setTimeout(resolve, 5))
  }

  test('compaction folds sealed files into the snapshot, and the state stays the same', async () => {
    const folder = temporaryFolder()
    const service = await openService({ state: folder })
    await sales(service, 20)
    await service.call('sale', sale(1, { merchantId: 'M-NEW', terminalSn: 'T-NEW' }))
    const { data } = await service.call('sale', sale(1000))
    const refund = { originalTransactionId: data.transactionId, transactionRequestId: newId(), amount: 1 }
    await service.call('refund', refund)
    const copy = crashCopy(folder)
    const reopened = await openService({ state: copy })
    const files = readManifest(copy)
    expect(files?.journals).toHaveLength(1)
    const snapshot = await fold({
      folder: copy,
      fixtures: fixturesOf(builtIn),
      files: { snapshot: null, journals: [], ...files, open: null },
    })
    const folded = new StoredState(copy, { snapshot, journals: [], open: null }, () => createState(builtIn))
    const { ledgers } = await folded.read()
    expect([...ledgers]).toEqual([...reopened.sandbox.engine.state.ledgers])
    expect(plainStateOf(reopened.sandbox)).toEqual(plainStateOf(service.sandbox))
  })

  test('a journal beyond its limit is folded while requests go on, without loss or duplicates', async () => {
    expect(existsSync(worker)).toBe(true)
    const folder = temporaryFolder()
    const reported: string[] = []
    const report = (message: string) => reported.push(message)
    const service = await openService({ state: folder, journalLimit: 4000, report })
    for (let round = 0; round < times(6, 24); round++) {
      for (const { code } of await sales(service, 25)) expect(code).toBe('0')
      const copy = await openService({ state: crashCopy(folder) })
      expect(plainStateOf(copy.sandbox)).toEqual(plainStateOf(service.sandbox))
      await copy.close()
    }
    await untilJournals(folder, 1)
    expect(filesOf(folder, 'snapshot')).toHaveLength(1)
    expect(filesOf(folder, 'manifest')).toHaveLength(1)
    expect(journalFiles(folder).map(fileNumberOf)).not.toContain(1)
    const state = plainStateOf(service.sandbox)
    await service.close()
    const reopened = await openService({ state: folder })
    expect(plainStateOf(reopened.sandbox)).toEqual(state)
    expect(reported).toEqual([])
  })

  test('a stop during compaction waits for its end', async () => {
    const folder = temporaryFolder()
    const service = await openService({ state: folder, journalLimit: 1 })
    await sales(service, 50)
    const state = plainStateOf(service.sandbox)
    await service.close()
    expect(journalFiles(folder)).toHaveLength(0)
    const reopened = await openService({ state: folder })
    expect(plainStateOf(reopened.sandbox)).toEqual(state)
  })

  test('after a reset during compaction, while sales go on, a restart finds the live state', async () => {
    const folder = temporaryFolder()
    const service = await openService({ state: folder, journalLimit: 1 })
    for (let round = 0; round < times(2, 10); round++) {
      const going = { on: true }
      const seller = async () => {
        while (going.on) {
          expect((await service.call('sale', sale(100))).code).toBe('0')
          await new Promise((resolve) => setImmediate(resolve))
        }
      }
      const sellers = Array.from({ length: 8 }, seller)
      try {
        await sales(service, 50)
        expect((await service.control('POST', 'reset')).code).toBe('0')
        await sales(service, 10)
      } finally {
        going.on = false
        await Promise.all(sellers)
      }
      const copy = await openService({ state: crashCopy(folder) })
      expect(plainStateOf(copy.sandbox)).toEqual(plainStateOf(service.sandbox))
      await copy.close()
    }
  })

  test('a reset during compaction is not undone', async () => {
    const folder = temporaryFolder()
    const service = await openService({ state: folder, journalLimit: 1 })
    await sales(service, 50)
    expect((await service.control('POST', 'reset')).code).toBe('0')
    await sales(service, 3)
    const state = plainStateOf(service.sandbox)
    await service.close()
    const reopened = await openService({ state: folder })
    expect(plainStateOf(reopened.sandbox)).toEqual(state)
    expect((await reopened.control('GET', 'state')).data.transactions).toBe(3)
  })
})
