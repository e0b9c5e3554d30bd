import * as v from 'valibot'
import { isCurrency } from '../../contract/currencies.ts'
import { limits } from '../../contract/headers.ts'
import { isHttpUrl } from '../../shared/text/http-url.ts'

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
/** Largest trace and voucher number. */
export const largestNumber = 999_999
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
