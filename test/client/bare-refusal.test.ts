import { expect, test } from 'vitest'
import { failureOf } from '../../src/cli/errors/failure.ts'
import { ServiceRefusal } from '../../src/client/client.ts'

const why =
  'a parameter or a header is wrong, and the answer does not say which; the log of a sandbox does: `tillbox logs tail`'
const refusal = (msg: string, code = 'C17') => new ServiceRefusal(200, { code, msg, traceId: 't' })

test('a C17 that names no parameter says what it means and where the reason stands; others stay as they are', () => {
  expect(refusal('Bad Request').message).toBe(`Bad Request: ${why} (C17)`)
  expect(failureOf(refusal('Bad Request'))?.detail).toBe(why)
  expect(refusal('').message).toBe(`${why} (C17)`)
  expect(refusal('amount: is required').message).toBe('amount: is required (C17)')
  expect(refusal('Bad Request', 'X1').message).toBe('Bad Request (X1)')
})
