import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/service/service.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('the last line of a run counts what failed before the tests of a describe', () => {
  const folder = temporaryFolder()
  const lines = [
    "test('passes', () => undefined)",
    "describe('a group', () => {",
    "  beforeAll(() => { throw new Error('nothing begins') })",
    "  test('is never run', () => undefined)",
    '})',
  ]
  writeFileSync(join(folder, 'group.test.js'), lines.join('\n'))
  const reporter = join(root, 'test/support/runner/summary-reporter.ts')
  const args = ['run', '--globals', '--root', folder, '--reporter', reporter]
  const { stdout, status } = spawnSync(join(root, 'node_modules/.bin/vitest'), args, { encoding: 'utf8' })
  expect(status).toBe(1)
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('1 passed, 1 failed, 1 skipped')
})
