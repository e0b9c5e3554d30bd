import { readFileSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect } from 'vitest'
import { renderRequestLine } from '../../../src/cli/output/render-requests.ts'
import type { RequestSummary } from '../../../src/contract/control/request-log-answers.ts'
import { startCommand } from '../../support/commands/command.ts'
import { parseNdjson, untilStderr } from '../../support/commands/launched.ts'
import { startAgain, startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { problemsOfArchive } from '../har.ts'

const sale = 'sale --amount 10.00 --no-wait'
const tail = ['logs', 'tail']

/** A sandbox with a sale that was accepted and a refund that was refused. */
async function withHistory() {
  const sandbox = await startSandboxCommand()
  const { transactionId } = await sandbox.json(sale)
  const { error } = await sandbox.json(`refund ${transactionId} --amount 10.01`, 1)
  return { sandbox, transactionId, traceId: error.traceId as string }
}

test('logs tail --no-follow shows the last requests with reason and remedy; logs show has request, answer, curl, and a command that runs', async () => {
  const { sandbox, transactionId, traceId } = await withHistory()
  await sandbox.prints(
    [...tail, '--no-follow'],
    new RegExp(`POST +sale +200 accepted +[\\d.]+ ms ${transactionId}`),
    new RegExp(`POST +refund +200 SBX_OVER_REFUND .*${traceId}`),
    /why {3}Refund amount exceeds .* \(amount: 10\.01 USD requested/,
    'do    Refund no more',
  )
  expect((await sandbox.run([...tail, '--no-follow', '--limit', '0'])).stdout).toBe('')
  await sandbox.prints(
    `logs show ${traceId}`,
    'SBX_OVER_REFUND',
    'Refund no more',
    '"amount": 1001',
    '"detail": "10.01 USD requested, 10.00 USD left"',
    `tillbox refund ${transactionId} --amount 10.01 --price-currency USD --base-url ${sandbox.url}\n`,
    'curl -sS',
    `\${TILLBOX_API_KEY:-${sandbox.apiKey}}`,
    `Bearer tbx_sandbox_…${sandbox.apiKey.slice(-4)}`,
  )
  const { command, ...story } = await sandbox.json(`logs show ${traceId}`)
  expect(story).toMatchObject({ traceId, operation: 'refund' })
  expect((await sandbox.json(command.replace('tillbox ', ''), 1)).error.code).toBe('SBX_OVER_REFUND')
  await sandbox.fails('logs show nobody', 1, 'tillbox logs tail')
})

test('why says which rules decided a refused request, a payment, and what a name is', async () => {
  const { sandbox, transactionId, traceId } = await withHistory()
  await sandbox.prints(
    `why ${traceId}`,
    /^refund was refused with SBX_OVER_REFUND, after \d+ checks passed\./,
    'do  Refund no more than the remaining balance',
    /✓ transactionRequestId is new .*specification: ids-4/,
    '✗ At most what is left of each part is refunded',
    'amount: 10.01 USD requested, 10.00 USD left',
    /refund-2 +specification: Refund rules 2/,
    /refund-parts +assumption/,
  )
  await sandbox.prints(`why ${transactionId}`, `SALE ${transactionId} is SUCCESS`, '→ The outcome is approve')
  expect((await sandbox.json('why @last')).about).toBe(`transaction ${transactionId}`)
  const { claims } = await sandbox.json('why duplicates')
  expect(claims).toMatchObject([{ name: 'duplicates', kind: 'assumption' }])
  await sandbox.prints('why x-timestamp', 'x-timestamp is a header', 'specification: Authentication 3')
  await sandbox.fails('why nobody', 2, 'tillbox logs tail')
  await sandbox.stop()
  await sandbox.prints('why SBX_REFUNDED', 'HTTP 200, or 409 with httpStatus: rest', 'refund, online-refund')
})

test('logs tail filters by status, operation, transaction and order, and --json prints a document a line', async () => {
  const { sandbox, transactionId } = await withHistory()
  await sandbox.json(`${sale} --reference-order-id ORDER-1`)
  const codesOf = async (...flags: string[]) =>
    parseNdjson((await sandbox.run([...tail, '--no-follow', '--json', ...flags])).stdout).map(
      ({ operation, code }: RequestSummary) => `${operation} ${code}`,
    )
  expect(await codesOf('--status', 'refused')).toEqual(['refund SBX_OVER_REFUND'])
  expect(await codesOf('--operation', 'sale', '--limit', '1')).toEqual(['sale 0'])
  expect(await codesOf('--transaction', transactionId, '--status', 'accepted')).toContain('sale 0')
  expect(await codesOf('--order', 'ORDER-1')).toContain('sale 0')
  expect(await codesOf('--order', 'ORDER-2')).toEqual([])
})

test('equal look-ups in a row are one line, with a count below it', async ({ sandbox }) => {
  const { transactionId } = await sandbox.json(`${sale} --terminal TBX-ATTENDED-001`)
  const following = startCommand([...tail, '--operation', 'query'], { cwd: sandbox.cwd })
  const asJson = startCommand([...tail, '--operation', 'query', '--json'], { cwd: sandbox.cwd })
  for (const each of [following, asJson]) await untilStderr(each, /Requests of/)
  for (let count = 0; count < 3; count++) await sandbox.json(`query ${transactionId}`)
  await sandbox.json('terminal cancel TBX-ATTENDED-001')
  await sandbox.json(`query ${transactionId}`)
  const text = await following.until(/again[^\n]*\n[^\n]*query/)
  expect(text.match(/GET +query/g)).toHaveLength(2)
  expect(text.replace(/\s+/g, ' ')).toContain(`again query ${transactionId}: 2 times more, until `)
  await asJson.until(/(\n.*){3}/)
  expect(parseNdjson(asJson.output().stdout).map(({ times }: RequestSummary) => times)).toEqual([1, 3, 1])
})

test('logs tail follows new requests over a restart of the sandbox, none twice', async ({ sandbox }) => {
  const first = await sandbox.json(sale)
  const following = startCommand([...tail, '--json', '--operation', 'sale'], { cwd: sandbox.cwd })
  await untilStderr(following, /Requests of/)
  const second = await sandbox.json(sale)
  await following.until(new RegExp(second.transactionId))
  await sandbox.stop()
  await untilStderr(following, /The sandbox is gone/)
  await startAgain(sandbox)
  const third = await sandbox.json(sale)
  await following.until(new RegExp(third.transactionId))
  await untilStderr(following, /The sandbox is back/)
  const fourth = await sandbox.json(sale)
  await following.until(new RegExp(fourth.transactionId))
  const ended = await following.stop('SIGINT')
  expect(ended).toMatchObject({ code: 0, signal: null })
  const sales = [first, second, third, fourth].map(({ transactionId }) => ({ transactionId }))
  expect(parseNdjson(ended.stdout)).toMatchObject(sales)
})

const request: RequestSummary = {
  at: 0,
  method: 'PATCH',
  path: '/_sandbox/terminals/TBX-ATTENDED-001',
  operation: null,
  status: 200,
  code: 'SBX_UNREGISTERED',
  traceId: 'f6918367-058f-4922-8597-515823fdf2a3',
  durationMs: 12.34,
  transactionId: '1795178632033000',
  fault: null,
  times: 1,
  lastAt: null,
  refusal: {
    message: 'That merchant or terminal is not registered',
    field: 'terminalSn',
    detail: 'there is no terminal TBX-ATTENDED-001',
    remedy:
      'Use a registered one: tillbox sandbox status; or start without --strict to register on first sight',
    others: [],
  },
  notes: [],
}

test.each([80, 100, 120, 200])('a line fits %i columns, and keeps its reason', (width) => {
  const shown = renderRequestLine(request, width)
  for (const line of shown.split('\n')) expect(line.length).toBeLessThanOrEqual(width)
  const text = shown.replace(/\s+/g, ' ')
  for (const part of ['there is no terminal TBX-ATTENDED-001', 'to register on first sight', request.traceId])
    expect(text).toContain(part)
})

test.each([80, 120])('in %i columns a path of the control interface shifts no column', (width) => {
  const accepted = { ...request, code: '0', status: 200, refusal: null }
  const path = '/_sandbox/terminals/TBX-AUTO-001'
  const lines = [accepted, { ...accepted, operation: null, method: 'PATCH', path, transactionId: null }]
  const columns = lines.map((each) => renderRequestLine(each, width).indexOf('200 accepted'))
  expect(columns[0]).toBeGreaterThan(0)
  expect(columns[1]).toBe(columns[0])
})

test('logs export --har writes a valid HTTP Archive of accepted, refused, repeated and malformed requests, without secrets', async () => {
  const { sandbox, transactionId, traceId } = await withHistory()
  for (let count = 0; count < 3; count++) await sandbox.json(`query ${transactionId}`)
  await sandbox.send('GET', '/?a=%E2%80%A6&b=2', {}).catch(() => undefined) // a page is no JSON
  await sandbox.send('POST', '/_sandbox/clock', { body: { action: 'jump', note: '4111111111111111' } })
  const socket = connect(sandbox.port, '127.0.0.1')
  await new Promise((resolve) => socket.once('close', resolve).resume().end('no HTTP\r\n\r\n'))
  const file = 'requests.har'
  expect(await sandbox.json(`logs export ${file} --har`)).toMatchObject({ status: 'exported', file })
  const text = readFileSync(join(sandbox.cwd, file), 'utf8')
  const archive = JSON.parse(text)
  expect(problemsOfArchive(archive)).toEqual([])
  expect(text).not.toContain(sandbox.apiKey)
  expect(text).not.toContain('4111111111111111')
  const { entries } = archive.log
  const [url, mimeType] = [expect.stringContaining(`${sandbox.url}/v1/`), 'application/json']
  expect(entries[0]).toMatchObject({
    request: { method: 'POST', url, postData: { mimeType, text: expect.stringContaining('"amount"') } },
    response: { status: 200, statusText: 'OK', content: { mimeType } },
    _transactionId: transactionId,
  })
  expect(entries.find((entry: { _traceId: string }) => entry._traceId === traceId).comment).toMatch(/amount/)
  expect(entries.map(({ comment = '' }) => comment).join()).toContain('3 equal look-ups in a row')
})

test('logs export without --har writes one JSON object a line; an existing file stays without --force', async () => {
  const { sandbox, transactionId } = await withHistory()
  const stdout = await sandbox.prints('logs export all.ndjson')
  expect(statSync(join(sandbox.cwd, 'all.ndjson')).mode & 0o777).toBe(0o600)
  const requests = parseNdjson(readFileSync(join(sandbox.cwd, 'all.ndjson'), 'utf8'))
  expect(stdout).toBe(`${requests.length} requests written to all.ndjson\n`)
  expect([requests[0], requests.at(-1)]).toMatchObject([
    { operation: 'sale', transactionId },
    { operation: 'refund', code: 'SBX_OVER_REFUND' },
  ])
  await sandbox.fails('logs export all.ndjson', 2, 'all.ndjson exists')
  expect((await sandbox.run('logs export all.ndjson --force')).code).toBe(0)
})
