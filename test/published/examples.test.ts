import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runBinary } from '../support/commands/binary.ts'
import { scratchFolder } from '../support/commands/scratch.ts'
import { projectRoot } from '../support/project.ts'

test('the tests of the example shop pass, and meet nine situations of ten', async () => {
  const shop = join(projectRoot, 'examples/shop')
  const tests = readdirSync(shop).filter((name) => name.endsWith('.test.js'))
  const node = ['node', '--test', '--test-reporter=tap', ...tests.map((name) => join(shop, name))]
  const line = ['coverage', '--min', '90', '--', ...node]
  const { code, stdout } = await runBinary(line, { cwd: scratchFolder() })
  expect(stdout).toMatch(/^# pass 64$/m)
  const found = '69 of 74 situations were dealt with: 93 %, 5 never met' // as README.md of the shop says
  expect([code, stdout.split('\n').at(-2)]).toEqual([0, found])
})
