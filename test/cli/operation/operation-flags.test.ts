import { type Interfaces, Parser } from '@oclif/core'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { flagFor } from '../../../src/cli/operation/operation-flags.ts'

test('a member that is a whole number has a flag that reads one, and refuses anything else', async () => {
  const points = flagFor('sale', 'points', v.pipe(v.number(), v.description('Points')))
  const flags = { points } as Interfaces.FlagInput // one of the kinds that an operation's flags have
  const read = async (text: string) => (await Parser.parse(['--points', text], { flags })).flags
  expect(await read('500')).toMatchObject({ points: 500 })
  await expect(read('5.5')).rejects.toThrow('Expected an integer')
})
