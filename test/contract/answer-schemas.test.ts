import { safeParse } from 'valibot'
import { describe, expect, test } from 'vitest'
import { record as recordOf, word } from '../../src/contract/answer-kinds.ts'
import { findMismatch, type Shape } from '../../src/contract/answer-shape.ts'
import { type OperationName, operations } from '../../src/contract/operations.ts'

const mismatch = (name: OperationName, data: unknown) => findMismatch(data, operations[name].answer)

describe('assumption cli-answers: the members that an answer must have', () => {
  test.each<[OperationName, object]>([
    ['sale', { transactionId: '1' }],
    ['void', { transactionId: '1' }],
    ['direct-payment', { transactionId: '1' }],
    ['online-refund', { transactionId: '1' }],
    ['abort', { transactionStatus: 'C' }],
    ['tip-adjust', { tipAmount: 1 }],
    ['create-session', { checkoutUrl: 'http://127.0.0.1/', sessionId: 'S' }],
    ['expire-session', { sessionId: 'S' }],
    ['query', { transactionId: '1', transactionStatus: 'S', transactionAmount: 1 }],
    ['batch-close', { batchNo: 1 }],
    ['merchant-query', { merchantId: 'M' }],
  ])('%s requires %j, each of the right type, and accepts other members', (name, data) => {
    expect(mismatch(name, { ...data, more: 1 })).toBeUndefined()
    for (const [member, value] of Object.entries(data)) {
      const without = { ...data, [member]: undefined }
      const isRequired = member !== 'transactionAmount'
      expect(mismatch(name, without)).toBe(isRequired ? `data.${member} is missing` : 'data. has no amount')
      if (isRequired)
        expect(mismatch(name, { ...data, [member]: [] })).toMatch(new RegExp(`^data.${member} is n`))
      if (typeof value === 'string')
        expect(mismatch(name, { ...data, [member]: '' })).toBe(`data.${member} is empty`)
    }
  })

  test.each<[OperationName, string]>([
    ['batch-query', 'batchList'],
    ['batch-close-list', 'batchCloseList'],
    ['merchant-terminals', 'terminals'],
  ])('%s: %s is a list of objects, null or left out', (name, member) => {
    for (const list of [[], [{}], [{ any: 1 }], null, undefined])
      expect(mismatch(name, { [member]: list })).toBeUndefined()
    expect(mismatch(name, { [member]: 'text' })).toBe(`data.${member} is not a list`)
    expect(mismatch(name, { [member]: [1] })).toBe(`data.${member}.0 is not an object`)
  })

  test('nextToken is text, null or left out', () => {
    for (const nextToken of ['T', null, undefined])
      expect(mismatch('merchant-terminals', { nextToken })).toBeUndefined()
    expect(mismatch('merchant-terminals', { nextToken: 1 })).toBe('data.nextToken is not text')
  })

  test('a batch number may be text or a number beside a list', () => {
    for (const batchNo of ['1', 1])
      expect(mismatch('batch-close', { batchNo, batchList: [{}] })).toBeUndefined()
    expect(mismatch('batch-close', { batchNo: 1, batchList: 1 })).toBe('data.batchList is not a list')
  })

  test.each([
    [{ amount: {} }, undefined],
    [{ orderAmount: 0 }, undefined],
    [{ transactionAmount: 0 }, undefined],
    [{ amount: null }, 'data. has no amount'],
    [{ amount: 1 }, 'data. has no amount'],
    [{ orderAmount: '1', transactionAmount: null }, 'data. has no amount'],
  ])('the amount of a record is read or reported as missing: %j', (amounts, problem) => {
    expect(mismatch('query', { transactionId: '1', transactionStatus: 'S', ...amounts })).toBe(problem)
  })

  test.each([
    [undefined, 'data is missing'],
    [null, 'data is not an object'],
    ['text', 'data is not an object'],
    [[], 'data is not an object'],
  ])('an answer with the data %j is wrong because %s', (data, problem) =>
    expect(mismatch('sale', data)).toBe(problem),
  )

  test('the first wrong member is named', () => {
    expect(mismatch('create-session', {})).toBe('data.checkoutUrl is missing')
  })
})

describe('kinds of members', () => {
  const takes = (shape: Shape, value: unknown) => safeParse(shape, value).success

  test('a word accepts any text', () => {
    expect(['new', '', 1, null].filter((value) => takes(word(['old']), value))).toEqual(['new', ''])
  })

  test('a record accepts members of one kind under any name', () => {
    const words = recordOf(word(['a']))
    const taken = [{}, { a: 'b' }, { a: 1 }, 'text'].filter((value) => takes(words, value))
    expect(taken).toEqual([{}, { a: 'b' }])
  })
})
