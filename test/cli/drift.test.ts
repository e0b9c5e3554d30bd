import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSandbox } from '../../src/library/create-sandbox.ts'
import { driftOptions } from '../../src/testing/drift/drift.ts'
import { runCommand } from '../support/commands/command.ts'
import { startSandboxCommand } from '../support/commands/running-sandbox.ts'
import { folderWith, scratchFolder } from '../support/commands/scratch.ts'
import { foreignServer } from '../support/network/foreign.ts'
import { archiveText, recordDay, recordDayAt } from '../testing/drift/recording.ts'

/** A folder with a recording, of a service with these options whose answers are then changed. */
async function recorded(change = (text: string) => text, options: object = {}) {
  const cwd = scratchFolder()
  writeFileSync(join(cwd, 'day.har'), change(archiveText(await recordDay('shop/1.0', options))))
  const file = join(cwd, 'tillbox.drift.json')
  return {
    cwd,
    drift: (flags = '') => runCommand(`drift day.har ${flags}`, { cwd }),
    file,
    accepted: () => JSON.parse(readFileSync(file, 'utf8')).accepted,
  }
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
    /^::error title=tillbox drift%2C query data.batchNo::Report it%0Asandbox 1%0Aservice "1"%0A/m,
  )
  const { stderr } = await drift('--reporter junit --report-file reports/drift.xml')
  expect(stderr).toContain('the report is in reports/drift.xml')
  expect(readFileSync(join(cwd, 'reports/drift.xml'), 'utf8')).toMatch(/tests="13" failures="1"/)
})

test('a setting that was tried in vain is not advised', async () => {
  const more = String.raw`\"refundableAmount\":1000,`
  const { drift } = await recorded((text) => text.replace(/\\"batchNo\\":1,/, (found) => found + more))
  const { stdout } = await drift()
  expect(stdout).toContain('✗ 2 query: data.refundableAmount\n')
  expect(stdout).toMatch(/claim {4}dialect {2}Report it/)
})

test.each([
  ['answers all requests of the recording as the service did', true],
  ['makes a later answer differ', false],
])('a setting that follows what differs first, and %s', async (_, isAdvised) => {
  const day = await recordDay('shop/1.0', { httpStatus: 'rest' })
  const exception = day.find(({ label }) => label === 'refused')
  if (!isAdvised && exception) exception.har.response.status = 200
  const cwd = folderWith({ 'day.har': archiveText(day) })
  const { stdout } = await runCommand('drift day.har', { cwd })
  expect(stdout).toContain('✗ 3 sale: ')
  expect(stdout.includes('--set httpStatus=rest')).toBe(isAdvised)
})

