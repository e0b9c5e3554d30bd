import { describe, expect, onTestFinished, test } from 'vitest'
import { databaseAccess } from '../../../src/store/postgres/access/database-access.ts'
import {
  auditEntry,
  behindProxy,
  databaseAt,
  grantOf,
  madeToken,
  unexpected,
  wantedToken,
} from '../../support/access-stores.ts'
import { sharedCluster, skipsPostgres } from '../../support/cluster/postgres.ts'
import { openAt } from '../../support/cluster/space-storage.ts'
import { appOf } from '../../support/service/app.ts'

describe.skipIf(skipsPostgres())('secrets in the tables', () => {
  test('assumption sandbox-token: the tables have the hash of a token, and never the token', async () => {
    const database = await databaseAt((await sharedCluster()).url())
    const start = 'a-token-of-the-test-0001'
    const access = databaseAccess({ database, wall: Date.now, report: unexpected }, start)
    const { token } = await access.tokens.create(wantedToken('lee', { scope: 'admin' }))
    for (const sent of [token, start]) access.used(await grantOf(access, sent))
    access.audit.add(auditEntry(1))
    expect((await access.list()).map(({ name, lastUsedAt }) => [name, typeof lastUsedAt])).toEqual([
      ['start', 'string'],
      ['lee', 'string'],
    ])
    await access.close()
    const { rows: tables } = await database.run(
      'select tablename as name from pg_tables where schemaname = current_schema()',
    )
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['tokens', 'audit', 'spaces']))
    for (const { name } of tables) {
      const { rows } = await database.run(`select coalesce(json_agg(t), '[]') as dump from ${name} t`)
      for (const secret of [token, token.slice(-43), start])
        expect([name, rows[0]?.dump?.includes(secret)]).toEqual([name, false])
    }
  })
})

describe.skipIf(skipsPostgres())('a sandbox in a database', () => {
  const start = 'a-token-of-the-test-0001'

  async function opened(url: string, reports: string[] = []) {
    const sandbox = await openAt(url, {
      token: start,
      report: (message) => reports.push(message),
    })
    const app = appOf(sandbox)
    const ask = (path: string, token: string, accept = '*/*') =>
      app.request(path, { headers: { 'X-Sandbox-Token': token, Accept: accept } })
    return { sandbox, ask }
  }

  test('tokens and audit log survive a restart', async () => {
    const url = (await sharedCluster()).url()
    const { sandbox, ask } = await opened(url)
    const { token } = await sandbox.access.tokens.create(wantedToken('lee', { scope: 'admin' }))
    expect((await ask('/_sandbox/connection', token)).status).toBe(200)
    expect((await ask('/_sandbox/connection', madeToken('admin'))).status).toBe(401)
    await sandbox.close()
    const again = await opened(url)
    const { data } = await (await again.ask('/_sandbox/audit', token)).json()
    expect(data.entries).toMatchObject([
      { token: 'unknown', code: 'SBX_TOKEN', path: '/_sandbox/connection' },
    ])
    expect(await again.sandbox.access.list()).toMatchObject([
      { name: 'start' },
      { name: 'lee', lastUsedAt: expect.any(String) },
    ])
  })

  test('a stream ends when its token is revoked at another node', async () => {
    const url = (await sharedCluster()).url()
    const { sandbox, ask } = await opened(url)
    const node = databaseAccess({ database: await databaseAt(url), wall: Date.now, report: unexpected }, null)
    onTestFinished(() => node.close())
    const { token } = await node.tokens.create(wantedToken('board'))
    const response = await ask('/live', token)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    await expect.poll(() => sandbox.streams.size).toBe(1)
    const reading = response.text().catch(() => 'ended')
    await node.tokens.revoke('board')
    await reading
    await expect.poll(() => sandbox.streams.size).toBe(0)
    expect((await ask('/live', token)).status).toBe(401)
  })

  test('while tokens cannot be read, every token but that of the start is refused with 503 and Retry-After', async () => {
    const { proxy, url } = await behindProxy()
    const { ask } = await opened(url)
    proxy.cutAt('from tokens', 'silence')
    const ways = [
      ['/_sandbox/connection', '*/*', 'application/json'],
      ['/', 'text/html', 'text/html; charset=UTF-8'],
      [`/requests?token=${madeToken('viewer')}`, 'text/html', 'text/html; charset=UTF-8'],
    ] as const
    for (const [path, accept, type] of ways) {
      const response = await ask(path, madeToken('viewer'), accept)
      const { status, headers } = response
      expect([path, status, headers.get('Retry-After'), headers.get('content-type')]).toEqual([
        path,
        503,
        '1',
        type,
      ])
      expect(headers.get('set-cookie')).toBeNull()
      const text = await response.text()
      expect(text).toContain('could not use its database')
      for (const secret of ['postgres://', 'TBX-', '"tillbox@'])
        expect([secret, text.includes(secret)]).toEqual([secret, false])
    }
    expect((await ask('/_sandbox/health', start)).status).toBe(200)
    proxy.endSilence()
    await expect.poll(async () => (await ask('/_sandbox/connection', madeToken('viewer'))).status).toBe(401)
  })
})
