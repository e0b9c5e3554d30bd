import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonFault, jsonOddities } from '../../../src/shared/text/json-oddities.ts'

const odditiesOf = (text: string) =>
  jsonOddities(text, JSON.parse(text), (field) => field.startsWith('rate')).map(
    ({ field, reason }) => `${field} ${reason}`,
  )

const twice = 'is there twice, and readers of JSON differ in which one they take'

test.each([
  ['{"amount":1000,"b":{},"amount":1}', `amount ${twice}`],
  ['{"a":{"b":1,"\\u0062" : 2}}', `a.b ${twice}`],
  ['{"a":[{"b":1},{"b":1,"b":2}]}', `a.1.b ${twice}`],
  ['{"":1,"":1}', `"" ${twice}`],
  ['{"__proto__":1,"__proto__":1}', `__proto__ ${twice}`],
  ['{"a":10.00}', 'a is written as 10.00; write the integer 10'],
  ['{"a":[1,-1e3]}', 'a.1 is written as -1e3; write the integer -1000'],
  ['{"a":0.9999999999999999999}', 'a is 0.9999999999999999999, which is read as 1'],
  ['{"rate":1e999}', 'rate is 1e999, which is read as Infinity'],
  ['{"rate":1e-999}', 'rate is 1e-999, which is read as 0'],
  ['{"a": 9007199254740993}', 'a is 9007199254740993, which is read as 9007199254740992'],
])('what is odd about %s is named', (text, odd) => expect(odditiesOf(text)).toEqual([odd]))

test.each([
  '{"a":{"b":1},"b":[{"b":1},{"b":1}]}',
  '{"a":"{\\"b\\":1,\\"b\\":2.00}","b":"x\\\\"}',
  '{"a":"12345678901234567890","b":"1.0, 2.0"}',
  '{"a":0.1,"b":1.50,"c":1.5e-7,"d":123456789012345680000,"e":-0,"rate":[15.0]}',
  '{"a":"b","b":"a"}',
])('nothing is odd about %s', (text) => expect(odditiesOf(text)).toEqual([]))

test('a number with very many zeros is read', () => {
  const number = `1${'0'.repeat(2 ** 19)}1`
  const oddity = [`rate is ${number.slice(0, 64)}, which is read as Infinity`]
  expect(odditiesOf(`{"rate":${number}}`)).toEqual(oddity)
})

test('no text that JSON.stringify writes is odd, and a member that is added a second time always is', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.nat(3), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      const isOdd = (json: string) => jsonOddities(json, JSON.parse(json), () => true).length > 0
      expect(isOdd(text)).toBe(false)
      const [name] = Object.keys(value)
      expect(isOdd(text.replace(/\}$/, () => `,${JSON.stringify(name)}:null}`))).toBe(true)
    }),
  )
})

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
