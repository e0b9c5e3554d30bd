import * as fc from 'fast-check'

const [surrogates, afterSurrogates, last] = [0xd800, 0xe000, 0x10ffff]
const countOfSurrogates = afterSurrogates - surrogates

/** Errors: an Error unless it is one Unicode character. */
function indexOf(character: unknown): number {
  const code = typeof character === 'string' ? (character.codePointAt(0) ?? Number.NaN) : Number.NaN
  const isSurrogate = code >= surrogates && code < afterSurrogates
  if (Number.isNaN(code) || isSurrogate || String.fromCodePoint(code) !== character)
    throw new Error('not one character')
  return code < surrogates ? code : code - countOfSurrogates
}

/**
 * Any character, as the unit of a string: what `unit: 'binary'` is, which makes a map of all 1,112,064 of them in each process
 * that has it, to shrink by.
 */
export const codePoint: fc.Arbitrary<string> = fc
  .nat(last - countOfSurrogates)
  .map((index) => String.fromCodePoint(index < surrogates ? index : index + countOfSurrogates), indexOf)