test('what is other in each answer is one difference, of the form of answers', async () => {
  const { drift, accepted } = await recorded((text) =>
    text.replace(/\\"traceId\\":\\"/g, (found) => `${found}T-`).replaceAll('application/json', 'text/json'),
  )
  const { differences } = JSON.parse((await drift('--reporter json')).stdout)
  expect(differences.map(({ where, claim }: Record<string, unknown>) => [where, claim])).toContainEqual([
    'header content-type',
    'sdk-envelope',
  ])
  expect(differences.filter(({ where }: { where: string }) => where === 'header content-type')).toHaveLength(
    1,
  )
  await drift('--accept')
  expect(accepted()).toContainEqual(expect.objectContaining({ of: 'answers', where: 'header content-type' }))
  expect((await drift()).code).toBe(0)
})

test('refusals with the same code are one difference', async () => {
  const { drift } = await recorded((text) =>
    text.replaceAll('SBX_OVER_REFUND', 'B042').replaceAll('C17', 'C99'),
  )
  const { stdout } = await drift()
  expect(stdout).toContain('✗ 4 sale: code\n  sandbox  "C17"')
  expect(stdout).toContain('✗ 7 refund: code\n  sandbox  "SBX_OVER_REFUND"')
  expect(stdout).toMatch(/^\d+ requests compared, 2 differences, 0 left out$/m)
  const twice = await recorded((text) =>
    text.replaceAll('"batchNo\\":1', '"batchNo\\":\\"1\\"').replaceAll('C17', 'C99'),
  )
  expect((await twice.drift()).stdout).toContain('✗ 2 query: data.batchNo  in ')
})

test('accepted differences are known; those that are no longer so are named, and removed by the next --accept', async () => {
  const { drift, file, accepted, cwd } = await recorded(otherBatch, { duplicates: 'replay' })
  const first = await drift()
  expect([first.code, first.stdout]).toEqual([1, expect.stringContaining('Setting: --set duplicates=replay')])
  expect(existsSync(file)).toBe(false)
  const { code, stdout } = await drift('--accept')
  expect([code, stdout]).toEqual([0, expect.stringContaining('2 differences accepted in tillbox.drift.json')])
  const from = { from: 'day.har', recorded: expect.stringMatching(/^\d{4}-.*Z$/) }
  expect(accepted()).toEqual([
    {
      ...{ of: 'SBX_DUP_TXN_ID', where: 'code', sandbox: 'SBX_DUP_TXN_ID', service: '0' },
      ...{ claim: 'duplicates', setting: { duplicates: 'replay' }, ...from },
    },
    { of: 'query', where: 'data.batchNo', sandbox: 'integer', service: 'text', claim: 'record', ...from },
  ])
  const kept = readFileSync(file, 'utf8')
  expect(await drift()).toMatchObject({
    code: 0,
    stdout: '21 requests compared, 0 differences, 2 known, 0 left out\n',
  })
  await drift('--accept')
  expect(readFileSync(file, 'utf8')).toBe(kept)
  writeFileSync(join(cwd, 'day.har'), archiveText(await recordDay('shop/1.0', { duplicates: 'replay' })))
  const later = await drift()
  expect([later.code, later.stdout]).toEqual([0, expect.stringContaining('○ query data.batchNo')])
  expect(await drift('--accept')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/ 0 differences, 1 known, 1 removed from tillbox.drift.json, /),
  })
  expect(accepted()).toMatchObject([{ of: 'SBX_DUP_TXN_ID' }])
})

test('a recording says nothing of what another one showed, and no file is left half written', async () => {
  const { drift, cwd, file } = await recorded(otherBatch)
  await drift('--accept')
  const kept = readFileSync(file, 'utf8')
  writeFileSync(join(cwd, 'short.har'), archiveText((await recordDay()).slice(0, 2)))
  const other = await runCommand('drift short.har --accept', { cwd })
  expect(other).toMatchObject({ code: 0, stdout: '2 requests compared, 0 differences, 0 left out\n' })
  expect(readFileSync(file, 'utf8')).toBe(kept)
  expect(readdirSync(cwd).sort()).toEqual(['day.har', 'short.har', 'tillbox.drift.json'])
  expect((statSync(file).mode & 0o777).toString(8)).toBe('644')
})

test('a recording without a refusal of that HTTP status says nothing of it', async () => {
  const { drift, cwd, accepted } = await recorded((har) => har, { httpStatus: 'rest' })
  await drift('--accept')
  const before = accepted()
  expect(before).toContainEqual(expect.objectContaining({ of: 'refusals', service: '422' }))
  writeFileSync(join(cwd, 'day.har'), archiveText((await recordDay()).slice(0, 2)))
  const later = await drift()
  expect([later.code, later.stdout]).toEqual([0, expect.not.stringContaining('HTTP status')])
})

test('a server of this machine that the recording names gets no webhook', async () => {
  let requests = 0
  const shop = await foreignServer((_, response) => {
    requests += 1
    response.end()
  })
  const notified = (text: string) =>
    text.replaceAll(
      /"text":"\{\\"transactionReq/g,
      `"text":"{\\"notifyUrl\\":\\"${shop}\\",\\"transactionReq`,
    )
  const { drift, cwd } = await recorded(notified)
  expect(readFileSync(join(cwd, 'day.har'), 'utf8')).toContain(shop)
  expect(await drift()).toMatchObject({ code: 0 })
  expect(requests).toBe(0)
})

