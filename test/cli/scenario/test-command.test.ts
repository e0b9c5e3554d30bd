import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { AnyJson } from '../../support/any-json.ts'
import { runCommand, startCommand } from '../../support/commands/command.ts'
import { fails, prints } from '../../support/commands/launched.ts'
import { startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { folderWith } from '../../support/commands/scratch.ts'
import { problemsOfArchive } from '../har.ts'

const good = 'name: Good\nsteps:\n  - sale: { amount: 10.00 USD }\n'
const bad = 'name: Bad\nsteps:\n  - sale: { amount: 10.00 USD }\n    expect: { status: declined }\n'
const forAny =
  'name: Any\nneeds: any\nsteps:\n  - sale: { amount: 97.34 USD }\n    expect: { status: declined }\n'

const run = (files: Readonly<Record<string, string>>, ...args: string[]) =>
  runCommand(['test', ...args], { cwd: folderWith(files) })

test('the exit code is 0 when all passed, and 1 when one failed, whose place is shown', async () => {
  await prints(run({ 'a.yaml': good }, 'a.yaml'), /^a\.yaml\n {2}✓ Good {2}\d+ ms\n\n1 passed {2}/)
  const { code, stdout } = await run({ 'a.yaml': good, 'b.yaml': bad }, 'a.yaml', 'b.yaml')
  expect(code).toBe(1)
  expect(stdout).toContain('  b.yaml:4:15  sale\n')
  expect(stdout).toMatch(/expected {2}declined\n {4}actual {4}approved \(SUCCESS\)\n/)
  expect(stdout).toContain('1 failed, 1 passed')
})

test('every problem of every file is reported, and nothing runs', async () => {
  const { stdout } = await fails(
    run({ 'a.yaml': good, 'b.yaml': 'steps: 5\n', 'c.yaml': 'x: 1\n' }, '.'),
    2,
    'b.yaml:1:1: steps: must be a list of steps',
    'c.yaml:1:1: x: is unknown',
  )
  expect(stdout).toBe('')
})

test('a folder means its YAML files, and --grep chooses names in any case', async () => {
  const printed = run({ 'a.yaml': good, 'b.yml': bad, 'package.json': '{}' }, '.', '--grep', '^goo')
  expect(await prints(printed, 'Good')).not.toContain('Bad')
})

test('--bail skips what comes after the first failure', async () => {
  const { code, stdout } = await run({ 'a.yaml': bad, 'b.yaml': good }, 'a.yaml', 'b.yaml', '--bail')
  expect(code).toBe(1)
  expect(stdout).toContain('– Good  skipped: one before it failed')
})

test('--workers gives each worker a sandbox of its own, and the report keeps the order', async () => {
  const steps =
    'steps:\n  - sale: { amount: 10.00 USD }\n  - batch close:\n    expect: { answer: { transactionCount: 1 } }\n'
  const names = ['Run 0', 'Run 1', 'Run 2', 'Run 3', 'Run 4', 'Run 5']
  const files = Object.fromEntries(names.map((name) => [`${name}.yaml`, `name: ${name}\n${steps}`]))
  const stdout = await prints(run(files, '.', '--workers', '3', '--reporter', 'json'))
  expect(JSON.parse(stdout).scenarios).toMatchObject(names.map((name) => ({ name })))
})

test('--report-file has the report, and standard output one for people; its folder is made; --json is the JSON reporter', async () => {
  const cwd = folderWith({ 'a.yaml': good })
  const written = await runCommand('test a.yaml --reporter junit --report-file out/report.xml', { cwd })
  const stdoutForPeople = expect.stringMatching(/✓ Good .*\n\n1 passed/)
  expect(written).toMatchObject({
    code: 0,
    stdout: stdoutForPeople,
    stderr: 'The report is in out/report.xml\n',
  })
  expect(readFileSync(join(cwd, 'out/report.xml'), 'utf8')).toContain('<testcase name="Good"')
  expect((await runCommand('test a.yaml --json --report-file report.json', { cwd })).stdout).toBe('')
  const { stdout } = await runCommand('test a.yaml --json', { cwd })
  expect(JSON.parse(stdout)).toMatchObject({ passed: 1, failed: 0, skipped: 0 })
  writeFileSync(join(cwd, 'a.yaml'), bad)
  await fails(
    runCommand('test a.yaml --artifacts har --report-file a.yaml/x', { cwd }),
    2,
    'cannot be written',
  )
  expect(readdirSync(cwd)).not.toContain('har') // nothing ran
  writeFileSync(join(cwd, 'a.yaml'), 'steps: 5\n')
  for (const flags of ['--json', '--reporter json', '--reporter=json']) {
    const wrong = await runCommand(`test a.yaml ${flags}`, { cwd })
    expect([wrong.code, JSON.parse(wrong.stdout).error.exitCode]).toEqual([2, 2])
  }
})

test('programs that a scenario starts are named on standard error before they start', async () => {
  const server = `${process.execPath} -e "require('http').createServer((_, answer) => answer.end()).listen(process.env.PORT)"`
  const text = `name: Shop\nserver: { start: ${JSON.stringify(server)} }\nsteps:\n  - command: touch made\n`
  const cwd = folderWith({ 'shop.yaml': text })
  const { code, stderr } = await runCommand('test shop.yaml --json', { cwd })
  expect([code, stderr]).toEqual([0, `Starts \`${server}\`\nStarts \`touch made\`\n`])
  expect(readdirSync(cwd)).toContain('made')
})

test('--reporter github adds its summary to that of the step', async () => {
  const cwd = folderWith({ 'a.yaml': good })
  const env = { GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') }
  writeFileSync(env.GITHUB_STEP_SUMMARY, 'before\n')
  await prints(runCommand('test a.yaml --reporter github', { cwd, env }), '✓ Good')
  expect(readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8')).toMatch(/^before\n### ✅ Scenarios: 1 passed in /)
})

test('--artifacts keeps the requests of each failed scenario, and no others', async () => {
  const bad = (amount: string) =>
    `name: Café 1/2\nsteps:\n  - sale: { amount: ${amount} USD }\n    expect: { status: declined }\n`
  const failing = { 'b.yaml': bad('10.00'), 'c.yaml': bad('20.00'), 'b.yml': bad('30.00') }
  const cwd = folderWith({ 'a.yaml': good, ...failing })
  const refused = runCommand('test . --artifacts out/har', { cwd })
  await fails(refused, 1, 'The requests of 3 failed scenarios are in out/har')
  const archives = ['1-b-Café-1-2.har', '2-b-Café-1-2.har', '3-c-Café-1-2.har']
  expect(readdirSync(join(cwd, 'out/har')).sort()).toEqual(archives)
  const archive = JSON.parse(readFileSync(join(cwd, 'out/har/3-c-Café-1-2.har'), 'utf8'))
  expect(problemsOfArchive(archive)).toEqual([])
  const sent = archive.log.entries.map(({ request }: { request: AnyJson }) => request.postData?.text ?? '')
  expect(sent.join('\n')).toContain('"amount":')
})

test('scenarios that need a sandbox are skipped, and others run there without a reset', async () => {
  const sandbox = await startSandboxCommand()
  const before = await sandbox.json('sale --amount 1.00')
  for (const [name, text] of Object.entries({ 'a.yaml': good, 'b.yaml': forAny }))
    writeFileSync(join(sandbox.cwd, name), text)
  const { url, appId, merchantId } = sandbox
  await sandbox.run(`profile set shop --base-url ${url} --app-id ${appId} --merchant-id ${merchantId}`)
  const stdout = await sandbox.prints('test a.yaml b.yaml --profile shop')
  expect(stdout).toContain('– Good  skipped: needs a sandbox of its own')
  expect(stdout).toContain('1 passed, 1 skipped (1: needs a sandbox of its own)')
  expect(stdout).toContain('✓ Any')
  const [any, first] = (await sandbox.json('list')).transactions
  expect([any.amount, first.transactionId]).toEqual([9734, before.transactionId])
})

test('a live service is not called without --live', async () => {
  const sandbox = await startSandboxCommand()
  writeFileSync(join(sandbox.cwd, 'b.yaml'), forAny)
  await sandbox.run(`profile set shop --base-url ${sandbox.url} --live`)
  await sandbox.fails('test b.yaml --profile shop', 2, 'may move real money')
  expect((await sandbox.json(`list --state ${sandbox.state}`)).transactions).toEqual([])
})

test('--watch runs again when a file changes, until it is stopped', async () => {
  const cwd = folderWith({ 'a.yaml': good })
  const watching = startCommand('test a.yaml --watch', { cwd })
  await watching.until(/1 passed/)
  await expect.poll(() => watching.output().stderr).toContain('Waiting for a change')
  writeFileSync(join(cwd, 'a.yaml'), bad)
  await watching.until(/1 failed/)
  writeFileSync(join(cwd, 'a.yaml'), 'steps: 5\n')
  await expect.poll(() => watching.output().stderr).toContain('a.yaml:1:1: steps: must be a list of steps')
  rmSync(join(cwd, 'a.yaml'))
  await expect.poll(() => watching.output().stderr).toContain('a.yaml: it does not exist')
  writeFileSync(join(cwd, 'a.yaml'), good.replace('Good', 'Mended'))
  await watching.until(/✓ Mended/)
  writeFileSync(join(cwd, 'a.yaml'), bad.replace('Bad', 'Last'))
  await watching.until(/✗ Last[\s\S]*1 failed/)
  expect((await watching.stop('SIGINT')).code).not.toBe(0)
})

test('Ctrl-C aborts what runs, and ends with 130', async () => {
  const waiting = 'steps:\n  - sale: { amount: 1.00 USD, terminal: TBX-ATTENDED-001 }\n    wait: 1h\n'
  const cwd = folderWith({ 'a.yaml': good, 'b.yaml': waiting })
  const running = startCommand('test a.yaml b.yaml', { cwd })
  await running.until(/✓ Good/)
  const stdout = expect.stringContaining('skipped: interrupted')
  expect(await running.stop('SIGINT')).toMatchObject({ code: 130, stdout })
})

const saleAgain = '  - sale: { amount: 10.00 USD, transactionRequestId: order-1 }'
const replaying = `name: Replays
sandbox: { duplicates: replay, clock: frozen }
steps:
  - clock: { advance: 1s }
${saleAgain}
    as: first
${saleAgain}
    expect: { answer: { transactionId: $first } }`
const refusing = `name: Refuses
steps:
${saleAgain}
${saleAgain}
    expect: { code: SBX_DUP_TXN_ID }`

test('each scenario has the sandbox of its own file, whatever ran before it, and is skipped against a service', async () => {
  const sandbox = await startSandboxCommand()
  const files = { 'a.yaml': replaying, 'b.yaml': refusing, 'c.yaml': replaying, 'd.yaml': replaying }
  await prints(run(files, ...Object.keys(files)), '4 passed')
  const skipped = await run({ 'a.yaml': replaying }, 'a.yaml', '--state', sandbox.state)
  expect(skipped).toMatchObject({ code: 0, stdout: expect.stringContaining('1 skipped') })
})

test('fixtures of a sandbox stand in the file, or beside it', async () => {
  const terminal = (sn: string) =>
    `applications: [{ appId: tbxapp0000000001, merchants: [{ merchantId: M1000000001, terminals: [{ terminalSn: ${sn} }] }] }]`
  const sale = (sn: string) => `steps:\n  - sale: { amount: 10.00 USD, terminal: ${sn} }\n`
  const files = {
    'a.yaml': `sandbox:\n  fixtures: { ${terminal('OWN-1')} }\n${sale('OWN-1')}`,
    'b.yaml': `sandbox: { fixtures: own.yaml }\n${sale('OWN-2')}`,
    'c.yaml': `${sale('OWN-1')}    expect: { error: { field: terminalSn } }\n`,
  }
  const cwd = folderWith({ ...files, 'own.yaml': `${terminal('OWN-2')}\n` })
  await prints(runCommand(['test', ...Object.keys(files)], { cwd }), '3 passed')
})
