import * as v from 'valibot'
import { durationText } from '../shared/text/duration.ts'
import { isCurrency } from './currencies.ts'
import { limits } from './headers.ts'
import { parseStatuses, statusForms, typeNamed, typeWords } from './statuses.ts'

/** Kinds of members, each with its rule and its help line. */

/** Refuses names that a record cannot keep: JavaScript objects inherit them, or valibot leaves them out. */
export const notReserved = v.check(
  (name: string) => !(name in Object.prototype) && name !== 'prototype',
  'must not be a name that JavaScript reserves',
)

/** At most that many characters: code points, as JSON Schema counts them. assumption: field-limits */
export const maxCharacters = (most: number): v.MaxLengthAction<string, number, string> => {
  const action = v.maxLength<string, number, string>(most, `must have at most ${most} characters`)
  const fits = (value: string): boolean =>
    value.length <= most || (value.length <= 2 * most && [...value].length <= most)
  return {
    ...action,
    '~run': (dataset, config) =>
      dataset.typed && fits(dataset.value) ? dataset : action['~run'](dataset, config),
  }
}

/** A text with rules of its own. */
export const ruledText = (
  help: string,
  ...rules: v.PipeAction<string, string, v.BaseIssue<unknown>>[]
): v.GenericSchema<string, string> =>
  v.pipe(v.string('must be a string'), ...rules, v.description<string, string>(help))

/** A text that may be empty. */
export const freeText = (help: string, longest: number) => ruledText(help, maxCharacters(longest))

const notEmpty = v.minLength<string, 1, string>(1, 'must not be empty')

/** A text that is not empty. */
export const text = (help: string, longest: number) => ruledText(help, notEmpty, maxCharacters(longest))

/** A name, or words to search for; not empty. */
export const name = (help: string) => text(help, limits.text)

/** An identifier of letters, digits, _ and -. */
export const identifier = (help: string) =>
  ruledText(help, v.regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 characters out of A–Z a–z 0–9 _ -'))

/** A whole number from `least` to `most`. `shown`: writes a limit in messages. */
export const whole = (
  help: string,
  least: number,
  most: number,
  kind = 'an integer',
  shown: (limit: number) => string = String,
) =>
  v.pipe(
    v.number(`must be ${kind}`),
    v.safeInteger(`must be ${kind}`),
    v.minValue(least, `must be at least ${shown(least)}`),
    v.maxValue(most, `must be at most ${shown(most)}`),
    v.description(help),
  )

/** A duration in milliseconds; messages write its limits with their unit. */
export const milliseconds = (help: string, least: number, most: number) =>
  whole(help, least, most, 'an integer in milliseconds', durationText)

/** An amount in minor units, from 0. */
export const minorUnits = (help: string) => whole(help, 0, limits.amount, 'an integer in minor units')

/** A list of at most `most` entries. */
export const listOf = <const S extends v.GenericSchema>(item: S, most: number, help = '') =>
  v.pipe(
    v.array(item, 'must be a list'),
    v.maxLength(most, `must have at most ${most} entries`),
    v.description(help),
  )

/** A member that is an object, which a command takes as JSON. */
export const objectOf = <const E extends v.ObjectEntries>(help: string, entries: E) =>
  v.pipe(v.object(entries, 'must be an object'), v.description(help))

/** A member that is true or false. */
export const flag = (help: string) => v.pipe(v.boolean('must be true or false'), v.description(help))

/** True or false in a query, which has only text; it may be absent. */
export const queryFlag = (help: string) =>
  optional(v.pipe(v.picklist(['true', 'false'], 'must be true or false'), v.description(help)))

/** One of the options. `meant`: the one that another word means. */
export const oneOf = <const T extends readonly string[]>(
  help: string,
  options: T,
  meant: (word: string) => string | undefined = () => undefined,
) => {
  const rule =
    options.length === 2 ? `must be ${options.join(' or ')}` : `must be one of ${options.join(', ')}`
  const reason = ({ input }: v.BaseIssue<unknown>) => {
    const name = typeof input === 'string' ? meant(input) : undefined
    return name === undefined ? rule : `${rule}; did you mean ${name}?`
  }
  return v.pipe(v.picklist(options, reason), v.description(help))
}

/** An http or https URL. */
export const httpUrl = (help: string) =>
  ruledText(
    help,
    maxCharacters(limits.url),
    v.check(
      (value) => /^https?:\/\/[^\s]+$/i.test(value) && URL.canParse(value),
      'must be an http or https URL',
    ),
  )

/** A currency, ISO 4217. */
export const currency = ruledText(
  'Currency, an ISO 4217 code',
  v.check(isCurrency, 'must be an active ISO 4217 code in capitals, such as USD'),
)

/** A member that may be absent; `null` means absent, too. assumption: field-reading */
export const optional = <const S extends v.GenericSchema>(schema: S) => v.nullish(schema)

/** True for a date that the calendar has: `Date.parse` reads 31 November as 1 December. */
export const exists = (value: string): boolean =>
  !Number.isNaN(Date.parse(value)) && new Date(value.slice(0, 10)).getUTCDate() === Number(value.slice(8, 10))

const withOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/

/** True for a date-time with offset, ISO 8601, that exists. */
export const isMoment = (text: string): boolean => withOffset.test(text) && exists(text)

/** Statuses of a transaction in any form that `parseStatuses` reads. */
export const statuses = (help: string) =>
  ruledText(
    help,
    v.check((value) => parseStatuses(value) !== undefined, `must be ${statusForms}`),
  )

/** A type of transaction in any form that `typeNamed` reads. */
export const transactionType = (help: string) =>
  ruledText(
    help,
    v.check((value) => typeNamed(value) !== undefined, `must be one of ${typeWords.join(', ')}`),
  )

/** A date-time with offset, ISO 8601. */
export const isoTime = (help: string) =>
  ruledText(
    help,
    v.regex(withOffset, 'must be a date-time in ISO 8601 with its offset, such as 2026-01-31T12:00:00Z'),
    v.check(exists, 'must be a date-time that exists'),
  )

/** Help line of a member. */
export const memberHelp = (schema: v.GenericSchema): string => v.getDescription(unwrap(schema)) ?? ''

/** The schema without its `optional` wrapper. */
export function unwrap(schema: v.GenericSchema): v.GenericSchema {
  return 'wrapped' in schema ? (schema.wrapped as v.GenericSchema) : schema
}

/** The schema without its `optional` wrapper; where the value chooses it, the one for this value. */
export function chosenFor(schema: v.GenericSchema, value: object): v.GenericSchema {
  const plain = unwrap(schema)
  return 'getter' in plain ? (plain.getter as (value: unknown) => v.GenericSchema)(value) : plain
}
