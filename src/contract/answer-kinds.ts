import * as v from 'valibot'

/**
 * Kinds of members in answers: of the control interface, of the payment service, and of commands. An answer
 * that does not match its schema is not a sandbox's; one that matches can be shown without further checks.
 * Unknown members are allowed. assumption: cli-answers
 */

export const text = v.string('is not text')
export const textOrNull = v.nullable(text)
export const whether = v.boolean('is not true or false')
export const amount = v.pipe(v.number('is not a number'), v.finite('is not a number'))
export const amountOrNull = v.nullable(amount)

/** Milliseconds that a Date can hold. */
export const epochMs = v.pipe(
  amount,
  v.minValue(-8.64e15, 'is not a time'),
  v.maxValue(8.64e15, 'is not a time'),
)

/** The schema with what it means, as documents say it. */
export const described = <const S extends v.GenericSchema>(schema: S, meaning: string) =>
  v.pipe(schema, v.description(meaning))

/** An object with at least these members. */
export const shape = <const E extends v.ObjectEntries>(entries: E) => v.pipe(v.object(entries), v.readonly())

/** An object with at least these members, and the name and the meaning that documents give it. */
export const named = <const E extends v.ObjectEntries>(name: string, meaning: string, entries: E) =>
  v.pipe(v.object(entries), v.readonly(), v.title(name), v.description(meaning))

export const list = <const T extends v.GenericSchema>(item: T) =>
  v.pipe(v.array(item, 'is not a list'), v.readonly())

/** An object with any member names. */
export const record = <const T extends v.GenericSchema>(item: T) =>
  v.pipe(v.record(v.string(), item, 'is not an object'), v.readonly())

/** A word that is only shown: one that is none of these is shown unchanged. */
export const word = <const T extends readonly string[]>(words: T) =>
  v.pipe(
    v.custom<T[number]>((value) => typeof value === 'string', 'is not text'),
    v.metadata({ words }),
  )

/** One of these words. */
export const one = <const T extends readonly string[]>(words: T) =>
  v.picklist(words, `is none of ${words.join(', ')}`)
