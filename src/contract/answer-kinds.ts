import * as v from 'valibot'

/**
 * Kinds of members in answers of the control interface. An answer that does not match its schema is not a sandbox's;
 * one that matches can be shown without further checks. Unknown members are allowed. assumption: cli-answers
 */

export const text = v.string('is not text')
export const textOrNull = v.nullable(text)
export const whether = v.boolean('is not true or false')
export const amount = v.pipe(v.number('is not a number'), v.finite('is not a number'))
export const amountOrNull = v.nullable(amount)

/** Milliseconds that a Date can hold. */
export const moment = v.pipe(
  amount,
  v.minValue(-8.64e15, 'is not a time'),
  v.maxValue(8.64e15, 'is not a time'),
)

/** An object with at least these members. */
export const shape = <const E extends v.ObjectEntries>(entries: E) => v.pipe(v.object(entries), v.readonly())

export const list = <const T extends v.GenericSchema>(item: T) =>
  v.pipe(v.array(item, 'is not a list'), v.readonly())

/** An object with any member names. */
export const record = <const T extends v.GenericSchema>(item: T) =>
  v.pipe(v.record(v.string(), item, 'is not an object'), v.readonly())

/** A word that is only shown: an unknown one is shown unchanged. */
export const word = <T>() => v.custom<T>((value) => typeof value === 'string', 'is not text')

/** One of these words. */
export const one = <const T extends readonly string[]>(words: T) =>
  v.picklist(words, `is none of ${words.join(', ')}`)
