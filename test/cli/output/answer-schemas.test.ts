import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { isMomentName } from '../../../src/cli/output/json-text.ts'
import { operations } from '../../../src/contract/operations.ts'
import { openTerminal, runCommand, startCommand } from '../../support/commands/command.ts'
import { type LaunchedSandbox, startSandboxCommand } from '../../support/commands/running-sandbox.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'
import {
  type AnswerSchema,
  answerSchemas,
  errorSchema,
  isErrorAnswer,
  namedSchemas,
  type SeenSchemas,
  schemaMembers,
  schemaProblems,
} from '../../support/openapi/answer-schema.ts'
import { journalOf } from '../../support/store/state-paths.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

const { commands } = JSON.parse(
  readFileSync(new URL('../../../oclif.manifest.json', import.meta.url), 'utf8'),
) as { commands: Record<string, { hidden?: boolean; flags: Record<string, { hidden?: boolean }> }> }

/** Commands with --json, as they are typed. */
const documented = Object.entries(commands)
  .filter(([, { hidden, flags }]) => !hidden && flags.json !== undefined && !flags.json.hidden)
  .map(([id]) => id.replaceAll(':', ' '))

/** Members that were in an answer, and commands that gave one. */
const seen: SeenSchemas = new Set()
const answered = new Set<string>()

/** The command of a command line: its longest beginning that is one. */
function commandOf(args: readonly string[]): string {
  const names = [4, 3, 2, 1].map((count) => args.slice(0, count).join(' '))
  return names.find((name) => documented.includes(name)) ?? args.join(' ')
}

/** What is wrong with documents that a command printed. */
function wrongWith(args: readonly string[], documents: readonly object[]): readonly unknown[] {
  const command = commandOf(args)
  const problems = documents.flatMap((document) => {
    const isError = isErrorAnswer(document)
    if (!isError) answered.add(command)
    return schemaProblems(document, isError ? errorSchema : (answerSchemas[command] ?? {}), seen)
  })
  return problems.length === 0 ? [] : [[args.join(' '), ...problems.slice(0, 5)]]
}

/** Runs commands one after the other; returns what is wrong with the answers, and those that ended as they should not. */
async function audit(
  lines: readonly (readonly string[])[],
  { run }: Pick<LaunchedSandbox, 'run'>,
  isExpected: (code: number | null) => boolean = (code) => code === 0,
): Promise<unknown[]> {
  const wrong: unknown[] = []
  for (const args of lines) {
    const { code, stdout, stderr } = await run([...args, '--json'])
    if (!isExpected(code)) wrong.push([args.join(' '), code, stderr])
    wrong.push(...wrongWith(args, documentsIn(stdout)))
  }
  return wrong
}

/** One document, or one a line. */
function documentsIn(stdout: string): object[] {
  const isOne = stdout.startsWith('{\n') || stdout === '{}\n'
  return isOne
    ? [JSON.parse(stdout)]
    : stdout
        .trimEnd()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
}

