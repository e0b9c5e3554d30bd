import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { acquireLock } from '../../src/store/lock.ts'
import { temporaryFolder } from '../support/service.ts'

/** Called when this process has found the lock gone, on its second look. */
let foundGone: ((path: string) => void) | undefined

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  let evicting = false
  return {
    ...fs,
    mkdirSync: (path: string, ...rest: []) => {
      evicting = path.endsWith('.evicting')
      // Another process was faster: it removed the dead lock and is done.
      if (evicting) fs.rmSync(path.replace(/\.evicting$/, ''))
      return fs.mkdirSync(path, ...rest)
    },
    openSync: (path: string, ...rest: [string]) => {
      try {
        return fs.openSync(path, ...rest)
      } catch (error) {
        if (evicting && path.endsWith('lock.json')) foundGone?.(path)
        throw error
      }
    },
  }
})

test('a lock that another process takes while a dead one is evicted stays', () => {
  const folder = temporaryFolder()
  const path = join(folder, 'lock.json')
  const live = JSON.stringify({ pid: process.ppid })
  writeFileSync(path, JSON.stringify({ pid: 999_999_999 }))
  foundGone = () => {
    foundGone = undefined
    writeFileSync(path, live)
  }
  expect(() => acquireLock(folder)).toThrow(`in use by process ${process.ppid}`)
  expect(foundGone).toBeUndefined()
  expect(readFileSync(path, 'utf8')).toBe(live)
  rmSync(path)
})
