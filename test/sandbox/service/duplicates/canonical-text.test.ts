import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalText } from '../../../../src/sandbox/service/used-ids.ts'

/** Members of a request, as deep as a schema lets them be. */
const members = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.stringMatching(/^[a-zA-Z]{1,8}$/), tie('value'), { maxKeys: 5 }),
})).object

/** The same members in the opposite order, with absent ones added. */
const reversed = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(reversed)
  const entries = Object.entries(value).reverse()
  return {
    absent9: null,
    ...Object.fromEntries(entries.map(([name, each]) => [name, reversed(each)])),
    gone9: undefined,
  }
}

/** Without absent members. */
const present = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(present)
  const entries = Object.entries(value).filter(([, each]) => each != null)
  return Object.fromEntries(entries.map(([name, each]) => [name, present(each)]))
}

describe('assumption duplicates: the canonical text of a request', () => {
  test('the order of members and absent members do not change the text', () => {
    fc.assert(
      fc.property(members, (each) => {
        expect(canonicalText(reversed(each))).toBe(canonicalText(each))
      }),
    )
  })

  test('the text has every member that is present', () => {
    fc.assert(
      fc.property(members, (each) => {
        expect(JSON.parse(canonicalText(each))).toEqual(present(each))
      }),
    )
  })
})
