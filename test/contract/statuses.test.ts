import { describe, expect, test } from 'vitest'
import {
  isFinal,
  moneyDirection,
  parseStatus,
  paymentTypes,
  sessionChanges,
  sessionStates,
  statusForms,
  statusLetters,
  statusRows,
  statusWords,
  type TransactionType,
  takesBack,
  typeNamed,
  typeNames,
  typeWordOf,
  typeWords,
} from '../../src/contract/statuses.ts'

describe('api statuses', () => {
  test('each status has its letter, its word, what leads to it and what it may become', () => {
    const pending = { word: 'pending', next: ['PROCESSING', 'CLOSED'] }
    const [up, ends] = ['taken up by the terminal or cloud', ['SUCCESS', 'FAIL', 'CLOSED']]
    const endings = ['abort', 'cancel', 'expiry', 'expire-session']
    expect(statusRows()).toEqual([
      { status: 'INITIAL', letter: 'I', after: ['request accepted'], ...pending },
      { status: 'PROCESSING', letter: 'P', after: [up], word: 'pending', next: ends },
      { status: 'SUCCESS', letter: 'S', word: 'approved', after: ['approved by host'], next: [] },
      { status: 'FAIL', letter: 'F', word: 'declined', after: ['declined by host'], next: [] },
      { status: 'CLOSED', letter: 'C', word: 'closed', after: endings, next: [] },
    ])
  })

  test('a final status never changes again', () => {
    for (const { status, next } of statusRows()) expect(isFinal(status)).toBe(next.length === 0)
  })

  test('a status is read by its name and its letter, and by nothing else', () => {
    for (const [status, letter] of Object.entries(statusLetters))
      expect([parseStatus(status), parseStatus(letter)]).toEqual([status, status])
    expect(['s', 'success', 'X', ''].map(parseStatus)).toEqual([undefined, undefined, undefined, undefined])
  })

  test('assumption list-filters: the status words are approved, declined, closed and pending', () => {
    expect(statusWords).toEqual(['approved', 'declined', 'closed', 'pending'])
    for (const word of statusWords) expect(statusForms).toContain(word)
  })
})

test('assumption checkout: a session changes between its states, and each of them is reached', () => {
  const [from, to] = (['from', 'to'] as const).map(
    (side) => new Set(sessionChanges.map((each) => each[side])),
  )
  expect(from).toEqual(new Set([null, 'open', 'processing']))
  expect(to).toEqual(new Set(sessionStates))
})

describe('types of transaction', () => {
  test.each<[TransactionType, string, number]>([
    ['SALE', 'sale', 1],
    ['AUTH', 'auth', 0],
    ['FORCED_AUTH', 'forced-auth', 1],
    ['INCREMENTAL', 'incremental', 0],
    ['POST_AUTH', 'post-auth', 1],
    ['REFUND', 'refund', -1],
    ['VOID', 'void', 0],
  ])('%s is typed %s and moves money by %i', (type, word, direction) => {
    const expected = [word, type, type, direction]
    expect([typeWordOf(type), typeNamed(word), typeNamed(type), moneyDirection[type]]).toEqual(expected)
    expect(typeNamed(word.toUpperCase())).toBe(type)
    expect(typeNamed(typeNames[type])).toBe(type)
    expect(typeWords).toContain(word)
    expect(paymentTypes.includes(type)).toBe(direction === 1)
    expect(takesBack(type)).toBe(type === 'REFUND' || type === 'VOID')
  })

  test.each([
    ['capture', 'POST_AUTH'],
    ['Capture', 'POST_AUTH'],
    ['incremental-auth', 'INCREMENTAL'],
    ['INCREMENTAL_AUTH', 'INCREMENTAL'],
    ['gift', undefined],
    ['', undefined],
  ])('the type word %j names %s', (text, type) => expect(typeNamed(text)).toBe(type))
})
