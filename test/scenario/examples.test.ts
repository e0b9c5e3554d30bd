import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readScenario } from '../../src/scenario/file/read.ts'
import { runSuite, runsOf } from '../../src/scenario/suite.ts'

const folder = fileURLToPath(new URL('../../fixtures/scenarios', import.meta.url))
const names = readdirSync(folder).sort()

test('twelve examples ship', () => {
  expect(names).toHaveLength(12)
})

test('every example passes, in whatever order and sandbox it runs', async () => {
  const scenarios = await Promise.all(names.map((name) => readScenario(`${folder}/${name}`, name)))
  for (const scenario of scenarios) expect(scenario.name).not.toBe(scenario.file.replace('.yaml', ''))
  const runs = runsOf([...scenarios, ...scenarios.toReversed()])
  const results = await runSuite(runs, { workers: 3, bail: false })
  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
  expect(results.map(({ name }) => name)).toEqual(runs.map(({ name }) => name))
})
