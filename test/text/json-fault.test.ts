import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonFault } from '../../src/text/json-oddities.ts'

/** The fault of a text that is not JSON. */
function faultOf(text: string) {
  try {
    JSON.parse(text)
  } catch (error) {
    return jsonFault(text, error as Error)
  }
  throw new Error(`${text} is JSON`)
}

test.each([
  ['{"a":1,}', 1, 8],
  ['{\n  "a": trx\n}', 2, 10],
  ['[1,\n2,\n}', 3, 1],
  ['{"a"', 1, 4],
])('the fault of %j is found at line %i, column %i', (text, line, column) => {
  expect(faultOf(text)).toMatchObject({ line, column })
})

test('a character that JSON does not allow is found at its line and column', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ a: fc.integer() }), { minLength: 1 }), fc.nat(), (value, at) => {
      const lines = JSON.stringify(value, null, 1).split('\n')
      const line = at % lines.length
      lines[line] = `@${lines[line]}`
      expect(faultOf(lines.join('\n'))).toMatchObject({ line: line + 1, column: 1 })
    }),
  )
})
