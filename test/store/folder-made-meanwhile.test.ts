import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { makeFolder } from '../../src/files/files.ts'
import { scratchFolder } from '../support/scratch.ts'

/** What another process does just before a folder is made. */
const other = vi.hoisted(() => ({ does: (_: string): void => undefined }))

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  return {
    ...fs,
    mkdirSync: (path: string, options: object) => {
      other.does(path)
      return fs.mkdirSync(path, options)
    },
  }
})

test('a folder and its parents that another process makes in the same moment are there', async () => {
  const { mkdirSync } = await vi.importActual<typeof import('node:fs')>('node:fs')
  other.does = (path) => mkdirSync(path)
  const folder = join(scratchFolder(), 'of', 'the user')
  makeFolder(folder)
  expect(statSync(folder).isDirectory()).toBe(true)
})

test('a file that another process makes there in the same moment is an error', () => {
  other.does = (path) => writeFileSync(path, '')
  expect(() => makeFolder(join(scratchFolder(), 'folder'))).toThrow('EEXIST')
})
