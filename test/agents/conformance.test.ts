import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratchFolder } from '../support/commands/scratch.ts'
import { openDashboard } from '../support/pages/dashboard.ts'
import { projectRoot } from '../support/project.ts'

interface Check {
  readonly id: string
  readonly status: string
  readonly errorMessage?: string
}

/** Runs every scenario of the public conformance suite against a sandbox; answers its checks by scenario. */
async function conformance(version: string): Promise<Map<string, readonly Check[]>> {
  const { url } = await openDashboard()
  const results = scratchFolder()
  const suite = join(projectRoot, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
  const preload = join(projectRoot, 'test/support/mcp/conformance.js')
  const args = ['server', '--url', `${url}/mcp`, '--suite', 'all', '--spec-version', version, '-o', results]
  await new Promise((resolve) => {
    execFile(process.execPath, ['--import', preload, suite, ...args], { cwd: results }, resolve) // fails where a check does
  })
  return new Map(
    readdirSync(results).map((folder) => [
      folder.replace(/^server-|-\d{4}-\d\d-\d\dT.*$/g, ''),
      JSON.parse(readFileSync(join(results, folder, 'checks.json'), 'utf8')),
    ]),
  )
}

/**
 * Why a check does not apply. The sandbox offers tools alone: no prompts, resources, completion and logging, which it
 * answers as methods that it does not have. It asks its client nothing while a tool runs. The suite checks answers of other
 * kinds with tools of its own, which no other server has.
 */
const inapplicable = {
  'a method that is not offered': /Method not found$/,
  'a tool of the suite': /^(.*: )?Tool '?(test|json_schema)_\w+'? not found|^Not testable: server /,
  'an answer that asks the client': /InputRequiredResult/,
}

/** Checks that need such a tool, whatever they say: on a busy machine that they got nothing in time. */
const ofSuiteTools =
  /^sep-2575-(server-rejects-undeclared-capability|missing-capability-http-400|http-server-no-independent-requests-on-stream|server-no-log-without-loglevel)$/

/** Scenarios of which every check passes. */
const passing = {
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'],
  '2026-07-28': [
    ...['tools-list', 'dns-rebinding-protection', 'http-header-validation', 'server-sse-multiple-streams'],
    ...['sep-2164-resource-not-found', 'input-required-result-missing-input-response'],
    ...['input-required-result-unsupported-methods', 'input-required-result-ignore-extra-params'],
    ...['input-required-result-validate-input'],
  ],
} as const

test.for(Object.entries(passing))('every applicable scenario passes: %s', async ([version, whole]) => {
  const checks = await conformance(version)
  const failed = [...checks].flatMap(([scenario, all]) =>
    all.filter(({ status }) => status === 'FAILURE').map((check) => ({ scenario, ...check })),
  )
  const isInapplicable = ({ id, errorMessage = '' }: Check) =>
    ofSuiteTools.test(id) || Object.values(inapplicable).some((reason) => reason.test(errorMessage))
  expect(failed.filter((check) => !isInapplicable(check))).toEqual([])
  const passed = [...checks].filter(
    ([scenario, all]) =>
      !failed.some((each) => each.scenario === scenario) && all.some(({ status }) => status === 'SUCCESS'),
  )
  expect(passed.map(([scenario]) => scenario).sort()).toEqual([...whole].sort())
  if (version === '2026-07-28')
    expect(
      checks.get('server-stateless')?.filter(({ status }) => status === 'SUCCESS').length,
    ).toBeGreaterThan(20)
})
