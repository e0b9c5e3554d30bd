import fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../src/shared/files/files.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'
import { replaceFunctions } from '../../support/runner/replaced-functions.ts'

/** Just before a folder is made, another process does this. */
function meanwhile(act: (path: string, real: Pick<typeof fs, 'mkdirSync'>) => void): void {
  replaceFunctions(fs, (real) => ({
    mkdirSync: (path: string, options: object) => {
      act(path, real)
      return real.mkdirSync(path, options)
    },
  }))
}

test('a folder is created although another process creates it or its parents at the same moment', () => {
  meanwhile((path, { mkdirSync }) => mkdirSync(path))
  const folder = join(scratchFolder(), 'of', 'the user')
  makeFolder(folder)
  expect(fs.statSync(folder).isDirectory()).toBe(true)
})

test('creating a folder fails when another process creates a file there at the same moment', () => {
  meanwhile((path) => fs.writeFileSync(path, ''))
  expect(() => makeFolder(join(scratchFolder(), 'folder'))).toThrow('EEXIST')
})
