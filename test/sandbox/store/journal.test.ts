import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Journal, journalNamed } from '../../../src/sandbox/store/file/journal.ts'
import { decodeLine, readFileLines } from '../../../src/sandbox/store/file/lines.ts'
import { packageVersion } from '../../../src/shared/package-root.ts'
import { times } from '../../support/runner/counts.ts'
import { codePoint } from '../../support/service/code-point.ts'
import { encodeLine, temporaryFolder } from '../../support/service/service.ts'

const silent = { confirm: () => undefined, failed: () => undefined, report: () => undefined }

const openJournal = (more: object = {}) =>
  new Journal(temporaryFolder(), journalNamed(1), { ...silent, ...more })

/** An entry of a ledger in which nothing happens. */
const entry = (sequence: number) => ({ stream: 'M1', sequence, at: 0, events: [] })

/** The objects of the lines of a file; undefined for one that is not sound. */
const valuesOf = (path: string): unknown[] =>
  Array.from(readFileLines(path), ({ bytes }) => {
    const { crc: _, ...value } = decodeLine<{ crc?: string }>(bytes) ?? { crc: '' }
    return decodeLine(bytes) === undefined ? undefined : value
  })

describe('lines of the journal', () => {
  const path = () => join(temporaryFolder(), 'lines')

  test('any object is read back as it was written', () => {
    const file = path()
    const objects = fc.array(fc.dictionary(fc.string({ unit: codePoint }), fc.jsonValue()), { maxLength: 8 })
    fc.assert(
      fc.property(objects, (all) => {
        const values = all.map((value) => ({ value: JSON.parse(JSON.stringify(value)) as unknown }))
        writeFileSync(file, values.map(encodeLine).join(''))
        expect(valuesOf(file)).toEqual(values)
      }),
      { numRuns: times(15, 500) },
    )
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
    const journal = openJournal()
    const entries = Array.from({ length: 500 }, (_, number) => entry(number))
    await Promise.all(entries.map((each) => journal.append(each)))
    journal.close()
    const { path, named } = journal
    const first = { format: 3, version: packageVersion(), id: named.id }
    expect(valuesOf(path).slice(0, 2)).toEqual([first, { group: 1 }])
    expect(entriesOf(path)).toEqual(entries)
  })

  test('append resolves only once the line is in the file', async () => {
    const journal = openJournal()
    for (let number = 0; number < 20; number++) {
      await journal.append(entry(number))
      expect(valuesOf(journal.path).at(-1)).toEqual(entry(number))
    }
    journal.close()
  })

  test('appends at the same moment share one flush and form one group', async () => {
    const journal = openJournal()
    await Promise.all(Array.from({ length: 100 }, (_, number) => journal.append(entry(number))))
    await journal.queue.settled()
    expect(journal.queue.pending).toBe(false)
    await journal.append(entry(101))
    journal.close()
    const groups = valuesOf(journal.path).filter((value) => 'group' in (value as object))
    expect(groups).toEqual([{ group: 1 }, { group: 2 }])
  })

  test('an idle journal records once that its last group is durable', async () => {
    const journal = openJournal()
    journal.tidy()
    await journal.append(entry(1))
    await journal.queue.settled()
    for (let count = 0; count < 3; count++) journal.tidy()
    await journal.append(entry(2))
    journal.close()
    const [, ...lines] = valuesOf(journal.path)
    expect(lines).toEqual([{ group: 1 }, entry(1), { group: 2 }, { group: 3 }, entry(2)])
  })

  test('a group that was not confirmed is announced to nobody', async () => {
    const lost = new Error('lost')
    const confirm = () => {
      throw lost
    }
    const journal = openJournal({ confirm })
    await expect(journal.append(entry(1))).rejects.toBe(lost)
    journal.close()
  })
})
