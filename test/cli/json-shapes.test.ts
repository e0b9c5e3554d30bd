import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type RunningSandbox, startSandboxCommand } from '../support/running-sandbox.ts'
import { openReceiver } from '../support/webhook-receiver.ts'

/** A sandbox in which something of everything happened. */
async function busySandbox(): Promise<{ sandbox: RunningSandbox; commands: string[][] }> {
  const receiver = await openReceiver()
  const sandbox = await startSandboxCommand(['--notify-url', receiver.url])
  const { json, run } = sandbox
  const sale = await json(['sale', '--amount', '10.00', '--settle'])
  await json(['sale', '--amount', '9734'], 4)
  const auth = await json(['auth', '--amount', '50.00'])
  await run(['sale', '--amount', '25.00', '--terminal-sn', 'TBX-ATTENDED-001', '--no-wait'])
  const page = await json(['checkout', 'create', '--amount', '5.00'])
  await json(['sandbox', 'fault', 'latency=1', '--until', '1h'])
  const { requests } = { requests: (await run(['logs', 'tail', '--no-follow', '--json'])).stdout }
  const traceId = JSON.parse(requests.split('\n')[0] ?? '').traceId
  const { deliveries } = await json(['webhook', 'list'])
  return {
    sandbox,
    commands: [
      ['query', sale.transactionId],
      ['query', sale.transactionId, '--timeline'],
      ['query', '--reference-order-id', sale.referenceOrderId],
      ['refund', sale.transactionId, '--amount', '1.00'],
      ['void', auth.transactionId],
      ['list'],
      ['outcomes'],
      ['cards'],
      ['batch', 'query'],
      ['batch', 'close', '--yes'],
      ['batch', 'list'],
      ['merchant', 'show'],
      ['merchant', 'terminals'],
      ['checkout', 'list'],
      ['checkout', 'show', page.sessionId],
      ['checkout', 'pay', page.sessionId],
      ['terminal', 'list'],
      ['terminal', 'show', 'TBX-ATTENDED-001'],
      ['terminal', 'present', 'TBX-ATTENDED-001', '--card', 'visa-contactless'],
      ['terminal', 'receipt', sale.transactionId],
      ['terminal', 'queue', 'TBX-AUTO-001', 'approve'],
      ['terminal', 'set', 'TBX-AUTO-001', '--pace', '0'],
      ['webhook', 'list'],
      ['webhook', 'show', deliveries[0].id],
      ['webhook', 'send', sale.transactionId],
      ['webhook', 'resend', '--all'],
      ['webhook', 'wait', '--settled'],
      ['webhook', 'fault'],
      ['webhook', 'secret'],
      ['logs', 'show', traceId],
      ['sandbox', 'status'],
      ['sandbox', 'wait'],
      ['sandbox', 'clock'],
      ['sandbox', 'clock', '--advance', '1m'],
      ['sandbox', 'fault'],
      ['sandbox', 'checkpoint', 'save', 'one'],
      ['sandbox', 'checkpoint', 'list'],
      ['sandbox', 'checkpoint', 'diff', 'one'],
      ['sandbox', 'checkpoint', 'restore', 'one', '--yes'],
      ['sandbox', 'checkpoint', 'remove', 'one', '--yes'],
      ['sandbox', 'export', join(sandbox.cwd, 'state.jsonl')],
      ['sandbox', 'import', join(sandbox.cwd, 'state.jsonl'), '--yes'],
      ['sandbox', 'verify'],
      ['sandbox', 'reset', '--yes'],
      ['trigger', '--list'],
      ['trigger', 'sale-approved'],
      ['whoami'],
      ['doctor'],
      ['profile', 'list'],
      ['help', 'exit-codes'],
    ],
  }
}

/** Members that break the rules of docs/json.md, by their path. */
function breaches(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => breaches(each, `${path}[${index}]`))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, each]) => breaches(each, `${path}.${name}`))
  const name =
    path
      .replace(/\[\d+\]$/, '')
      .split('.')
      .at(-1) ?? ''
  const isTime = /^(at|now|wall|from|until|since)$|At$/.test(name)
  if (isTime && value !== null && !isMoment(value))
    return [`${path} is no time of ISO 8601 with an offset: ${value}`]
  if (/Ms$/.test(name) && value !== null && !Number.isInteger(value))
    return [`${path} is not whole: ${value}`]
  return []
}

const isMoment = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value)

test('each answer is one object; its times have an offset, its durations are whole', {
  timeout: 120_000,
}, async () => {
  const { sandbox, commands } = await busySandbox()
  const wrong: unknown[] = []
  for (const command of commands) {
    const { stdout } = await sandbox.run([...command, '--json'])
    const document = JSON.parse(stdout)
    const found = Array.isArray(document) ? ['is a list'] : breaches(document)
    if (found.length > 0 || document.error != null) wrong.push([command.join(' '), document.error, found])
  }
  expect(wrong).toEqual([])
})
