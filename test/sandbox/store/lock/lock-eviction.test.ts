import fs, { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { acquireLock } from '../../../../src/sandbox/store/lock.ts'
import { replaceFunctions } from '../../../support/runner/replaced-functions.ts'
import { temporaryFolder } from '../../../support/service/service.ts'

test('evicting a dead lock does not remove one that another process takes meanwhile', () => {
  const folder = temporaryFolder()
  const path = join(folder, 'lock.json')
  const live = JSON.stringify({ pid: process.ppid })
  writeFileSync(path, JSON.stringify({ pid: 999_999_999 }))
  const done = { evicts: false, taken: false }
  replaceFunctions(fs, (real) => ({
    mkdirSync: (made: string, ...rest: []) => {
      done.evicts = made.endsWith('.evicting')
      if (done.evicts) rmSync(path) // another process was faster: it removed the dead lock and is done
      return real.mkdirSync(made, ...rest)
    },
    openSync: (opened: string, ...rest: [string]) => {
      try {
        return real.openSync(opened, ...rest)
      } catch (error) {
        if (done.evicts && !done.taken && opened === path) {
          done.taken = true // on its second look, this process has found the lock gone
          writeFileSync(path, live)
        }
        throw error
      }
    },
  }))
  expect(() => acquireLock(folder)).toThrow(`in use by process ${process.ppid}`)
  expect(done.taken).toBe(true)
  expect(readFileSync(path, 'utf8')).toBe(live)
  rmSync(path)
})
