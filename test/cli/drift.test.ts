import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSandbox } from '../../src/library/create-sandbox.ts'
import { driftOptions } from '../../src/testing/drift/drift.ts'
import { runCommand } from '../support/commands/command.ts'
import { folderWith, scratchFolder } from '../support/commands/scratch.ts'
import { archiveText, recordDay } from '../testing/drift/recording.ts'

/** A folder with a recording, of a service that answers the query with another batch number. */
async function recorded(change = (text: string) => text) {
  const cwd = scratchFolder()
  writeFileSync(join(cwd, 'day.har'), change(archiveText(await recordDay())))
  return { cwd, drift: (flags = '') => runCommand(`drift day.har ${flags}`, { cwd }) }
}

const otherBatch = (text: string) => text.replace(String.raw`\"batchNo\":1,`, String.raw`\"batchNo\":\"1\",`)

test('a recording of a service that answers like the sandbox has no differences', async () => {
  const { drift } = await recorded()
  const { code, stdout } = await drift()
  expect([code, stdout]).toEqual([0, '21 requests compared, 0 differences, 0 left out\n'])
})

test('a difference has both sides, the claim and how to follow it, in each form, and exit code 1', async () => {
  const { drift, cwd } = await recorded(otherBatch)
  const { code, stdout } = await drift()
  expect(code).toBe(1)
  expect(stdout).toContain('✗ 2 query: data.batchNo\n  sandbox  1\n  service  "1"\n  claim    record')
  const json = JSON.parse((await drift('--reporter json')).stdout)
  expect(json).toMatchObject({ compared: 21, leftOut: [] })
  expect(json.differences).toMatchObject([{ exchange: 2, operation: 'query', where: 'data.batchNo' }])
  expect((await drift('--reporter github')).stdout).toMatch(
    /^::error title=tillbox drift::2 query: data.batchNo%0A/,
  )
  const { stderr } = await drift('--reporter junit --report-file reports/drift.xml')
  expect(stderr).toContain('the report is in reports/drift.xml')
  expect(readFileSync(join(cwd, 'reports/drift.xml'), 'utf8')).toMatch(/tests="21" failures="1"/)
})

test('a file without requests to the payment API is refused', async () => {
  const { drift } = await recorded(() => '{"log":{"entries":[]}}')
  const { code, stderr } = await drift()
  expect(code).toBe(2)
  expect(stderr).toContain('day.har has no requests to the payment API')
  expect(stderr).toContain('tillbox logs export <file> --har')
})

const scenario = (steps: string) => `name: Compared\nneeds: any\nsteps:\n${steps}`

test('a scenario is run against a named service: look-ups alone, payments only with --live', async () => {
  await using service = await createSandbox({ ...driftOptions, duplicates: 'replay' })
  const cwd = folderWith({
    'look-ups.yaml': scenario('  - merchant show: {}\n  - batch query: {}\n'),
    'pays.yaml': scenario('  - sale: { amount: 10.00 USD }\n'),
    'ours.yaml': 'name: Ours\nsteps:\n  - merchant show: {}\n',
  })
  const drift = (line: string) =>
    runCommand(`drift ${line}`, { cwd, env: { TILLBOX_API_KEY: service.apiKey } })
  const named = `--base-url ${service.url}`
  expect(await drift(`look-ups.yaml ${named}`)).toMatchObject({
    code: 0,
    stdout: '2 requests compared, 0 differences, 0 left out\n',
  })
  expect(await service.requests.list()).toHaveLength(2)
  const refused = await drift(`pays.yaml ${named}`)
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('it has the step sale')])
  expect(await service.requests.list()).toHaveLength(2)
  const paid = await drift(`pays.yaml ${named} --live`)
  expect([paid.code, paid.stdout]).toEqual([0, expect.stringContaining('2 requests compared, 0 differences')])
  expect(await drift('look-ups.yaml')).toMatchObject({ code: 2 })
  const nobody = await drift('look-ups.yaml --base-url http://127.0.0.1:9')
  expect([nobody.code, nobody.stderr]).toEqual([2, expect.stringContaining('recorded nothing')])
  expect(await drift(`ours.yaml ${named}`)).toMatchObject({ code: 2 })
})
