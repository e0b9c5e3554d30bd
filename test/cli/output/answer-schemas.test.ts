import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect } from 'vitest'
import { isMomentName } from '../../../src/cli/output/json-text.ts'
import { operations } from '../../../src/contract/operations.ts'
import { openTerminal, runCommand, startCommand } from '../../support/commands/command.ts'
import { type CommandLine, wordsOf } from '../../support/commands/command-line.ts'
import { parseNdjson, untilStderr } from '../../support/commands/launched.ts'
import { shownCommands } from '../../support/commands/manifest.ts'
import { type LaunchedSandbox, startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'
import { askJson } from '../../support/network/ask-json.ts'
import { journalOf } from '../../support/store/state-paths.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'
import {
  type AnswerSchema,
  answerSchemas,
  errorSchema,
  isErrorAnswer,
  namedSchemas,
  type SeenSchemas,
  schemaMembers,
  schemaProblems,
} from './answer-schema.ts'

/** Commands with --json, as they are typed. */
const documented = shownCommands
  .filter(([, { flags }]) => flags.json !== undefined && !flags.json.hidden)
  .map(([id]) => id.replaceAll(':', ' '))

/** Members that were in an answer, and commands that gave one. */
const seen: SeenSchemas = new Set()
const answered = new Set<string>()

/** The command of a command line: its longest beginning that is one. */
function commandOf(line: CommandLine): string {
  const words = wordsOf(line)
  const names = [4, 3, 2, 1].map((count) => words.slice(0, count).join(' '))
  return names.find((name) => documented.includes(name)) ?? words.join(' ')
}

/** What is wrong with documents that a command printed. */
function wrongWith(line: CommandLine, documents: readonly object[]): readonly unknown[] {
  const command = commandOf(line)
  const problems = documents.flatMap((document) => {
    const isError = isErrorAnswer(document)
    if (!isError) answered.add(command)
    return schemaProblems(document, isError ? errorSchema : (answerSchemas[command] ?? {}), seen)
  })
  return problems.length === 0 ? [] : [[line, ...problems.slice(0, 5)]]
}

/** Runs commands one after the other; fails when one ends with another code than these, or an answer does not fit. */
async function audit(
  lines: readonly CommandLine[],
  { run }: Pick<LaunchedSandbox, 'run'>,
  codes: readonly (number | null)[] = [0],
): Promise<void> {
  const wrong: unknown[] = []
  for (const line of lines) {
    const { code, stdout, stderr } = await run([...wordsOf(line), '--json'])
    if (!codes.includes(code)) wrong.push([line, code, stderr])
    wrong.push(...wrongWith(line, documentsIn(stdout)))
  }
  expect(wrong).toEqual([])
}

/** One document, or one a line. */
function documentsIn(stdout: string): object[] {
  const isOne = stdout.startsWith('{\n') || stdout === '{}\n'
  return isOne ? [JSON.parse(stdout)] : parseNdjson(stdout)
}

const here = (cwd = scratchFolder()) => ({
  cwd,
  run: (line: CommandLine, env: Readonly<Record<string, string>> = {}) => runCommand(line, { cwd, env }),
})

/** Terminals of the fixtures. */
const [automatic, attended] = ['TBX-AUTO-001', 'TBX-ATTENDED-001']
const sale = 'sale --amount 10.00'

/** Names an original by its transaction request id. */
const byRequest = ({ transactionRequestId }: { readonly transactionRequestId: string }) =>
  `--original-transaction-request-id ${transactionRequestId}`

test('answers about scenarios that passed, failed or were skipped fit', async ({ sandbox }) => {
  const scenarios = `name: Some
cases:
  - { name: fails, amount: 1.00 USD }
  - { name: passes, amount: 97.34 USD }
steps:
  - sale: { amount: $case.amount }
    expect: { status: declined, record: { transactionResultCode: '051' } }
`
  writeFileSync(join(sandbox.cwd, 'some.yaml'), scenarios)
  await audit(['test some.yaml'], sandbox, [1])
  await audit([`test some.yaml --base-url ${sandbox.url} --api-key ${sandbox.apiKey}`], sandbox, [0, 1, 2])
})

test('answers about a merchant that breaks a law, and about its scenario, fit', async ({ sandbox }) => {
  writeFileSync(
    join(sandbox.cwd, 'server.js'),
    `let posts = 0
      const { TILLBOX_BASE_URL, TILLBOX_API_KEY } = process.env
      const sell = (order) => fetch(TILLBOX_BASE_URL + '/v1/semi-integration/transaction/sale', {
        method: 'POST',
        headers: {
          'Authorization': 'Bearer ' + TILLBOX_API_KEY,
          'Content-Type': 'application/json',
          'X-Client-Request-Id': crypto.randomUUID(),
          'X-Timestamp': String(Date.now()),
        },
        body: JSON.stringify({ transactionRequestId: crypto.randomUUID(), referenceOrderId: order, amount: 100, priceCurrency: 'USD' }),
      }).catch(() => undefined)
      require('node:http').createServer(async (request, response) => {
        if (request.method === 'POST') await sell('ORDER-' + ++posts)
        response.end(JSON.stringify(posts === 0 ? [] : [{ id: 'ORDER-1', amount: '1.00', paid: true }]))
      }).listen(process.env.PORT, '127.0.0.1')`,
  )
  const drive = `server:
  start: exec node server.js
  orders: { request: GET /orders, paid: { paid: true } }
steps:
  - server request: POST /orders
`
  writeFileSync(join(sandbox.cwd, 'drive.yaml'), drive)
  await audit(['attack --drive drive.yaml --output found.yaml', 'test found.yaml'], sandbox, [1])
})

test('answers of an empty sandbox fit', async ({ sandbox }) => {
  const unknown = { 'X-Sandbox-Token': 'no-token-of-this-one' }
  for (const _ of [1, 2, 3]) // equal refusals, which the audit counts
    await askJson(`${sandbox.url}/_sandbox/reset`, 'POST', undefined, unknown)
  const params = { name: 'move_clock', arguments: { action: 'resume' } }
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const accepted = 'application/json, text/event-stream'
  await fetch(`${sandbox.url}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: accepted },
    body: JSON.stringify(call),
  })
  const lines = [
    ...['list', 'webhook list', 'checkout list', 'batch query', 'batch list', 'cards', 'outcomes'],
    ...['sandbox fault', 'sandbox snapshot list', 'sandbox key list', 'sandbox key allow-ip'],
    ...['terminal list', `terminal show ${automatic}`, `terminal open ${automatic}`],
    ...['merchant list', 'merchant show', 'merchant terminals'],
    ...['sandbox status', 'sandbox env', 'sandbox wait', 'sandbox clock'],
    ...['sandbox open', 'sandbox reset --yes', 'whoami', 'doctor'],
    ...['webhook order', 'webhook hold', 'webhook release', 'webhook secret'],
    ...['webhook resend --all', 'webhook wait --delivered', 'webhook sign --body {}'],
    ...['logs tail --no-follow', 'trigger --list'],
    ...['space create ci-1 --ttl 1h', 'space list', 'space show ci-1', 'space remove ci-1 --yes'],
    ...['token list', 'token create lee --scope viewer --ttl 30d', 'token list', 'token revoke lee --yes'],
    ...['audit', 'profile list', 'profile use --none'],
  ]
  await audit(lines, sandbox)
})

test('answers about payments on terminals fit, in every state', async () => {
  const { url } = await openReceiver()
  const sandbox = await startSandboxCommand(`--notify-url ${url}`)
  const { json } = sandbox
  const paid = await json(`${sale} --wait-webhooks --tip-amount 1.00 --set attach=x --set description=d`)
  const authorized = await json('auth --amount 50.00')
  const voided = await json(sale)
  const tipped = await json(sale)
  const open = `${sale} --terminal ${attended} --no-wait`
  const first = await json(open)
  const lines = [
    `query ${paid.transactionId}`,
    `query --transaction-request-id ${paid.transactionRequestId}`,
    `refund ${paid.transactionId} --amount 1.00`,
    `refund ${paid.transactionId} --amount 1.00 --no-wait`,
    `refund ${byRequest(paid)} --amount 1.00 --no-wait`,
    `query ${paid.transactionId} --timeline`,
    `query ${authorized.transactionId} --timeline`,
    `incremental-auth ${authorized.transactionId} --amount 5.00`,
    `post-auth ${authorized.transactionId} --amount 52.00`,
    'forced-auth --amount 7.00',
    `void ${voided.transactionId}`,
    `tip-adjust ${tipped.transactionId} --tip-amount 2.00`,
    `tip-adjust ${byRequest(tipped)} --tip-amount 3.00`,
    `query ${authorized.transactionId}`,
    open,
    ...['list', 'list --status pending', 'terminal list', `terminal show ${attended}`],
    `query ${first.transactionId} --timeline`,
    ...['trigger sale-approved', 'scenario record', 'scenario record --file recorded.yaml', 'batch query'],
  ]
  await audit(lines, sandbox, [0, 5])
  await audit(['sale --amount 97.34', 'query @last', 'query @last --timeline'], sandbox, [4])
  const second = await json(open)
  const expired = ['auth --amount 10.00', 'sandbox clock --advance 30d', 'query @last --timeline']
  await audit([`abort ${first.transactionId}`, `abort ${byRequest(second)}`, ...expired], sandbox)
})

test('answers about payments in the dialect of the SDKs fit', async () => {
  const sandbox = await startSandboxCommand('--set dialect=sdk')
  const described = '--set attach=x --set description=d --terminal TBX-TIP20-001'
  const authorized = await sandbox.json(`auth --amount 50.00 ${described}`)
  const paid = await sandbox.json(`${sale} ${described}`)
  await sandbox.json(`refund ${paid.transactionId} --amount 1.00`)
  await sandbox.json(`terminal set ${automatic} --card ebt-snap`)
  const scanned = await sandbox.json(sale)
  const queries = [paid, scanned, authorized].map(({ transactionId }) => `query ${transactionId}`)
  await audit([...queries, 'query @last', 'batch query', 'batch close --yes'], sandbox)
})

test('answers to a person at a terminal fit', async ({ sandbox }) => {
  const { json } = sandbox
  const wait = `--terminal ${attended} --no-wait`
  await json(`${sale} --set tipConfig={"onScreenTip":true} ${wait}`)
  await json(`auth --amount 20.00 ${wait}`)
  const settings = [
    `terminal set ${attended} --label Bar`,
    `terminal queue ${attended} approve --times 2`,
    `terminal queue ${automatic} --clear`,
    `terminal set ${automatic} --pace 0 --contactless-limit 50.00 --card visa-debit`,
    ...[`terminal offline ${automatic}`, `terminal online ${automatic}`],
    ...['terminal add DESK-2 --mode attended', 'terminal remove DESK-2'],
    ...['terminal add DESK-3', 'terminal unpair DESK-3', 'terminal show DESK-3', 'terminal list'],
  ]
  await audit(settings, sandbox)
  const { terminals } = await json('terminal list')
  const { pairingCode } = terminals.find((each: { terminalSn: string }) => each.terminalSn === 'DESK-3')
  await audit([`terminal pair ${pairingCode}`], sandbox)
  const acts = [
    ...['show', 'present --card visa-chip-pin', 'show', 'tip --percent 18', 'pin --wrong', 'pin', 'show'],
    ...['present --card discover-swipe', 'sign', 'receipt', 'receipt --copy customer'],
  ]
  const atTerminal = acts.map((act) => `terminal ${act.replace(/^\S+/, `$& ${attended}`)}`)
  await audit(atTerminal, sandbox)
  await json(`${sale} ${wait}`)
  await audit([`terminal cancel ${attended}`], sandbox)
})

test('answers about checkouts, batches and requests that are not sent fit', async ({ sandbox }) => {
  const create = 'checkout create --amount 5.00'
  const sessions: string[] = []
  for (let count = 0; count < 4; count++) sessions.push((await sandbox.json(create)).sessionId)
  const [paid, cancelled, expired, declined] = sessions
  const { transactionId } = await sandbox.json('checkout sale --amount 24.90 --payment-method GOOGLE_PAY')
  const refund = `checkout refund ${transactionId} --amount 1.00 --set description=d`
  const lines = [
    `${create} --set description=d --set productList=[{"name":"Tea","amount":500,"num":1}]`,
    `${create} --tip-amount 0.10 --set taxAmount=0.10 --set surchargeAmount=0.10`,
    'checkout sale --amount 24.90 --payment-method APPLE_PAY --no-wait',
    ...[`checkout show ${paid}`, `checkout pay ${paid}`],
    ...[`checkout cancel ${cancelled}`, `checkout expire ${expired}`, 'checkout list'],
    ...[refund, `${refund} --no-wait`, 'checkout wallet-payload'],
  ]
  await audit(lines, sandbox)
  await audit([`checkout pay ${declined} --card visa-declined`], sandbox, [5])
  await audit(['query @last --timeline'], sandbox, [0, 4, 5])
  for (const terminal of [automatic, 'TBX-TIP20-001']) await sandbox.json(`${sale} --terminal ${terminal}`)
  await audit(['batch query', 'batch close --yes', 'batch list', 'list'], sandbox)
  const unsent = [sale, 'api get /v1/x'].flatMap((line) => [`${line} --dry-run`, `${line} --curl`])
  await audit(unsent, await startSandboxCommand())
})

test('answers about webhooks fit, in every state', async () => {
  const receiver = await openReceiver()
  const sandbox = await startSandboxCommand(`--notify-url ${receiver.url}`)
  const { json, run } = sandbox
  const listen = `listen ${receiver.url} --record recording.jsonl --json`
  const listener = startCommand(listen, sandbox)
  const receiving = startCommand('webhook receive --port 0 --json', sandbox)
  await untilStderr(listener, /Listening/)
  await receiving.until(/url/)
  const { transactionId } = await json(`${sale} --wait-webhooks`)
  await listener.until(/TRANSACTION_ENDED[\s\S]*TRANSACTION_ENDED|"kind":"payment"/)
  const { url } = JSON.parse(receiving.output().stdout)
  const { deliveries } = await json('webhook list')
  const { id } = deliveries[0]
  const lines = [
    ...['webhook list', `webhook show ${id}`],
    ...[`webhook send ${transactionId}`, `webhook send ${transactionId} --to ${url}`],
    `webhook replay recording.jsonl --to ${receiver.url} --fast`,
    ...['webhook resend --all', 'webhook wait --delivered'],
    ...['sandbox fault duplicate --share 0.5 --seed 7', 'sandbox fault delay=1-2'],
    ...['webhook secret --rotate', `query ${transactionId} --timeline`, 'sandbox status'],
  ]
  await audit(lines, sandbox)
  receiver.answer(500)
  await json(sale)
  await receiver.got(receiver.arrivals.length + 1)
  await run(`webhook send ${transactionId} --to ${url}`)
  await expect.poll(() => receiving.output().stdout.split('\n').length).toBeGreaterThan(3)
  await audit(['webhook list', 'logs tail --no-follow'], sandbox)
  await listener.stop()
  await audit(['sandbox reset --yes --wait-webhooks --wait 100ms'], sandbox, [5])
  await audit([['webhook', 'verify', '--body', 'x', '--header', 'X-Signature: 00']], sandbox, [4])
  expect(wrongWith('listen', documentsIn(listener.output().stdout))).toEqual([])
  expect(wrongWith('webhook receive', documentsIn(receiving.output().stdout))).toEqual([])
})

test('answers about faults, clock, keys, snapshots and files fit', async () => {
  const sandbox = await startSandboxCommand('--token generate')
  const { json, run } = sandbox
  await json(sale)
  await json('sandbox snapshot save one')
  await json(`${sale} --terminal TBX-TIP20-001 --notify-url http://127.0.0.1:9/`)
  await json(`terminal queue ${automatic} approve --times 2`)
  await sandbox.send('POST', operations.sale.path, {
    body: {},
    headers: { 'X-Client-Request-Id': 'x'.repeat(65), 'X-Timestamp': 'x' },
  })
  const many = Array.from({ length: 100 }, (_, index) => `--terminal DESK-${index + 1}`).join(' ')
  await run('refund 1234567890123456 --amount 1.00')
  const requests = documentsIn((await run('logs tail --no-follow --json')).stdout)
  const traces = requests.map((each) => (each as { traceId: string }).traceId)
  const snapshot = 'sandbox snapshot'
  const lines = [
    `sandbox fault latency=1 --share 0.5 --until 1h --terminal ${automatic}`,
    ...['sandbox fault', 'sandbox status'],
    ...['sandbox clock --advance 1m', 'sandbox clock --speed 2x'],
    ...[`${snapshot} diff one`, `${snapshot} save two`, `${snapshot} list`],
    ...[`${snapshot} restore two --yes`, `${snapshot} remove one --yes`],
    ...['sandbox export state.jsonl', 'sandbox import state.jsonl --yes', 'sandbox fault --clear'],
    ...['sandbox key rotate', 'sandbox key list', 'sandbox key allow-ip 127.0.0.1 --force'],
    `merchant add M3000000001 --application ${sandbox.appId} ${many}`,
    'terminal add DESK-0 --merchant M3000000001',
    ...['merchant terminals --merchant-id M3000000001', 'merchant list'],
    ...['logs tail --no-follow', ...traces.map((id) => `logs show ${id}`)],
    ...['why @last', 'why SBX_NO_BALANCE', ...traces.map((id) => `why ${id}`)],
    'logs export all.har',
    ...['api get /_sandbox/health', 'api get /_sandbox/health --include'],
    ...['sandbox verify', 'sandbox reset --yes'],
  ]
  await audit(lines, sandbox)
  await sandbox.stop()
  await audit(['sandbox verify', 'sandbox repair --yes', 'sandbox stop'], sandbox)
})

test('answers about a damaged state folder fit', async ({ sandbox }) => {
  for (const amount of ['1.00', '2.00', '3.00']) await sandbox.json(`sale --amount ${amount}`)
  const copy = join(sandbox.cwd, 'copy')
  cpSync(sandbox.state, copy, { recursive: true })
  rmSync(join(copy, 'lock.json'))
  damageJournal(copy)
  const verify = 'sandbox verify --state copy'
  await audit([verify], sandbox, [4])
  await audit(['sandbox repair --yes --state copy', verify], sandbox)
})

test('the answer after a question is declined fits', async ({ sandbox }) => {
  await sandbox.json(sale)
  await sandbox.json('sandbox snapshot save one')
  for (const line of ['sandbox reset', 'sandbox snapshot remove one', 'batch close']) {
    const window = openTerminal(`${line} --json`, { cwd: sandbox.cwd, columns: 200 })
    await expect.poll(() => window.written()).toMatch(/\(y\/N\)/)
    window.type('n\r')
    await window.ended
    const [document = ''] = /\{[\s\S]*?\n\}/.exec(stripVTControlCharacters(window.written())) ?? []
    expect(JSON.parse(document)).toEqual({ error: { exitCode: 2, message: 'Nothing was changed.' } })
    expect(wrongWith(line, [JSON.parse(document)])).toEqual([])
  }
})

test('answers of starting, restarting and stopping a sandbox fit', async () => {
  const start = 'sandbox start --port 0'
  const shared = '--token generate --public-url https://pay.team.test' // makes keys
  const lines = [
    `${start} --detach --token generate --https`,
    `sandbox restart --https ${shared}`,
    ...['sandbox stop', 'sandbox stop'],
  ]
  await audit(lines, here())
  await audit([`${start} --detach ${shared}`, 'sandbox stop'], here())
  const stdout = await startCommand(`${start} --https ${shared} --json`, here()).until(/\n/)
  expect(wrongWith('sandbox start', documentsIn(stdout))).toEqual([])
})

test('answers about settings, help and files of a project fit', async () => {
  const context = here()
  mkdirSync(join(context.cwd, '.gitignore'))
  const nobody = '--base-url http://127.0.0.1:9'
  const lines = [
    `profile set shop ${nobody} --api-key-env SHOP_KEY --use`,
    `profile set other ${nobody} --app-id A --merchant-id M --terminal T --live --api-key tbx_sandbox_0123456789`,
    `profile set third --state ${context.cwd} --space ci-1`,
    ...['profile list', 'profile show shop', 'profile use shop', 'whoami --base-url http://127.0.0.1:1'],
    ...['profile use --none', 'profile remove shop --yes', 'whoami'],
    ...['init --only config --dry-run', 'init --only smoke --yes', 'completion bash'],
    'init --only ci --only gitignore --yes', // .gitignore is a folder
    ...['openapi', 'openapi --webhooks', 'docs', 'docs partial refund'],
    ...['help exit-codes', 'help flags', 'help statuses'],
    ...['help', 'help terminal', 'help sale', 'help query'],
    'checkout wallet-payload --payment-method APPLE_PAY',
  ]
  await audit(lines, context)
  await audit(['doctor'], context, [1])
})

/** Changes a byte of the last entry of the journal. */
function damageJournal(state: string): void {
  const path = journalOf(state)
  const text = readFileSync(path, 'latin1')
  expect(text).toContain('"sequence":2')
  writeFileSync(path, text.replace('"sequence":2', '"sequence":7'), 'latin1')
}

test('the error of every command for an unknown flag fits the schema', async () => {
  const lines = documented.map((command) => `${command} --none-such`)
  await audit(lines, here(), [0, 2])
})

test('errors for a refusal, a missing sandbox and a lost answer fit the schema', async ({ sandbox }) => {
  const several = `${sale} --api-key wrong --client-request-id ${'x'.repeat(65)}`
  await audit([several, 'refund 1234567890123456 --amount 1.00'], sandbox, [1])
  const other = await openReceiver((_, response) =>
    response.end('{"code":"0","msg":"","traceId":"1","data":{"transactionId":"1"}}'),
  )
  await audit([`abort 1795159696581000 --base-url ${other.origin} --api-key k`], sandbox, [3])
  await sandbox.json('sandbox fault lost-answer --operation sale')
  await audit([sale], sandbox, [3])
  await audit(['list', sale], here(), [3])
})

test('each command with --json has a schema, was run and answered, and each member of a schema was in an answer', () => {
  expect(Object.keys(answerSchemas)).toEqual(documented.toSorted())
  expect(documented.filter((command) => !answered.has(command))).toEqual([])
  expect(members.filter(([, schema]) => !seen.has(schema)).map(([path]) => path)).toEqual([])
})

const members = [...Object.entries(answerSchemas), ...Object.entries(namedSchemas)].flatMap(
  ([name, schema]) => schemaMembers(schema, name),
)

const named = (pattern: RegExp) => members.filter(([path]) => pattern.test(path))
const isPlain = ({ type = [] }: AnswerSchema) =>
  [type].flat().every((each) => each === 'string' || each === 'null')
const wrong = (found: typeof members, isRight: (schema: AnswerSchema) => boolean) =>
  found.filter(([, schema]) => !isRight(schema)).map(([path]) => path)

test('a time has an offset, and times of a transaction are in the zone of the merchant', () => {
  const times = members.filter(
    ([path, schema]) => isMomentName(path.split('.').at(-1) ?? '') && schema.type && isPlain(schema),
  )
  expect(times.length).toBeGreaterThan(30)
  expect(wrong(times, ({ format }) => format === 'date-time')).toEqual([])
})

test('…Ms is a duration in whole milliseconds, …Amount a whole number of minor units or an object of them', () => {
  const whole = ({ type = [] }: AnswerSchema) =>
    [type].flat().every((each) => each === 'integer' || each === 'null')
  const ofWhole = ({ items, prefixItems = [], ...schema }: AnswerSchema): boolean =>
    items === undefined && prefixItems.length === 0 ? whole(schema) : prefixItems.every(whole)
  expect(wrong(named(/Ms$/), (schema) => (schema.anyOf ?? [schema]).every(ofWhole))).toEqual([])
  expect(wrong(named(/[a-z]Amount$/), whole)).toEqual([])
})

test('each answer is an object', () => {
  const isObject = (schema: AnswerSchema): boolean => {
    const { $ref, anyOf, type } = schema
    if (anyOf !== undefined) return anyOf.every(isObject)
    return $ref === undefined
      ? type === 'object'
      : isObject(namedSchemas[$ref.replace('answers#/$defs/', '')] ?? {})
  }
  expect(Object.entries(answerSchemas).filter(([, schema]) => !isObject(schema))).toEqual([])
})
