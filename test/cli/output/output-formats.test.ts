import { expect } from 'vitest'
import { parse } from 'yaml'
import { formatted } from '../../../src/cli/answer-format.ts'
import { openapiDocument } from '../../../src/contract/openapi/document.ts'
import { runCommand } from '../../support/commands/command.ts'
import { fails, prints } from '../../support/commands/launched.ts'
import { startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'

const list = {
  profiles: [
    { name: 'a', of: { url: 'u' } },
    { name: 'b,"c"', live: true, of: { url: null } },
  ],
  more: 1,
}

const csv = (data: object, fields?: string[]) => formatted(data, { as: 'csv', fields }, 'profiles')

test('csv has a column for each member of any record, nested ones by their path, and a chosen one that no record has is empty', async () => {
  expect(await csv(list)).toBe('name,of.url,live\r\na,u,\r\n"b,""c""",,true\r\n')
  expect(await csv(list, ['of.url', 'live'])).toBe('of.url,live\r\nu,\r\n,true\r\n')
  expect(await csv(list, ['name', 'other'])).toBe('name,other\r\na,\r\n"b,""c""",\r\n')
  const some = [{ of: null }, { of: { url: 'u' } }, { of: { url: null, in: { a: 1 } } }]
  expect(await csv({ profiles: some })).toBe('of.url,of.in.a\r\n,\r\nu,\r\n,1\r\n')
  expect(await csv({ profiles: [] }, ['name'])).toBe('name\r\n')
  expect(await csv({ profiles: [] })).toBe('')
})

test('what lists with some flags alone has a line for each record, and names of its records', async ({
  sandbox,
}) => {
  await sandbox.json('sandbox fault drop')
  await sandbox.json('sandbox fault stale')
  await prints(
    sandbox.run('sandbox fault --fields id,kind --output csv'),
    'id,kind\r\nf1,drop\r\nf2,stale\r\n',
  )
  expect(await sandbox.json('sandbox fault duplicate --fields kind')).toEqual({ kind: 'duplicate' })
  const names = await sandbox.run('trigger --list --fields name --output csv')
  expect(names.stdout).toContain('name\r\naborted\r\n')
})

test('json keeps the list under its name, and ndjson has a line for each record', async () => {
  const fields = ['name', 'live']
  const rows = [
    { name: 'a', live: null },
    { name: 'b,"c"', live: true },
  ]
  expect(JSON.parse(await formatted(list, { as: 'json', fields }, 'profiles'))).toEqual({ profiles: rows })
  const lines = (await formatted(list, { as: 'ndjson', fields }, 'profiles')).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual(rows)
  expect(JSON.parse(await formatted(list, { as: 'json', fields: ['more'] }, undefined))).toEqual({ more: 1 })
})

test('what is not a list or an object is a record with a body', async () => {
  expect(await formatted(null, { as: 'csv', fields: undefined }, undefined)).toBe('body\r\n\r\n')
  expect(await formatted([1], { as: 'json', fields: undefined }, undefined)).toBe('[\n  1\n]\n')
  const url = await formatted({ url: 'u' }, { as: 'json', fields: ['url'] }, 'profiles')
  expect(JSON.parse(url)).toEqual({ url: 'u' })
})

test('an answer is printed as table, json, csv, chosen members or nothing; --quiet leaves out notes, and is refused beside --json', async () => {
  const sandbox = await startSandboxCommand()
  const run = async (...flags: string[]) =>
    (await sandbox.run(['sale', '--amount', '10.00', ...flags])).stdout
  expect(await run()).toContain('10.00')
  expect(JSON.parse(await run('--output', 'json')).transactionStatus).toBe('S')
  const names = 'transactionStatus,transactionAmount'
  expect(await run('--fields', names, '--output', 'csv')).toBe(`${names}\r\nS,1000\r\n`)
  expect(await run('--fields', 'transactionStatus')).toMatch(/^ +transactionStatus\n +S\n$/)
  expect(await run('--quiet')).toBe('')
  const sale = 'sale --amount 10.00 --terminal TBX-ATTENDED-001 --no-wait'
  expect((await sandbox.run(sale)).code).toBe(0)
  expect((await sandbox.run(sale)).stderr).toMatch(/^! --terminal: waits/)
  expect(await sandbox.run(`${sale} --quiet`)).toMatchObject({ code: 0, stdout: '', stderr: '' })
  for (const [line, code] of [
    ['query @last', 5],
    ['void @last --dry-run', 0],
  ] as const)
    expect(await sandbox.run(`${line} --quiet`)).toMatchObject({ code, stdout: '', stderr: '' })
  const texts = ['--json and --quiet exclude each other', 'Remove one of them']
  await sandbox.fails(`${sale} --quiet --json`, 2, ...texts)
})

test('--fields refuses an unknown name with the known ones, and nothing is done', async ({ sandbox }) => {
  const noMember = '--fields transactionStat: the answer has no such member'
  for (const [line, ...texts] of [
    ['sale --amount 10.00 --fields transactionStat', noMember, 'Did you mean transactionStatus?'],
    ['list --fields amount,xyzxyzxyz', /names are transactionId, .*, completedAt/],
    ['list --fields waiting.xyzxyzxyz', 'waiting.for, waiting.terminalSn'],
    ['webhook list --fields deliveries', 'id, kind, event'],
    ['query 1 --fields nothing-of-it', 'no such member'],
    ['query 1 --fields status', /Did you mean transactionStatus, /],
  ] as const)
    expect((await sandbox.fails(line, 2, ...texts)).stdout).toBe('')
  expect((await sandbox.json('list')).transactions).toEqual([])
})

test.each([
  [['list', '--fields', 'transactionId,waiting.for'], /^transactionId,waiting.for\r\n$/],
  [['terminal', 'list', '--fields', 'label'], /^label\r\n(\r\n)+$/],
  [['sandbox', 'status', '--fields', 'health.version,terminals.0.terminalSn'], /TBX-/],
  [['webhook', 'sign', '--body', '{}', '--fields', 'X-Signature'], /^X-Signature\r\n[0-9a-f]{64}\r\n$/],
])('%j is accepted, as an answer can have these names', async (args, output) => {
  const sandbox = await startSandboxCommand()
  await sandbox.prints([...args, '--output', 'csv'], output)
})

test('--color never removes colours, and --color always adds them, whatever NO_COLOR says', async () => {
  for (const [flags, isColoured] of [
    ['', false],
    ['--color never', false],
    ['--color always', true],
  ] as const) {
    const { stderr } = await runCommand(`query 1 --state nowhere ${flags}`, { env: { NO_COLOR: '1' } })
    expect([flags, stderr.includes('\u001b[')]).toEqual([flags, isColoured])
  }
})

test('an error is JSON for json and ndjson', async () => {
  const nowhere = async (as: string) => (await runCommand(`query 1 --state nowhere --output ${as}`)).stdout
  for (const as of ['json', 'ndjson']) expect(JSON.parse(await nowhere(as)).error.exitCode).toBe(3)
  expect(await nowhere('csv')).toBe('')
  for (const output of ['--json', '--output json', '--output=ndjson']) {
    const { stdout } = await runCommand(`query 1 --no-such-flag ${output}`)
    expect(JSON.parse(stdout).error.exitCode).toBe(2)
    expect(stdout.trimEnd().includes('\n')).toBe(!output.includes('ndjson'))
  }
})

test('a command of several documents prints one a line, also where it prints one, and has --json alone', async () => {
  const sandbox = await startSandboxCommand()
  await sandbox.json('sale --amount 10.00')
  await sandbox.prints('logs tail --no-follow --limit 1 --json', /^\{.*\}\n$/)
  await fails(runCommand('listen --output csv'), 2, 'has no flag --output')
})

test('openapi prints the document, the same with --json and as YAML, or the parts and members that are chosen', async () => {
  const plain = await prints(runCommand('openapi'))
  expect(JSON.parse(plain)).toEqual(openapiDocument())
  expect((await runCommand('openapi --json')).stdout).toBe(plain)
  expect(await prints(runCommand('openapi --output yaml'))).toMatch(/^openapi: 3\.1\.\d\ninfo:\n/)
  const [asYaml, asJson] = await Promise.all(
    ['yaml', 'json'].map((format) => runCommand(`openapi --webhooks --output ${format}`)),
  )
  expect(parse(asYaml?.stdout ?? '')).toEqual(JSON.parse(asJson?.stdout ?? ''))
  const { stdout: parts } = await runCommand('openapi --service --webhooks')
  const { paths, webhooks, components } = JSON.parse(parts)
  expect(Object.keys(paths).every((path) => path.startsWith('/v1/'))).toBe(true)
  expect(Object.keys(webhooks)).toEqual(['payment-result', 'terminal-event'])
  expect(Object.keys(components.securitySchemes)).toEqual(['apiKey'])
  const { stdout: chosen } = await runCommand('openapi --json --fields openapi')
  expect(JSON.parse(chosen)).toEqual({ openapi: openapiDocument().openapi })
})
