import * as v from 'valibot'
import { isCurrency } from '../../contract/currencies.ts'
import { limits } from '../../contract/headers.ts'
import { isHttpUrl } from '../../text/http-url.ts'
import type { Transaction } from './transaction.ts'

/** The numbers of a transaction as the record writes them. assumption: identifiers */

const digits = (value: number, length: number): string => String(value).padStart(length, '0')

/** Largest trace and voucher number. */
const largestNumber = 999_999

/** The next trace or voucher number: after the largest comes 1. */
export const numberAfter = (last: number): number => (last % largestNumber) + 1

/** System trace number, ISO 8583 field 11: six digits. */
export const stanOf = ({ stan }: Transaction): string => digits(stan, 6)

/** Voucher number: six digits. */
export const voucherNoOf = ({ voucherNo }: Transaction): string => digits(voucherNo, 6)

/** Retrieval reference number, ISO 8583 field 37 as commonly built: last digit of the year, day, hour, trace number. */
export function rrnOf({ createdAt, stan }: Transaction): string {
  const date = new Date(createdAt)
  const year = date.getUTCFullYear()
  const day = Math.floor((createdAt - Date.UTC(year, 0, 1)) / 86_400_000) + 1
  return `${year % 10}${digits(day, 3)}${digits(date.getUTCHours(), 2)}${digits(stan, 6)}`
}

/** Kinds of members in stored records. */

/** Above any real count, and low enough that adding one stays exact. */
export const mostCounted = 2 ** 52

/** A whole number within these bounds. */
export const whole = (least: number, most: number) =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(least), v.maxValue(most))
export const count = whole(0, mostCounted)
/** Minor units. Sums may exceed the limit of one request. */
export const amount = whole(0, limits.amount * 1_000)
export const balance = v.pipe(v.number(), v.safeInteger())
const lastMoment = Date.UTC(9999, 11, 31)
/** Milliseconds within the range of a date. */
export const epochMs = whole(0, lastMoment)
/** True for milliseconds within the range of a date. */
export const isDate = (time: number): boolean => time >= 0 && time <= lastMoment
export const sixDigits = whole(0, largestNumber)
export const text = v.string()
export const isoTimestamp = v.pipe(v.string(), v.isoTimestamp())
export const name = v.pipe(v.string(), v.nonEmpty())
export const flag = v.boolean()
export const currency = v.pipe(v.string(), v.check(isCurrency, 'must be an active ISO 4217 code'))
export const url = v.pipe(v.string(), v.check(isHttpUrl, 'must be a URL with http:// or https://'))

/** A transaction id; ids count up, so there must be a next one. */
export const id = v.pipe(
  v.string(),
  v.check(
    (digits) => /^[1-9]\d{0,15}$/.test(digits) && Number(digits) <= mostCounted,
    'must be a transaction id',
  ),
)

/** Null where there is no value. */
export const orNull = <const S extends v.GenericSchema>(schema: S) => v.nullable(schema)

/** Absent where there is no value. */
export const maybe = <const S extends v.GenericSchema>(schema: S) => v.exactOptional(schema)

/** A list that does not change. */
export const listOf = <const S extends v.GenericSchema>(schema: S) => v.pipe(v.array(schema), v.readonly())

/** One of the names of an object. */
export const nameIn = <K extends string>(names: Readonly<Record<K, unknown>>) =>
  v.picklist(Object.keys(names) as K[])
