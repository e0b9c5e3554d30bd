import { describe, expect, test } from 'vitest'
import {
  daysAfter,
  localDateTime,
  offsetDateTime,
  readLocalTime,
} from '../../../src/domain/model/local-time.ts'
import { batchCloseAnswer, batchCloseList, batchList } from '../../../src/sandbox/service/lookups.ts'
import { closing, saleOf, Till } from '../../support/domain/ledger.ts'

describe('date-times in ISO 8601 with offset', () => {
  test.each([
    ['UTC', '2026-01-31T12:00:00Z', '2026-01-31T12:00:00+00:00'],
    ['America/New_York', '2026-01-31T04:59:59Z', '2026-01-30T23:59:59-05:00'],
    ['America/New_York', '2026-03-08T06:59:59Z', '2026-03-08T01:59:59-05:00'],
    ['America/New_York', '2026-03-08T07:00:00Z', '2026-03-08T03:00:00-04:00'],
    ['America/New_York', '2026-11-01T05:30:00Z', '2026-11-01T01:30:00-04:00'],
    ['America/New_York', '2026-11-01T06:30:00Z', '2026-11-01T01:30:00-05:00'],
    ['Europe/Berlin', '2026-12-31T23:30:00Z', '2027-01-01T00:30:00+01:00'],
    ['Europe/Berlin', '2026-07-01T12:00:00Z', '2026-07-01T14:00:00+02:00'],
    ['Asia/Kolkata', '2026-01-31T18:30:00Z', '2026-02-01T00:00:00+05:30'],
    ['Asia/Kathmandu', '2026-01-31T12:00:00Z', '2026-01-31T17:45:00+05:45'],
    ['America/St_Johns', '2026-01-31T03:29:59Z', '2026-01-30T23:59:59-03:30'],
    ['Australia/Lord_Howe', '2026-01-31T12:00:00Z', '2026-01-31T23:00:00+11:00'],
    ['Australia/Lord_Howe', '2026-07-31T12:00:00Z', '2026-07-31T22:30:00+10:30'],
    ['Pacific/Kiritimati', '2026-01-31T12:00:00Z', '2026-02-01T02:00:00+14:00'],
  ])('in the zone %s the moment %s is %s', (zone, at, text) => {
    expect(offsetDateTime(Date.parse(at), zone)).toBe(text)
  })

  test('one moment is formatted for several time zones in turn', () => {
    const at = Date.UTC(2026, 0, 31, 12)
    const zones = ['UTC', 'Asia/Kolkata', 'UTC', 'America/New_York'].map((zone) => localDateTime(at, zone))
    const times = ['2026-01-31T12:00:00', '2026-01-31T17:30:00', '2026-01-31T12:00:00', '2026-01-31T07:00:00']
    expect(zones).toEqual(times)
    expect(localDateTime(at + 1000, 'America/New_York')).toBe('2026-01-31T07:00:01')
  })

  test('milliseconds are left out, and do not change the offset', () => {
    const at = Date.UTC(2026, 0, 31, 12)
    for (const zone of ['UTC', 'America/St_Johns', 'Asia/Kathmandu'])
      for (const more of [1, 499, 500, 999])
        expect(offsetDateTime(at + more, zone)).toBe(offsetDateTime(at, zone))
  })

  test('each text reads back as the moment that it was made from', () => {
    for (const zone of ['UTC', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu'])
      for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += 5_397_000)
        expect(Date.parse(offsetDateTime(at, zone))).toBe(at)
  })
})

describe('times as people type them', () => {
  test.each([
    ['2026-11-20', 'UTC', '2026-11-20T00:00:00Z'],
    ['2026-11-20T18:02', 'UTC', '2026-11-20T18:02:00Z'],
    ['2026-11-20', 'America/New_York', '2026-11-20T05:00:00Z'],
    ['2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30:00Z'],
    ['2026-07-01', 'Asia/Kolkata', '2026-06-30T18:30:00Z'],
    ['9999-12-31T20:00', 'Asia/Kolkata', '9999-12-31T14:30:00Z'],
    ['0026-11-20', 'Etc/GMT-5', '0026-11-19T19:00:00Z'],
  ])('the typed time %s in %s is %s', (text, zone, at) => {
    expect(readLocalTime(text, zone)).toBe(Date.parse(at))
  })

  test('a text that is not a date-time is not accepted', () => {
    for (const text of [
      '',
      'noon',
      '2026-02-31',
      '2026-13-01',
      '2026-11-20T25:00',
      '2026-11-20T18:02:03',
      '20261120',
    ])
      expect(readLocalTime(text, 'UTC'), text).toBeUndefined()
  })

  test('days are counted forwards and backwards from a date', () => {
    expect([daysAfter('2026-03-01', -1), daysAfter('2026-12-31', 1)]).toEqual(['2026-02-28', '2027-01-01'])
  })
})

test.each([
  ['America/New_York', '2026-11-01T01:30:00-04:00', '2026-11-01T01:30:00-05:00'],
  ['Asia/Kolkata', '2026-11-01T11:00:00+05:30', '2026-11-01T12:00:00+05:30'],
])('the times of a merchant in %s are local, with the offset of the moment', (zone, opened, closed) => {
  const till = new Till(0, zone)
  till.at = Date.UTC(2026, 10, 1, 5, 30)
  till.open(saleOf(1000))
  expect(batchList(till.ledger, {}, 'spec').batchList).toMatchObject([{ startTime: opened }])
  till.pass(3_600_000)
  till.do(closing())
  const [close] = till.ledger.closes.values()
  expect(close && batchCloseAnswer(till.ledger, close, 'spec').batchTime).toBe(closed)
  const period = { startTime: '2026-11-01T06:30:00Z', endTime: closed }
  const { batchCloseList: list } = batchCloseList(till.ledger, period, 'spec', till.at)
  expect(list).toMatchObject([{ batchTime: closed }])
})
