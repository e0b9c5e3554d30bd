import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createSandbox } from '../../../src/library/create-sandbox.ts'
import { readScenario } from '../../../src/testing/scenario/file/read-scenario.ts'
import { runSuite, scenarioRunsOf } from '../../../src/testing/scenario/suite.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'

const folder = fileURLToPath(new URL('../../../fixtures/scenarios', import.meta.url))
const names = readdirSync(folder).sort()

test('the package has twelve example scenarios', () => expect(names).toHaveLength(12))

test('every example passes, in whatever order and sandbox it runs', async () => {
  const scenarios = await Promise.all(names.map((name) => readScenario(`${folder}/${name}`, name)))
  for (const scenario of scenarios) expect(scenario.name).not.toBe(scenario.file.replace('.yaml', ''))
  const runs = scenarioRunsOf([...scenarios, ...scenarios.toReversed()])
  const results = await runSuite(runs, { start: createSandbox, workers: 3, bail: false })
  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
  expect(results.map(({ name }) => name)).toEqual(runs.map(({ name }) => name))
})

test('every example of the documents passes', async () => {
  const page = readFileSync(new URL('../../../docs/scenarios.md', import.meta.url), 'utf8')
  const examples = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => text)
  expect(examples.length).toBeGreaterThan(4)
  const cwd = scratchFolder()
  const scenarios = await Promise.all(
    examples.map((text, index) => {
      const path = join(cwd, `${index}.yaml`)
      writeFileSync(path, text)
      return readScenario(path)
    }),
  )
  const results = await runSuite(scenarioRunsOf(scenarios), {
    start: createSandbox,
    workers: 1,
    bail: false,
  })
  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
})