test('what is accepted has no text of a body, and no key', async () => {
  const text = (name: string, value: string) => String.raw`\"${name}\":\"${value}\",`
  const personal = (har: string) =>
    har
      .replace(text('description', 'Order'), text('description', 'Anna Muster'))
      .replaceAll(
        String.raw`\"transactionStatus\":`,
        text('holder', 'Anna Muster') + String.raw`\"transactionStatus\":`,
      )
      .replaceAll(String.raw`\"code\":\"C17\"`, String.raw`\"code\":\"4111111111111111\"`)
      .replaceAll(String.raw`\"createTime\":\"`, String.raw`\"createTime\":\"2026-01-01 Anna Muster `)
  const { drift, file } = await recorded(personal)
  await drift('--accept')
  const kept = readFileSync(file, 'utf8')
  expect(kept).toContain('data.holder')
  expect(kept).not.toMatch(/Anna|4111|tbx_sandbox/)
})

const withSetting = (duplicates: string, index: number) => ({
  ...{ of: 'sale', where: `data.${index}`, sandbox: 'text', service: 'integer', claim: 'duplicates' },
  ...{ setting: { duplicates }, recorded: '2026-11-20T18:02:19Z', from: 'day.har' },
})

test.each([
  ['{ "accepted": [', 'tillbox.drift.json:1'],
  ['{ "accepted": [{ "of": 1 }] }', 'accepted[0].of: must be text'],
  ['{ "accepted": [], "more": 1 }', 'more: is unknown'],
  [
    JSON.stringify({ accepted: ['replay', 'reject'].map(withSetting) }),
    'accepted has two values of the setting duplicates',
  ],
])(
  'a file of accepted differences that cannot be understood is refused, and stays: %s',
  async (text, why) => {
    const { drift, file, cwd } = await recorded(otherBatch)
    writeFileSync(file, text)
    for (const run of [
      () => drift('--accept'),
      () => runCommand('sandbox start --port 0 --ephemeral', { cwd }),
    ]) {
      const { code, stderr } = await run()
      expect([code, stderr]).toEqual([2, expect.stringContaining(why)])
    }
    expect(readFileSync(file, 'utf8')).toBe(text)
  },
)

test('a sandbox of the project answers as the service did, and why shows what was recorded', async () => {
  const { drift, cwd, file } = await recorded(otherBatch, { duplicates: 'replay' })
  await drift('--accept')
  const shown = await runCommand('why record', { cwd })
  expect(shown.stdout).toMatch(/^ *query data.batchNo +recorded: day.har, \d{4}-\d\d-\d\d$/m)
  const started = await startSandboxCommand([], { cwd })
  await using own = await createSandbox({ recorded: file })
  for (const sandbox of [started, own]) {
    const day = await recordDayAt(sandbox)
    const repeated = day.find(({ label }) => label === 'duplicate')?.har.response.content.text
    expect(JSON.parse(repeated).code).toBe('0')
  }
  const query = (await own.requests.list()).find(({ operation }) => operation === 'query')
  const why = await fetch(`${own.url}/_sandbox/requests/${query?.traceId}/why`).then((answer) =>
    answer.json(),
  )
  expect(why.data.steps.at(-1)).toMatchObject({
    what: 'data.batchNo: text at the service, integer in the sandbox',
    claims: ['query data.batchNo'],
  })
  expect(why.data.claims).toContainEqual(
    expect.objectContaining({ kind: 'recorded', name: 'query data.batchNo' }),
  )
})

test('a limit is raised to the first step at which the service is followed', async () => {
  const { cwd, drift, accepted } = await recorded()
  writeFileSync(join(cwd, 'day.har'), archiveText(await recordDay('shop/1.0', { captureTip: 300 }, 2500)))
  await drift('--accept')
  expect(accepted()).toContainEqual(
    expect.objectContaining({ of: 'SBX_OVER_CAPTURE', service: '0', setting: { captureTip: 150 } }),
  )
})

test('settings that the project has itself are compared', async () => {
  const { drift, cwd } = await recorded(undefined, { duplicates: 'replay' })
  writeFileSync(join(cwd, 'tillbox.config.json'), '{ "sandbox": { "duplicates": "replay", "pace": 5000 } }')
  expect(await drift()).toMatchObject({ code: 0 })
})

