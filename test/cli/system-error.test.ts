import { expect, test } from 'vitest'
import { whyItCannotStart } from '../../src/cli/errors/system-error.ts'

test.each([
  ['ENOSPC', 'its disk is full', /^Free space on its disk, or name another folder with --state$/],
  ['EDQUOT', 'the disk quota of this user is used up', /^Free space on its disk/],
  ['EROFS', 'it is on a file system that cannot be written', /^Name another folder with --state$/],
])('a state folder with %s: the reason in words, and what mends it', (code, why, remedy) => {
  const error = Object.assign(new Error(`${code}: as the system says it`), { code, syscall: 'write' })
  const [message, said, field] = whyItCannotStart(error)
  expect(message).toBe(`The state folder cannot be used: ${why}`)
  expect(said).toMatch(remedy)
  expect(field).toBe('state')
})
