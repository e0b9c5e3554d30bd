import { expect, test } from 'vitest'
import { startFailureText } from '../../../src/cli/errors/system-error.ts'

test.each([
  ['ENOSPC', 'its disk is full', /^Free disk space, or name another folder with --state$/],
  ['EDQUOT', 'the disk quota of this user is exhausted', /^Free disk space/],
  ['EROFS', 'its file system is read-only', /^Name another folder with --state$/],
])('a state folder with %s gets the reason in words, and a remedy', (code, why, remedy) => {
  const error = Object.assign(new Error(`${code}: as the system says it`), { code, syscall: 'write' })
  const [message, hint, field] = startFailureText(error)
  expect(message).toBe(`Cannot use the state folder: ${why}`)
  expect(hint).toMatch(remedy)
  expect(field).toBe('state')
})
