import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { fileFailure, startFailureText } from '../../../src/cli/errors/system-error.ts'
import { userFolder } from '../../../src/cli/settings/user-folder.ts'

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

test.each([
  [
    '/own/project/tillbox.config.json',
    'EACCES',
    /^See what is there, and whose it is: ls -ld \/own\/project/,
  ],
  [`${tmpdir()}/tillbox-ephemeral-XXXXXX`, 'EROFS', /TMPDIR/],
  [tmpdir(), 'ENOENT', /TMPDIR/],
  [userFolder(), 'ENOTDIR', /^Your settings are kept in .*XDG_CONFIG_HOME/],
  [dirname(userFolder() ?? ''), 'EACCES', /^Your settings are kept in /],
  ['/own/state/journal.jsonl', 'ENOSPC', /^Free disk space$/],
])('an error at %s (%s) names the path, and what to do by its purpose', (path, code, remedy) => {
  const [message, hint] = fileFailure(Object.assign(new Error(code), { code, path, syscall: 'open' })) ?? []
  expect(message).toContain(path)
  expect(hint).toMatch(remedy)
})

test.each([
  [{ code: 'ENOENT', path: 'npm', syscall: 'spawn npm' }],
  [{ code: 'EACCES', syscall: 'listen' }],
  [{ code: 'ERR_ASSERTION', path: '/x' }],
])('an error of something else is not one of a file: %j', (members) => {
  expect(fileFailure(Object.assign(new Error('x'), members))).toBe(undefined)
})
