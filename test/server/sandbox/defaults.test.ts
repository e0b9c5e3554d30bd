import * as v from 'valibot'
import { expect, test } from 'vitest'
import { behaviourOptions, type OptionRows } from '../../../src/contract/control/sandbox-options.ts'
import { defaults } from '../../../src/server/sandbox/options.ts'

const rows: OptionRows = behaviourOptions
const told = Object.entries(defaults).flatMap(([name, value]) => {
  const { schema, usual } = rows[name] ?? {}
  return schema === undefined || usual === undefined ? [] : [{ name, schema, usual, value }]
})

test.each(told)('the default of $name is the one help and documents tell', ({ schema, usual, value }) => {
  const read = [usual, Number(usual), usual === 'true'].map((each) => v.safeParse(schema, each))
  expect(read.find(({ success }) => success)?.output ?? null).toEqual(value)
})

test('the defaults of most options are told', () => expect(told.length).toBeGreaterThan(15))
