import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { recordsFrom, toColumns, valuesOf, wrongColumn } from '../../src/store/file/format/columns.ts'
import { times } from '../support/runner/counts.ts'

type Record = { [member: string]: unknown }

/** As it is after a file: what JSON makes of it. */
const written = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

const readBack = (records: readonly Record[]): Record[] => recordsFrom(written(toColumns(records)))

/** Values of one member: the same ones, few, numbers, any, and those that are missing. */
const member = fc.oneof(
  fc.constantFrom('approve', null, false, 0),
  fc.constantFrom('a', 'b', 'c', null, 1, true, [0, 'opened', null]),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0), // JSON has no -0
  fc.string(),
  fc.jsonValue().map(written),
  fc.constant(undefined),
)

const records = fc
  .array(fc.tuple(fc.constantFrom('id', 'amount', 'tip', 'note', 'é'), member), { maxLength: 5 })
  .map((entries) => Object.fromEntries(entries) as Record)

describe('records as columns', () => {
  test('any records are read back as they were written', () => {
    fc.assert(
      fc.property(fc.array(records, { minLength: 1, maxLength: 40 }), (all) => {
        const columns = written(toColumns(all))
        expect(wrongColumn(columns)).toBeUndefined()
        expect(recordsFrom(columns)).toEqual(written(all))
        for (const name of ['id', 'amount', 'é'])
          expect(valuesOf(columns, name)).toEqual(written(all).map((record) => record[name]))
      }),
      { numRuns: times(500, 20_000) },
    )
  })

  const many = (value: (at: number) => Record): Record[] => Array.from({ length: 500 }, (_, at) => value(at))

  test.each<[string, (at: number) => Record, object]>([
    ['one value', () => ({ a: 'x' }), { same: 'x' }],
    ['few values', (at) => ({ a: at % 2 === 0 ? 'x' : null }), { of: ['x', null] }],
    ['whole numbers', (at) => ({ a: 1_795_292_106_799 + at * 1_000 }), { from: 1_795_292_106_799 }],
    ['whole numbers too far apart', (at) => ({ a: (at - 250) * 2 ** 44 }), { from: -250 * 2 ** 44 }],
    ['numbers and null', (at) => ({ a: at === 3 ? null : at }), { each: expect.any(Array) }],
    ['texts', (at) => ({ a: String(at) }), { each: expect.any(Array) }],
    ['a member of some', (at) => (at === 3 ? { a: 'x' } : {}), { only: [3], have: ['x'] }],
  ])('records with %s are stored as the shortest column and read back', (_, value, column) => {
    const all = many(value)
    expect(toColumns(all).columns.a).toMatchObject(column)
    expect(readBack(all)).toEqual(all)
  })

  test('whole numbers whose differences a number cannot hold exactly are read back', () => {
    const all = many((at) => ({ a: at === 0 ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER - at }))
    expect(readBack(all)).toEqual(all)
  })

  test('an object that records share stays shared, and equal objects stay separate', () => {
    const shared = [0, 'opened', null]
    const read = readBack(many((at) => ({ shared, own: { at: at % 2 } })))
    expect(new Set(read.map((record) => record.shared)).size).toBe(1)
    expect(new Set(read.map((record) => record.own)).size).toBe(500)
  })

  test.each<[string, object]>([
    ['a kind that is unknown', { delta: [1, 2] }],
    ['too few values', { each: [1] }],
    ['too few places', { of: ['x', 'y'], at: [0] }],
    ['too few differences', { from: 1, plus: [] }],
    ['members without their values', { only: [0], have: [] }],
  ])('the error names the column with %s', (_, column) => {
    const columns = { count: 2, columns: { id: { each: ['1', '2'] }, a: column } }
    expect(wrongColumn(columns as Parameters<typeof wrongColumn>[0])).toBe('the column "a" cannot be read')
  })
})
