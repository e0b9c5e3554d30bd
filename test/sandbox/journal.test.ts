import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applications } from '../../src/fixtures.ts'
import { packageRoot } from '../../src/package-root.ts'
import { createBook } from '../../src/sandbox/book.ts'
import { BookAdapter } from '../../src/sandbox/store/adapter.ts'
import { compact } from '../../src/sandbox/store/compact.ts'
import { Journal, journalFiles } from '../../src/sandbox/store/journal.ts'
import { DamagedLine, readLines } from '../../src/sandbox/store/lines.ts'
import {
  crashCopy,
  encodeLine,
  newId,
  openService,
  type Service,
  sale,
  stateOf,
  temporaryFolder,
} from '../support/service.ts'

const silent = { flushed: () => undefined, failed: () => undefined }

const valuesOf = (path: string): unknown[] => {
  const values: unknown[] = []
  readLines<{ crc?: string }>(path, ({ crc: _, ...value }) => values.push(value))
  return values
}

describe('lines', () => {
  const path = () => join(temporaryFolder(), 'lines')

  test('any object is read back as it was written', () => {
    const file = path()
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), { maxLength: 8 }),
        (objects) => {
          const values = objects.map((value) => ({ value: JSON.parse(JSON.stringify(value)) as unknown }))
          writeFileSync(file, values.map(encodeLine).join(''))
          expect(valuesOf(file)).toEqual(values)
        },
      ),
      { numRuns: 50 },
    )
  })

  test('any changed byte is noticed', () => {
    const file = path()
    const bytes = Buffer.from(encodeLine({ text: 'a value é', number: 12 }))
    for (let place = 0; place < bytes.length - 1; place++)
      for (const flip of [1, 0x80]) {
        const changed = Buffer.from(bytes)
        changed[place] = (changed[place] ?? 0) ^ flip
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

describe('journal', () => {
  test('what was appended is there, in order, after the format', async () => {
    const folder = temporaryFolder()
    const journal = Journal.open(folder, 0, silent)
    const numbers = Array.from({ length: 500 }, (_, number) => ({ number }))
    await Promise.all(numbers.map((value) => journal.append(value)))
    await journal.close()
    expect(valuesOf(join(folder, 'journal-000001.jsonl'))).toEqual([{ format: 1 }, ...numbers])
  })

  test('append resolves only when the line is in the file', async () => {
    const folder = temporaryFolder()
    const journal = Journal.open(folder, 0, silent)
    for (let number = 0; number < 20; number++) {
      await journal.append({ number })
      expect(valuesOf(join(folder, journal.name)).at(-1)).toEqual({ number })
    }
    await journal.close()
  })

  test('equal moments share one flush', async () => {
    const folder = temporaryFolder()
    let flushes = 0
    const journal = Journal.open(folder, 0, { ...silent, flushed: () => flushes++ })
    await Promise.all(Array.from({ length: 100 }, (_, number) => journal.append({ number })))
    await journal.settled()
    expect(flushes).toBe(1)
    expect(journal.pending).toBe(false)
    await journal.close()
  })

  test('rotate begins the next file, the older one stays as it is', async () => {
    const folder = temporaryFolder()
    const journal = Journal.open(folder, 0, silent)
    await journal.append({ number: 1 })
    const sealed = readFileSync(join(folder, journal.name))
    journal.rotate()
    await journal.append({ number: 2 })
    await journal.close()
    expect(journalFiles(folder)).toEqual(['journal-000001.jsonl', 'journal-000002.jsonl'])
    expect(readFileSync(join(folder, 'journal-000001.jsonl'))).toEqual(sealed)
    expect(valuesOf(join(folder, 'journal-000002.jsonl'))).toEqual([{ format: 1 }, { number: 2 }])
  })

  test('opening again appends behind the whole lines', async () => {
    const folder = temporaryFolder()
    const first = Journal.open(folder, 0, silent)
    await first.append({ number: 1 })
    const { bytes } = first
    await first.append({ number: 2 })
    await first.close()
    const again = Journal.open(folder, bytes, silent)
    await again.append({ number: 3 })
    await again.close()
    const path = join(folder, 'journal-000001.jsonl')
    expect(valuesOf(path)).toEqual([{ format: 1 }, { number: 1 }, { number: 3 }])
  })
})

describe('compaction', () => {
  const worker = join(packageRoot, 'dist/sandbox/store/compact.js')
  const sales = ({ call }: Service, count: number) =>
    Promise.all(Array.from({ length: count }, () => call('sale', sale(100))))

  /** Resolves when the folder has this many journal files. */
  async function untilJournals(folder: string, count: number): Promise<void> {
    while (journalFiles(folder).length !== count) await new Promise((resolve) => setTimeout(resolve, 5))
  }

  test('folds sealed files into the snapshot, and the state stays the same', async () => {
    const folder = temporaryFolder()
    const service = await openService({ state: folder })
    await sales(service, 20)
    await service.call('sale', sale(1, { merchantId: 'M-NEW', terminalSn: 'T-NEW' }))
    const { data } = await service.call('sale', sale(1000))
    const refund = { originalTransactionId: data.transactionId, transactionRequestId: newId(), amount: 1 }
    await service.call('refund', refund)
    const copy = crashCopy(folder)
    const before = (await readBack(copy)).size
    const newest = Journal.open(copy, readFileSync(join(copy, 'journal-000001.jsonl')).length, silent)
    newest.rotate()
    await newest.close()
    await compact({ folder: copy, before: 'journal-000002.jsonl' })
    expect(journalFiles(copy)).toEqual(['journal-000002.jsonl'])
    expect((await readBack(copy)).size).toBe(before)
    const reopened = await openService({ state: copy })
    expect(stateOf(reopened.sandbox)).toEqual(stateOf(service.sandbox))
  })

  const readBack = async (folder: string) =>
    (await new BookAdapter(folder, () => createBook(applications, 0)).read()).ledgers.get('M1000000001')
      ?.transactions ?? new Map()

  test('a journal beyond its limit is folded while requests go on; nothing is lost, nothing twice', async () => {
    expect(existsSync(worker)).toBe(true)
    const folder = temporaryFolder()
    const reported: string[] = []
    const report = (message: string) => reported.push(message)
    const service = await openService({ state: folder, journalLimit: 4000, report })
    for (let round = 0; round < 12; round++) {
      for (const { code } of await sales(service, 25)) expect(code).toBe('0')
      const copy = await openService({ state: crashCopy(folder) })
      expect(stateOf(copy.sandbox)).toEqual(stateOf(service.sandbox))
      await copy.close()
    }
    await untilJournals(folder, 1)
    expect(existsSync(join(folder, 'snapshot.jsonl'))).toBe(true)
    expect(readdirSync(folder)).not.toContain('journal-000001.jsonl')
    const state = stateOf(service.sandbox)
    await service.close()
    const reopened = await openService({ state: folder })
    expect(stateOf(reopened.sandbox)).toEqual(state)
    expect(reported).toEqual([])
  })

  test('a stop in the middle of it waits for it', async () => {
    const folder = temporaryFolder()
    const service = await openService({ state: folder, journalLimit: 1 })
    await sales(service, 50)
    const state = stateOf(service.sandbox)
    await service.close()
    expect(journalFiles(folder)).toHaveLength(1)
    const reopened = await openService({ state: folder })
    expect(stateOf(reopened.sandbox)).toEqual(state)
  })

  test('a reset in the middle of it, while sales go on: what is live then is what a restart finds', async () => {
    const folder = temporaryFolder()
    const service = await openService({ state: folder, journalLimit: 1 })
    for (let round = 0; round < 5; round++) {
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
      expect(stateOf(copy.sandbox)).toEqual(stateOf(service.sandbox))
      await copy.close()
    }
  })

  test('a reset in the middle of it stays a reset', async () => {
    const folder = temporaryFolder()
    const service = await openService({ state: folder, journalLimit: 1 })
    await sales(service, 50)
    expect((await service.control('POST', 'reset')).code).toBe('0')
    await sales(service, 3)
    const state = stateOf(service.sandbox)
    await service.close()
    const reopened = await openService({ state: folder })
    expect(stateOf(reopened.sandbox)).toEqual(state)
    expect((await reopened.control('GET', 'state')).data.transactions).toBe(3)
  })
})