test('the message of an outcome is followed by a fixture of the project', async () => {
  const { drift, cwd } = await recorded((text) => text.replaceAll('"Approved\\"', '"OK!\\"'))
  expect((await drift()).stdout).toMatch(
    /data.transactionResultMsg.*\n.*\n.*\n {2}claim {4}record {2}Fixture: an outcome/,
  )
  writeFileSync(join(cwd, 'own.json'), '{ "outcomes": [{ "name": "approve", "message": "OK!" }] }')
  writeFileSync(join(cwd, 'tillbox.config.json'), '{ "sandbox": { "fixtures": "own.json" } }')
  expect(await drift()).toMatchObject({ code: 0 })
})

test('a recording may be long, and have other things in it; one that is cut off is refused', async () => {
  const film = JSON.stringify({ request: {}, response: { content: { text: '{"]}'.repeat(5_000_000) } } })
  const { drift, cwd } = await recorded((text) => text.replace('"entries":[', `"entries":[${film},`))
  expect(await drift()).toMatchObject({ code: 0, stdout: expect.stringContaining('21 requests compared') })
  const text = readFileSync(join(cwd, 'day.har'), 'utf8')
  writeFileSync(join(cwd, 'day.har'), text.slice(0, -100))
  const { code, stderr } = await drift()
  expect([code, stderr]).toEqual([2, expect.stringContaining('day.har is no whole HAR file')])
  writeFileSync(join(cwd, 'day.har'), `{"log":${'['.repeat(60_000)}${']'.repeat(60_000)}}`)
  const deep = await drift()
  expect([deep.code, deep.stderr]).toEqual([
    2,
    expect.stringContaining('nested too deeply: 100 levels at most'),
  ])
})

test('a file without requests to the payment API is refused', async () => {
  const { drift } = await recorded(() => '{"log":{"entries":[]}}')
  const { code, stderr } = await drift()
  expect(code).toBe(2)
  expect(stderr).toContain('day.har has no requests to the payment API')
  expect(stderr).toContain('tillbox logs export <file> --har')
})

test('a recording of which nothing can be compared is an error, and no proof', async () => {
  const { drift } = await recorded((text) => text.replaceAll('"status":200', '"status":401'))
  const { code, stderr } = await drift()
  expect([code, stderr]).toEqual([2, expect.stringContaining('day.har can be compared: keys and addresses')])
})

const scenario = (steps: string) => `name: Compared\nneeds: any\nsteps:\n${steps}`

test('a scenario is run against a named service: look-ups alone, payments only with --live', async () => {
  await using service = await createSandbox({ ...driftOptions, duplicates: 'replay' })
  const cwd = folderWith({
    'look-ups.yaml': scenario('  - merchant show: {}\n  - batch query: {}\n'),
    'pays.yaml': scenario('  - sale: { amount: 10.00 USD }\n'),
    'ends.yaml': scenario(
      '  - merchant show: {}\n    expect: { answer: { merchantName: Other } }\n  - batch query: {}\n',
    ),
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
  expect(await drift(`ends.yaml ${named}`)).toMatchObject({
    code: 0,
    stdout: '1 request compared, 0 differences, 0 left out\n',
    stderr: expect.stringMatching(/^! Compared ended at line 5, later steps were not sent: .*\n/),
  })
  const refused = await drift(`pays.yaml ${named}`)
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('it has the step sale')])
  expect(await service.requests.list()).toHaveLength(3)
  const paid = await drift(`pays.yaml ${named} --live`)
  expect([paid.code, paid.stdout]).toEqual([0, expect.stringContaining('2 requests compared, 0 differences')])
  expect(await drift('look-ups.yaml')).toMatchObject({ code: 2 })
  const nobody = await drift('look-ups.yaml --base-url http://127.0.0.1:9')
  expect([nobody.code, nobody.stderr]).toEqual([2, expect.stringContaining('recorded nothing')])
  expect(await drift(`ours.yaml ${named}`)).toMatchObject({ code: 2 })
})
