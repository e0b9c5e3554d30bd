import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../../src/contract/control/tokens.ts'
import { operations } from '../../../src/contract/operations.ts'
import { CountedAuditLog, FileAuditLog } from '../../../src/sandbox/access/audit-log.ts'
import { auditEntry, unexpected } from '../../support/access-stores.ts'
import { apiHeaders, sale, temporaryFolder } from '../../support/service/service.ts'
import { openServer, type Sent } from '../../support/service/shared-server.ts'

const start = 'a-token-of-the-test-0001'
const origin = { Origin: 'http://localhost' }
const html = { Accept: 'text/html' }

/** The audit log as it is asked for, without times. */
async function auditOf(
  { ask }: Pick<Awaited<ReturnType<typeof openServer>>, 'ask'>,
  query = '',
  sent: Sent = {},
): Promise<Omit<AuditEntry, 'at'>[]> {
  const { text } = await ask(`/_sandbox/audit${query}`, sent)
  return JSON.parse(text).data.entries.map(({ at: _, ...entry }: AuditEntry) => entry)
}

const own = { address: '127.0.0.1', space: 'default', code: '0', status: 200 }
const local = { ...own, token: 'local', scope: null }

describe('assumption audit-log', () => {
  test('a change through the control interface is recorded with who, what, where and the result', async () => {
    const server = await openServer()
    const token = await server.make('lee', 'admin')
    await server.ask('/_sandbox/clock?secret=1', { method: 'POST', body: { action: 'freeze' }, token })
    await server.ask('/_sandbox/clock', { method: 'POST', body: { action: 'jump' }, token })
    await server.ask('/_sandbox/faults/f1', { method: 'DELETE', token })
    const noFault = { path: '/_sandbox/faults/f1', action: 'remove-fault', code: 'SBX_FAULT_NONE' }
    const byLee = { ...own, token: 'lee', scope: 'admin' }
    expect(await auditOf(server)).toEqual([
      { ...local, method: 'POST', path: '/_sandbox/tokens/lee', action: 'create-token' },
      { ...byLee, method: 'POST', path: '/_sandbox/clock', action: 'set-clock' },
      { ...byLee, method: 'POST', path: '/_sandbox/clock', action: 'set-clock', code: 'C17' },
      { ...byLee, method: 'DELETE', ...noFault },
    ])
  })

  test('a form of a page is recorded when done, and when refused', async () => {
    const server = await openServer()
    const post = (path: string, body: string, headers: Record<string, string> = origin) =>
      server.ask(path, { method: 'POST', headers: { ...html, ...headers }, body })
    await post('/snapshots', 'name=base')
    await post('/clock', 'order=soon')
    await post('/webhooks/none/resend', '')
    await post('/reset', '', { Origin: 'http://evil.example' })
    const page = { ...local, method: 'POST', action: 'page' }
    expect(await auditOf(server)).toEqual([
      { ...page, path: '/snapshots', status: 303 },
      { ...page, path: '/clock', status: 422, code: 'C17' },
      { ...page, path: '/webhooks/none/resend', status: 404, code: 'SBX_WEBHOOK_NONE' },
      { ...page, path: '/reset', status: 403, code: 'SBX_HOST' },
    ])
  })

  test('a refusal of a missing or unknown token, or for its scope, is recorded', async () => {
    const server = await openServer(start)
    const token = await server.make('board', 'viewer')
    await server.ask('/requests?q=1')
    await server.ask('/_sandbox/none', { token: 'nobody-knows-this-one' })
    await server.ask('/_sandbox/connection', { token })
    await server.ask(`/?token=${token}x`)
    const refused = { ...own, token: 'none', scope: null, method: 'GET', code: 'SBX_TOKEN', status: 401 }
    const ofBoard = { token: 'board', scope: 'viewer', code: 'SBX_SCOPE', status: 403 }
    const [, ...entries] = await auditOf(server, '', { token: start })
    expect(entries).toEqual([
      { ...refused, path: '/requests', action: 'page' },
      { ...refused, path: '/_sandbox/none', action: null, token: 'unknown' },
      { ...refused, path: '/_sandbox/connection', action: 'connection', ...ofBoard },
      { ...refused, path: '/', action: 'page', token: 'unknown' },
    ])
  })

  test('look-ups, payments, shoppers, listeners, waits and unknown paths are not recorded', async () => {
    const server = await openServer()
    const headers = apiHeaders()
    const paid = await server.ask(operations.sale.path, { method: 'POST', headers, body: sale(1000) })
    expect(paid.code).toBe('0')
    for (const path of ['/', '/requests', '/_sandbox/state', '/_sandbox/events', '/_sandbox/none', '/none'])
      await server.ask(path)
    const posts: [string, object | string][] = [
      ['/_sandbox/webhooks/wait', { delivered: true, timeoutMs: 0 }],
      ['/_sandbox/listeners/attempts', { handed: 'none' }],
      ['/_sandbox/none', {}],
      ['/_sandbox/state', {}],
      ['/none', ''],
      ['/checkout/none/pay', ''],
      ['/v1/semi-integration/transaction/sale', {}],
      ['/v1/none', {}],
    ]
    for (const [path, body] of posts) await server.ask(path, { method: 'POST', headers: origin, body })
    expect(await auditOf(server)).toEqual([])
  })

  test('a line has no body, query or secret, and the file is for its owner alone', async () => {
    const server = await openServer(start)
    const token = await server.make('lee', 'admin')
    const change = (path: string, body: object = {}) => server.ask(path, { method: 'POST', token, body })
    await change('/_sandbox/merchants?note=precious', { merchantId: 'M3', name: 'precious' })
    await change('/_sandbox/keys/regenerate')
    await server.ask(`/_sandbox/tokens/${token}`, { method: 'DELETE', token })
    await change(`/_sandbox/webhooks/${'x'.repeat(500)}/send`, { body: 'precious' })
    await change('/_sandbox/webhooks/4111111111111111/send', { body: '' })
    await server.ask('/', { headers: { Cookie: 'tillbox_token_80=precious-precious' } })
    await server.close()
    const files = ['audit.jsonl', 'audit-refused.jsonl'].map((name) => join(server.state, name))
    const text = files.map((file) => readFileSync(file, 'utf8')).join('')
    expect(text.trimEnd().split('\n')).toHaveLength(7)
    const secrets = ['precious', token, token.slice(-43), start, 'tbx_sandbox_', '4111', 'x'.repeat(201)]
    for (const secret of secrets) expect([secret, text.includes(secret)]).toEqual([secret, false])
    expect(text).toContain('"path":"/_sandbox/tokens/…"')
    for (const file of files) expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('times are of the wall clock, in order, over a restart, and the latest come last', async () => {
    const state = temporaryFolder()
    for (const round of [1, 2]) {
      const server = await openServer(null, { state, wall: () => Date.UTC(2026, 10, 20, 12, round) })
      const body = { action: 'set', time: '2030-01-01T00:00:00Z' }
      await server.ask('/_sandbox/clock', { method: 'POST', body })
      await server.ask('/_sandbox/reset', { method: 'POST', body: {} })
      await server.close()
    }
    const { ask } = await openServer(null, { state })
    const { text } = await ask('/_sandbox/audit?limit=3')
    const { entries } = JSON.parse(text).data as { entries: AuditEntry[] }
    expect(entries.map(({ at, action }) => `${at} ${action}`)).toEqual([
      '2026-11-20T12:01:00.000Z reset',
      '2026-11-20T12:02:00.000Z set-clock',
      '2026-11-20T12:02:00.000Z reset',
    ])
  })

  test('a space and its token see only the lines of that space', async () => {
    const server = await openServer(start)
    const ofDefault = await server.make('one', 'space', 'default')
    const ofOther = await server.make('two', 'space', 'ci-1')
    const body = { action: 'freeze' }
    await server.ask('/_sandbox/clock', { method: 'POST', body, token: ofDefault })
    await server.ask('/_sandbox/clock', { method: 'POST', body, token: ofOther, space: 'ci-1' })
    const spaces = async (query: string, sent: Sent) =>
      (await auditOf(server, query, sent)).map(({ space, action }) => `${space} ${action}`)
    const tokensMade = ['default create-token', 'default create-token']
    const all = [...tokensMade, 'default set-clock', 'ci-1 set-clock']
    expect(await spaces('', { token: start })).toEqual(all)
    expect(await spaces('?space=ci-1', { token: start })).toEqual(all.slice(3))
    expect(await spaces('', { token: start, space: 'ci-1' })).toEqual(all.slice(3))
    expect(await spaces('', { token: ofOther, space: 'ci-1' })).toEqual(all.slice(3))
    expect(await spaces('', { token: ofDefault })).toEqual(all.slice(0, 3))
    for (const sent of [{ token: ofDefault }, { token: start, space: 'ci-1' }])
      expect((await server.ask('/_sandbox/audit?space=ci-2', sent)).code).toBe('SBX_SCOPE')
  })
})

describe('the file of the audit log', () => {
  const entry = (number: number): AuditEntry => ({ ...auditEntry(number), space: 'default' })

  test('the audit log is rotated at its limit, and one older file is kept', async () => {
    const folder = temporaryFolder()
    const log = new FileAuditLog({ folder, report: unexpected, confirm: () => undefined }, 4_000)
    for (let number = 1; number <= 100; number++) {
      log.add(entry(number))
      await log.written()
    }
    expect(readdirSync(folder).sort()).toEqual(['audit.jsonl', 'audit.jsonl.old'])
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).size).toBeLessThan(4_300)
    const entries = await log.latest(1_000, null)
    expect(entries.length).toBeGreaterThan(20)
    const oldest = 101 - entries.length
    expect(entries).toEqual(entries.map((_, index) => entry(oldest + index)))
  })

  const refusal = (number: number, path = '/'): AuditEntry => ({
    ...{ ...entry(number), path, token: 'none', code: 'SBX_TOKEN', status: 401 },
  })

  test('refused requests never push out changes, and equal ones are one line with their number', async () => {
    const folder = temporaryFolder()
    const lines = new FileAuditLog({ folder, report: unexpected, confirm: () => undefined }, 4_000)
    const log = new CountedAuditLog(lines)
    log.add(entry(1))
    for (let number = 2; number <= 500; number++) {
      log.add(refusal(number))
      log.add(refusal(number, `/${number}`))
      if (number % 10 === 0) await log.written()
    }
    const entries = await log.latest(1_000, null)
    expect(entries[0]).toEqual(entry(1))
    expect(entries.at(-1)).toEqual({ ...refusal(500), count: 10 })
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).size).toBeLessThan(7_000)
  })

  test('the audit log is not written once the folder belongs to another sandbox', async () => {
    const [folder, reports] = [temporaryFolder(), [] as string[]]
    const confirm = () => {
      throw new Error('the folder is lost')
    }
    const log = new FileAuditLog({ folder, report: ({ message }) => reports.push(message), confirm })
    log.add(entry(1))
    await log.written()
    expect([readdirSync(folder), reports]).toEqual([[], ['the folder is lost']])
  })
})
