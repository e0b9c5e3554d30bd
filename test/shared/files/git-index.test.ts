import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isTracked } from '../../../src/shared/files/git-index.ts'
import { folderWith, scratchFolder } from '../../support/commands/scratch.ts'
import { commitAll, git, lacksGit } from '../../support/store/git.ts'

/** A repository that tracks a state folder, between other files. */
function trackedProject(...init: string[]): string {
  const names = ['.tillbox/state.json', '.tillbox/spaces/one/state.json', '.tillboxes', 'a/b.txt', 'z.txt']
  const project = folderWith(Object.fromEntries(names.map((name) => [name, 'text'])))
  commitAll(project, ...init)
  return project
}

describe.skipIf(lacksGit)('a folder in a repository', () => {
  test.each<[string, string[], (project: string) => unknown]>([
    ['version 2', [], () => undefined],
    ['version 3', [], (project) => git(project, 'update-index', '--skip-worktree', '.tillbox/state.json')],
    ['version 4', [], (project) => git(project, 'update-index', '--index-version', '4')],
    ['a split index', [], (project) => git(project, 'update-index', '--split-index')],
    [
      'a split index that changed',
      [],
      (project) => {
        git(project, 'update-index', '--split-index')
        writeFileSync(join(project, 'more.txt'), '')
        git(project, 'add', 'more.txt')
      },
    ],
    ['hashes of SHA-256', ['--object-format=sha256'], () => undefined],
    [
      'SHA-256 and version 4',
      ['--object-format=sha256'],
      (project) => git(project, 'update-index', '--index-version', '4'),
    ],
  ])('is tracked, by an index of %s', (_, init, change) => {
    const project = trackedProject(...init)
    change(project)
    expect(isTracked(join(project, '.tillbox'))).toBe(true)
    expect(isTracked(join(project, '.tillbox/spaces/one'))).toBe(true)
    expect(isTracked(join(project, '.TillBox'))).toBe(true)
    expect(isTracked(join(project, '.till'))).toBe(false)
    expect(isTracked(join(project, 'a/.tillbox'))).toBe(false)
  })

  test('is not tracked once git rm --cached has removed it', () => {
    const project = trackedProject()
    git(project, 'rm', '-r', '--quiet', '--cached', '.tillbox')
    expect(isTracked(join(project, '.tillbox'))).toBe(false)
  })

  test('is tracked in a worktree', () => {
    const project = trackedProject()
    const other = join(scratchFolder(), 'other')
    git(project, 'worktree', 'add', '--quiet', other)
    expect(isTracked(join(other, '.tillbox'))).toBe(true)
  })

  test('is tracked in a submodule, also where the submodule is the folder itself', () => {
    const project = folderWith({ 'a.txt': '' })
    commitAll(project)
    git(project, 'submodule', '--quiet', 'add', trackedProject(), 'inner')
    git(project, 'submodule', '--quiet', 'add', trackedProject(), '.tillbox')
    expect(isTracked(join(project, 'inner/.tillbox'))).toBe(true)
    expect(isTracked(join(project, '.tillbox'))).toBe(true)
  })

  test('is tracked by a repository around a repository', () => {
    const project = trackedProject()
    git(join(project, '.tillbox'), 'init', '--quiet')
    expect(isTracked(join(project, '.tillbox'))).toBe(true)
  })

  test('is not tracked for a .gitignore or .gitkeep in it', () => {
    const project = folderWith({ '.tillbox/.gitignore': '*', '.tillbox/.gitkeep': '' })
    commitAll(project)
    expect(isTracked(join(project, '.tillbox'))).toBe(false)
  })

  test('is tracked before it exists', () => {
    const project = trackedProject()
    rmSync(join(project, '.tillbox'), { recursive: true })
    expect(isTracked(join(project, '.tillbox'))).toBe(true)
  })
})

test.each([
  ['empty', Buffer.alloc(0)],
  ['none', Buffer.from('not an index at all, but long enough to be read')],
  ['cut', Buffer.from('DIRC\0\0\0\x02\0\0\0\x09abc')],
  ['of a later version', Buffer.concat([Buffer.from('DIRC\0\0\0\x05\0\0\0\0'), Buffer.alloc(40)])],
])('an index that is %s tracks nothing', (_, bytes) => {
  const project = folderWith({ '.git/index': bytes })
  mkdirSync(join(project, '.tillbox'))
  expect(isTracked(join(project, '.tillbox'))).toBe(false)
})

test.each(['gitdir: nowhere', '', 'gitdir: '])('a .git file with %j tracks nothing', (text) => {
  expect(isTracked(join(folderWith({ '.git': text }), '.tillbox'))).toBe(false)
})