const here = (cwd = scratchFolder(), env: Record<string, string> = {}) => ({
  cwd,
  run: (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    runCommand(args, { cwd, env: { ...env, ...more } }),
})

/** Terminals of the fixtures. */
const [automatic, attended] = ['TBX-AUTO-001', 'TBX-ATTENDED-001']
const sale = ['sale', '--amount', '10.00']

describe('answers fit their schemas', () => {
  test('answers about scenarios that passed, failed or were skipped fit', async () => {
    const sandbox = await startSandboxCommand()
    const scenarios = `name: Some
cases:
  - { name: fails, amount: 1.00 USD }
  - { name: passes, amount: 97.34 USD }
steps:
  - sale: { amount: $case.amount }
    expect: { status: declined, record: { transactionResultCode: '051' } }
`
    writeFileSync(join(sandbox.cwd, 'some.yaml'), scenarios)
    expect(await audit([['test', 'some.yaml']], sandbox, (code) => code === 1)).toEqual([])
    const service = ['--base-url', sandbox.url, '--api-key', sandbox.apiKey]
    expect(await audit([['test', 'some.yaml', ...service]], sandbox, () => true)).toEqual([])
  })

  test('answers of an empty sandbox fit', async () => {
    const sandbox = await startSandboxCommand()
    for (const _ of [1, 2, 3]) // equal refusals, which the audit counts
      await fetch(`${sandbox.url}/_sandbox/reset`, {
        method: 'POST',
        headers: { 'X-Sandbox-Token': 'no-token-of-this-one' },
      })
    expect(
      await audit(
        [
          ...[['list'], ['webhook', 'list'], ['checkout', 'list'], ['batch', 'query'], ['batch', 'list']],
          ...[
            ['sandbox', 'fault'],
            ['sandbox', 'checkpoint', 'list'],
            ['sandbox', 'key', 'list'],
          ],
          ...[
            ['sandbox', 'key', 'allow-ip'],
            ['terminal', 'list'],
            ['terminal', 'show', automatic],
          ],
          ...[['merchant', 'list'], ['merchant', 'show'], ['merchant', 'terminals'], ['cards'], ['outcomes']],
          ...[
            ['sandbox', 'status'],
            ['sandbox', 'env'],
            ['sandbox', 'status', '--show-key'],
            ['sandbox', 'wait'],
          ],
          ...[
            ['sandbox', 'clock'],
            ['sandbox', 'open'],
            ['sandbox', 'reset', '--yes'],
            ['whoami'],
            ['doctor'],
          ],
          ...[
            ['webhook', 'fault'],
            ['webhook', 'order'],
            ['webhook', 'hold'],
            ['webhook', 'release'],
            ['webhook', 'secret'],
            ['webhook', 'resend', '--all'],
          ],
          ...[
            ['webhook', 'wait', '--delivered'],
            ['logs', 'tail', '--no-follow'],
            ['trigger', '--list'],
          ],
          ...[
            ['space', 'create', 'ci-1', '--ttl', '1h'],
            ['space', 'list'],
            ['space', 'show', 'ci-1'],
            ['space', 'remove', 'ci-1', '--yes'],
          ],
          ...[
            ['token', 'list'],
            ['token', 'create', 'lee', '--scope', 'viewer', '--ttl', '30d'],
            ['token', 'list'],
            ['token', 'revoke', 'lee', '--yes'],
            ['audit'],
          ],
          ...[
            ['webhook', 'sign', '--body', '{}'],
            ['profile', 'list'],
            ['profile', 'use', '--none'],
          ],
        ],
        sandbox,
      ),
    ).toEqual([])
  })

  test('answers about payments on terminals fit, in every state', async () => {
    const { url } = await openReceiver()
    const sandbox = await startSandboxCommand(['--notify-url', url])
    const { json } = sandbox
    const paid = await json([
      ...sale,
      '--wait-webhooks',
      '--tip-amount',
      '1.00',
      '--set',
      'attach=x',
      '--set',
      'description=d',
    ])
    const authorized = await json(['auth', '--amount', '50.00'])
    const voided = await json(sale)
    const tipped = await json(sale)
    const open = [...sale, '--terminal', attended, '--no-wait']
    const first = await json(open)
    expect(
      await audit(
        [
          ['query', paid.transactionId],
          ['query', '--transaction-request-id', paid.transactionRequestId],
          ['query', '--reference-order-id', paid.referenceOrderId],
          ['refund', paid.transactionId, '--amount', '1.00'],
          ['refund', paid.transactionId, '--amount', '1.00', '--no-wait'],
          ['refund', ...byRequest(paid), '--amount', '1.00', '--no-wait'],
          ['query', paid.transactionId, '--timeline'],
          ['query', authorized.transactionId, '--timeline'],
          ['incremental-auth', authorized.transactionId, '--amount', '5.00'],
          ['post-auth', authorized.transactionId, '--amount', '52.00'],
          ['forced-auth', '--amount', '7.00'],
          ['void', voided.transactionId],
          ['tip-adjust', tipped.transactionId, '--tip-amount', '2.00'],
          ['tip-adjust', ...byRequest(tipped), '--tip-amount', '3.00'],
          ['query', authorized.transactionId],
          [...open],
          ['list'],
          ['list', '--status', 'pending'],
          ['terminal', 'list'],
          ['terminal', 'show', attended],
          ['query', first.transactionId, '--timeline'],
          ['trigger', 'sale-approved'],
          ['scenario', 'record'],
          ['scenario', 'record', '--file', 'recorded.yaml'],
          ['batch', 'query'],
        ],
        sandbox,
        (code) => code === 0 || code === 5,
      ),
    ).toEqual([])
    expect(
      await audit(
        [
          ['sale', '--amount', '97.34'],
          ['query', '@last'],
          ['query', '@last', '--timeline'],
        ],
        sandbox,
        (code) => code === 4,
      ),
    ).toEqual([])
    const second = await json(open)
    const aborts = [
      ['abort', first.transactionId],
      ['abort', ...byRequest(second)],
    ]
    expect(await audit([...aborts, ['auth', '--amount', '10.00']], sandbox)).toEqual([])
  })

  test('answers about payments in the dialect of the SDKs fit', async () => {
    const sandbox = await startSandboxCommand(['--set', 'dialect=sdk'])
    const described = ['--set', 'attach=x', '--set', 'description=d', '--terminal', 'TBX-TIP20-001']
    const authorized = await sandbox.json(['auth', '--amount', '50.00', ...described])
    const paid = await sandbox.json([...sale, ...described])
    await sandbox.json(['refund', paid.transactionId, '--amount', '1.00'])
    await sandbox.json(['terminal', 'set', automatic, '--card', 'ebt-snap'])
    const scanned = await sandbox.json(sale)
    const lines = [
      ['query', paid.transactionId],
      ['query', scanned.transactionId],
      ['query', '@last'],
      ['query', authorized.transactionId],
      ['batch', 'query'],
      ['batch', 'close', '--yes'],
    ]
    expect(await audit(lines, sandbox)).toEqual([])
  })

  test('answers to a person at a terminal fit', async () => {
    const sandbox = await startSandboxCommand()
    const { json } = sandbox
    const wait = ['--terminal', attended, '--no-wait']
    await json([...sale, '--set', 'tipConfig={"onScreenTip":true}', ...wait])
    await json(['auth', '--amount', '20.00', ...wait])
    expect(
      await audit(
        [
          ['terminal', 'rename', attended, 'Bar'],
          ['terminal', 'queue', attended, 'approve', '--times', '2'],
          ['terminal', 'queue', automatic, '--clear'],
          [
            'terminal',
            'set',
            automatic,
            '--pace',
            '0',
            '--contactless-limit',
            '50.00',
            '--card',
            'visa-debit',
          ],
          ['terminal', 'offline', automatic],
          ['terminal', 'online', automatic],
          ['terminal', 'add', 'DESK-2', '--mode', 'attended'],
          ['terminal', 'remove', 'DESK-2'],
          ['terminal', 'add', 'DESK-3'],
          ['terminal', 'unpair', 'DESK-3'],
          ['terminal', 'show', 'DESK-3'],
          ['terminal', 'list'],
        ],
        sandbox,
      ),
    ).toEqual([])
    const { terminals } = await json(['terminal', 'list'])
    const { pairingCode } = terminals.find((each: { terminalSn: string }) => each.terminalSn === 'DESK-3')
    expect(await audit([['terminal', 'pair', pairingCode]], sandbox)).toEqual([])
    const act = (name: string, ...more: string[]) => ['terminal', name, attended, ...more]
    const acts = [
      act('show'),
      act('present', '--card', 'visa-chip-pin'),
      act('show'),
      act('tip', '--percent', '18'),
      act('pin', '--wrong'),
      act('pin'),
      act('show'),
      act('present', '--card', 'discover-swipe'),
      act('sign'),
      act('receipt'),
      act('receipt', '--copy', 'customer'),
    ]
    expect(await audit(acts, sandbox)).toEqual([])
    await json([...sale, ...wait])
    expect(await audit([['terminal', 'cancel', attended]], sandbox)).toEqual([])
  })

  test('answers about checkouts fit', async () => {
    const sandbox = await startSandboxCommand()
    const create = async (...more: string[]) =>
      (await sandbox.json(['checkout', 'create', '--amount', '5.00', ...more])).sessionId
    const online = await sandbox.json([
      'checkout',
      'sale',
      '--amount',
      '24.90',
      '--payment-method',
      'GOOGLE_PAY',
    ])
    const [paid, cancelled, expired, declined] = [
      await create(),
      await create(),
      await create(),
      await create(),
    ]
    const parts = ['tax', 'surcharge', 'tip', 'cashback'].flatMap((part) =>
      part === 'tip' ? ['--tip-amount', '0.10'] : ['--set', `${part}Amount=0.10`],
    )
    const products = '[{"name":"Tea","amount":500,"num":1}]'
    expect(
      await audit(
        [
          [
            'checkout',
            'create',
            '--amount',
            '5.00',
            '--set',
            'description=d',
            '--set',
            `productList=${products}`,
          ],
          ['checkout', 'create', '--amount', '5.00', ...parts],
          ['checkout', 'sale', '--amount', '24.90', '--payment-method', 'APPLE_PAY', '--no-wait'],
          ['checkout', 'show', paid],
          ['checkout', 'pay', paid],
          ['checkout', 'cancel', cancelled],
          ['checkout', 'expire', expired],
          ['checkout', 'list'],
          ['checkout', 'refund', online.transactionId, '--amount', '1.00', '--set', 'description=d'],
          [
            'checkout',
            'refund',
            online.transactionId,
            '--amount',
            '1.00',
            '--set',
            'description=d',
            '--no-wait',
          ],
          ['checkout', 'wallet-payload'],
        ],
        sandbox,
      ),
    ).toEqual([])
    const pay = ['checkout', 'pay', declined, '--card', 'visa-declined']
    expect(await audit([pay], sandbox, (code) => code === 5)).toEqual([])
    expect(await audit([['query', '@last', '--timeline']], sandbox, () => true)).toEqual([])
  })

  test('answers about batches fit', async () => {
    const sandbox = await startSandboxCommand()
    for (const terminal of [automatic, 'TBX-TIP20-001']) await sandbox.json([...sale, '--terminal', terminal])
    const lines = [['batch', 'query'], ['batch', 'close', '--yes'], ['batch', 'list'], ['list']]
    expect(await audit(lines, sandbox)).toEqual([])
  })

  test('answers about webhooks fit, in every state', async () => {
    const receiver = await openReceiver()
    const sandbox = await startSandboxCommand(['--notify-url', receiver.url])
    const { json, run } = sandbox
    const recording = join(sandbox.cwd, 'recording.jsonl')
    const listener = startCommand(
      ['listen', '--forward-to', receiver.url, '--record', recording, '--json'],
      sandbox,
    )
    const receiving = startCommand(['webhook', 'receive', '--port', '0', '--json'], sandbox)
    await expect.poll(() => listener.output().stderr).toContain('Listening')
    await receiving.until(/url/)
    const { transactionId } = await json([...sale, '--wait-webhooks'])
    await listener.until(/TRANSACTION_ENDED[\s\S]*TRANSACTION_ENDED|"kind":"payment"/)
    const { url } = JSON.parse(receiving.output().stdout)
    const { deliveries } = await json(['webhook', 'list'])
    const { id } = deliveries[0]
    const faults = ['--duplicate', '0.5', '--delay', '1ms..2ms', '--seed', '7']
    expect(
      await audit(
        [
          ['webhook', 'list'],
          ['webhook', 'show', id],
          ['webhook', 'send', transactionId],
          ['webhook', 'send', transactionId, '--to', url],
          ['webhook', 'replay', id],
          ['webhook', 'replay', recording, '--to', receiver.url, '--fast'],
          ['webhook', 'resend', '--all'],
          ['webhook', 'wait', '--delivered'],
          ['webhook', 'fault', ...faults],
          ['webhook', 'secret', '--rotate'],
          ['query', transactionId, '--timeline'],
          ['sandbox', 'status'],
        ],
        sandbox,
      ),
    ).toEqual([])
    receiver.answer(500)
    await json(sale)
    await receiver.got(receiver.arrivals.length + 1)
    await run(['webhook', 'send', transactionId, '--to', url])
    await expect.poll(() => receiving.output().stdout.split('\n').length).toBeGreaterThan(3)
    expect(
      await audit(
        [
          ['webhook', 'list'],
          ['logs', 'tail', '--no-follow'],
        ],
        sandbox,
      ),
    ).toEqual([])
    await listener.stop()
    const undelivered = ['sandbox', 'reset', '--yes', '--wait-webhooks', '--wait-webhooks-timeout', '100ms']
    expect(await audit([undelivered], sandbox, (code) => code === 5)).toEqual([])
    const verify = ['webhook', 'verify', '--body', 'x', '--header', 'X-Signature: 00']
    expect(await audit([verify], sandbox, (code) => code === 4)).toEqual([])
    expect(wrongWith(['listen'], documentsIn(listener.output().stdout))).toEqual([])
    expect(wrongWith(['webhook', 'receive'], documentsIn(receiving.output().stdout))).toEqual([])
  })

  test('answers about faults, clock, keys, checkpoints and files fit', async () => {
    const sandbox = await startSandboxCommand(['--token', 'generate'])
    const { json, run } = sandbox
    await json(sale)
    await json(['sandbox', 'checkpoint', 'save', 'one'])
    await json([...sale, '--terminal', 'TBX-TIP20-001', '--notify-url', 'http://127.0.0.1:9/'])
    await json(['terminal', 'queue', automatic, 'approve', '--times', '2'])
    await sandbox.send('POST', operations.sale.path, {
      body: {},
      headers: { 'X-Client-Request-Id': 'x'.repeat(65), 'X-Timestamp': 'x' },
    })
    const shops = Array.from({ length: 101 }, (_, index) => `DESK-${index}`)
    const many = shops.slice(1).flatMap((serial) => ['--terminal', serial])
    const file = join(sandbox.cwd, 'state.jsonl')
    await run(['refund', '1234567890123456', '--amount', '1.00'])
    const requests = documentsIn((await run(['logs', 'tail', '--no-follow', '--json'])).stdout)
    const traces = requests.map((each) => (each as { traceId: string }).traceId)
    expect(
      await audit(
        [
          ['sandbox', 'fault', 'latency=1', '--share', '0.5', '--until', '1h', '--terminal', automatic],
          ['sandbox', 'fault'],
          ['sandbox', 'status', '--show-key'],
          ['sandbox', 'clock', '--advance', '1m'],
          ['sandbox', 'checkpoint', 'diff', 'one'],
          ['sandbox', 'checkpoint', 'save', 'two'],
          ['sandbox', 'checkpoint', 'list'],
          ['sandbox', 'checkpoint', 'restore', 'one', '--yes'],
          ['sandbox', 'checkpoint', 'remove', 'one', '--yes'],
          ['sandbox', 'export', file],
          ['sandbox', 'import', file, '--yes'],
          ['sandbox', 'fault', '--clear'],
          ['sandbox', 'key', 'rotate'],
          ['sandbox', 'key', 'list'],
          ['sandbox', 'key', 'allow-ip', '127.0.0.1', '--force'],
          ['merchant', 'add', 'M3000000001', '--application', sandbox.appId, ...many],
          ['terminal', 'add', 'DESK-0', '--merchant', 'M3000000001'],
          ['merchant', 'terminals', '--merchant-id', 'M3000000001'],
          ['merchant', 'list'],
          ['logs', 'tail', '--no-follow'],
          ...traces.map((id) => ['logs', 'show', id]),
          ['api', 'get', '/_sandbox/health'],
          ['api', 'get', '/_sandbox/health', '--include'],
          ['sandbox', 'verify'],
          ['sandbox', 'reset', '--yes'],
        ],
        sandbox,
      ),
    ).toEqual([])
    await sandbox.stop()
    expect(
      await audit(
        [
          ['sandbox', 'verify'],
          ['sandbox', 'repair', '--yes'],
          ['sandbox', 'stop'],
        ],
        sandbox,
      ),
    ).toEqual([])
  })

  test('answers about a damaged state folder fit', async () => {
    const sandbox = await startSandboxCommand()
    for (const amount of ['1.00', '2.00', '3.00']) await sandbox.json(['sale', '--amount', amount])
    const copy = join(sandbox.cwd, 'copy')
    cpSync(sandbox.state, copy, { recursive: true })
    rmSync(join(copy, 'lock.json'))
    damageJournal(copy)
    const verify = ['sandbox', 'verify', '--state', copy]
    expect(await audit([verify], sandbox, (code) => code === 4)).toEqual([])
    expect(await audit([['sandbox', 'repair', '--yes', '--state', copy], verify], sandbox)).toEqual([])
  })

  test('the answer after a question is declined fits', async () => {
    const sandbox = await startSandboxCommand()
    await sandbox.json(sale)
    await sandbox.json(['sandbox', 'checkpoint', 'save', 'one'])
    for (const args of [
      ['sandbox', 'reset'],
      ['sandbox', 'checkpoint', 'remove', 'one'],
      ['batch', 'close'],
    ]) {
      const window = openTerminal([...args, '--json'], { cwd: sandbox.cwd, columns: 200 })
      await expect.poll(() => window.written()).toMatch(/\(y\/N\)/)
      window.type('n\r')
      await window.ended
      const [document = ''] = /\{[\s\S]*?\n\}/.exec(stripVTControlCharacters(window.written())) ?? []
      expect(JSON.parse(document)).toEqual({ error: { exitCode: 2, message: 'Nothing was changed.' } })
      expect(wrongWith(args, [JSON.parse(document)])).toEqual([])
    }
  })

  test('answers of starting, restarting and stopping a sandbox fit', async () => {
    const context = here()
    const seed = [
      '--seed',
      fileURLToPath(new URL('../../../fixtures/triggers/sale-approved.yaml', import.meta.url)),
    ]
    const start = ['sandbox', 'start', '--detach', '--port', '0', ...seed]
    const shared = ['--token', 'generate', '--public-url', 'https://pay.team.test'] // makes keys
    const again = ['sandbox', 'restart', '--https', ...shared]
    const lines = [
      [...start, '--token', 'generate', '--https'],
      again,
      ['sandbox', 'stop'],
      ['sandbox', 'stop'],
    ]
    expect(await audit(lines, context)).toEqual([])
    expect(
      await audit(
        [
          [...start, ...shared],
          ['sandbox', 'stop'],
        ],
        here(),
      ),
    ).toEqual([])
    const started = startCommand(
      ['sandbox', 'start', '--port', '0', '--https', ...shared, '--json', ...seed],
      here(),
    )
    const stdout = await started.until(/\n/)
    expect(wrongWith(['sandbox', 'start'], documentsIn(stdout))).toEqual([])
  })

  test('answers about settings, help and files of a project fit', async () => {
    const context = here()
    writeFileSync(
      join(context.cwd, 'tillbox.config.json'),
      '{"profiles":{"eu":{"baseUrl":"http://127.0.0.1:9"}}}',
    )
    const set = [
      'profile',
      'set',
      'shop',
      '--base-url',
      'http://127.0.0.1:9',
      '--api-key-env',
      'SHOP_KEY',
      '--use',
    ]
    const shop = [
      '--app-id',
      'A',
      '--merchant-id',
      'M',
      '--terminal',
      'T',
      '--live',
      '--api-key',
      'tbx_sandbox_0123456789',
    ]
    expect(
      await audit(
        [
          ['trust', '--yes'],
          set,
          ['profile', 'set', 'other', '--base-url', 'http://127.0.0.1:9', ...shop],
          ['profile', 'set', 'third', '--state', context.cwd, '--space', 'ci-1'],
          ['profile', 'list'],
          ['profile', 'show', 'shop'],
          ['profile', 'use', 'shop'],
          ['whoami', '--base-url', 'http://127.0.0.1:1'],
          ['profile', 'use', '--none'],
          ['profile', 'remove', 'shop', '--yes'],
          ['whoami'],
          ['init', '--only', 'config', '--dry-run'],
          ['init', '--only', 'smoke', '--yes'],
          ['completion', 'bash'],
          ['openapi'],
          ['openapi', '--webhooks'],
          ['help', 'exit-codes'],
          ['help', 'flags'],
          ['help', 'json'],
          ['help', 'statuses'],
          ['help'],
          ['help', 'terminal'],
          ['help', 'sale'],
          ['help', 'query'],
          ['checkout', 'wallet-payload', '--payment-method', 'APPLE_PAY'],
        ],
        context,
      ),
    ).toEqual([])
    expect(await audit([['doctor']], context, (code) => code === 1)).toEqual([])
  })

  test('answers about requests that are not sent fit', async () => {
    const sandbox = await startSandboxCommand()
    const lines = [
      [...sale, '--dry-run'],
      [...sale, '--curl'],
      ['api', 'get', '/v1/x', '--dry-run'],
      ['api', 'get', '/v1/x', '--curl'],
    ]
    expect(await audit(lines, sandbox)).toEqual([])
  })
})

/** Names an original by its transaction request id. */
const byRequest = ({ transactionRequestId }: { readonly transactionRequestId: string }) => [
  '--original-transaction-request-id',
  transactionRequestId,
]

/** Changes a byte of the last entry of the journal. */
function damageJournal(state: string): void {
  const path = journalOf(state)
  const text = readFileSync(path, 'latin1')
  expect(text).toContain('"sequence":2')
  writeFileSync(path, text.replace('"sequence":2', '"sequence":7'), 'latin1')
}

describe('errors fit their schema', () => {
  test('the error of every command for an unknown flag fits the schema', async () => {
    const context = here()
    const lines = documented.map((command) => [...command.split(' '), '--none-such'])
    expect(await audit(lines, context, (code) => code === 2 || code === 0)).toEqual([])
  })

  test('errors for a refusal, a missing sandbox and a lost answer fit the schema', async () => {
    const sandbox = await startSandboxCommand()
    const several = [...sale, '--api-key', 'wrong', '--client-request-id', 'x'.repeat(65)]
    expect(await audit([several], sandbox, (code) => code === 1)).toEqual([])
    expect(
      await audit([['refund', '1234567890123456', '--amount', '1.00']], sandbox, (code) => code === 1),
    ).toEqual([])
    const other = await openReceiver((_, response) =>
      response.end('{"code":"0","msg":"","traceId":"1","data":{"transactionId":"1"}}'),
    )
    const elsewhere = ['--base-url', new URL(other.url).origin, '--api-key', 'k']
    expect(await audit([['abort', '1795159696581000', ...elsewhere]], sandbox, (code) => code === 3)).toEqual(
      [],
    )
    await sandbox.json(['sandbox', 'fault', 'lost-answer', '--operation', 'sale'])
    expect(await audit([sale], sandbox, () => true)).toEqual([])
    expect(await audit([['list'], sale], here(), (code) => code === 3)).toEqual([])
  })
})

test('each command with --json has a schema, and no other', () => {
  expect(Object.keys(answerSchemas)).toEqual(documented.toSorted())
})

test('every command that has a schema was run and answered', () => {
  expect(documented.filter((command) => !answered.has(command))).toEqual([])
})

const members = [...Object.entries(answerSchemas), ...Object.entries(namedSchemas)].flatMap(
  ([name, schema]) => schemaMembers(schema, name),
)

test('each member of a schema was in an answer', () => {
  expect(members.filter(([, schema]) => !seen.has(schema)).map(([path]) => path)).toEqual([])
})

describe('the names of members', () => {
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
})
