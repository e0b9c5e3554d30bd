import { describe, expect, onTestFinished, test } from 'vitest'
import { openSandbox } from '../../../src/sandbox/sandbox.ts'
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
import { closedOnce, openAt } from '../../support/cluster/space-storage.ts'
import { appOf } from '../../support/service/app.ts'
import { temporaryFolder } from '../../support/service/service.ts'

const start = 'a-token-of-the-test-0001'

/** A sandbox in a database, or in a state folder. */
async function opened(place: string) {
  const sandbox = place.startsWith('postgres:')
    ? await openAt(place, { token: start, report: () => undefined })
    : closedOnce(await openSandbox({ state: place, token: start }))
  const app = appOf(sandbox)
  const ask = (path: string, token: string, accept = '*/*') =>
    app.request(path, { headers: { 'X-Sandbox-Token': token, Accept: accept } })
  return { sandbox, ask }
}

test.each([
  ['a state folder', async () => temporaryFolder(), false],
  ['a database', async () => (await sharedCluster()).url(), skipsPostgres()],
] as const)(
  'after a restart on %s a revoked token is refused by its name, others count, and the audit log has both',
  async (_, makePlace, isSkipped) => {
    if (isSkipped) return
    const place = await makePlace()
    const { sandbox, ask } = await opened(place)
    const { token } = await sandbox.access.tokens.create(wantedToken('lee', { scope: 'admin' }))
    const { token: gone } = await sandbox.access.tokens.create(wantedToken('gone'))
    expect((await ask('/_sandbox/connection', token)).status).toBe(200)
    expect((await ask('/_sandbox/connection', madeToken('admin'))).status).toBe(401)
    await sandbox.access.tokens.revoke('gone')
    await sandbox.close()
    const again = await opened(place)
    const refused = await again.ask('/_sandbox/connection', gone)
    expect([refused.status, await refused.json()]).toEqual([
      401,
      expect.objectContaining({ code: 'SBX_TOKEN', detail: 'the token gone was revoked' }),
    ])
    const { data } = await (await again.ask('/_sandbox/audit', token)).json()
    const line = { token: 'unknown', code: 'SBX_TOKEN', path: '/_sandbox/connection' }
    expect(data.entries).toMatchObject([line, line])
    const lastUsedAt = expect.any(String)
    expect(await again.sandbox.access.list()).toMatchObject([{ name: 'start' }, { name: 'lee', lastUsedAt }])
  },
)

describe.skipIf(skipsPostgres())('a sandbox in a database', () => {
  test('assumption sandbox-token: the tables have the hash of a token, and never the token', async () => {
    const database = await databaseAt((await sharedCluster()).url())
    const access = databaseAccess({ database, wall: Date.now, report: unexpected }, start)
    const { token } = await access.tokens.create(wantedToken('lee', { scope: 'admin' }))
    for (const sent of [token, start]) access.used(await grantOf(access, sent))
    access.audit.add(auditEntry(1))
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

  test('a stream ends when its token is revoked at another node, and those of others do not', async () => {
    const url = (await sharedCluster()).url()
    const { sandbox, ask } = await opened(url)
    const node = databaseAccess({ database: await databaseAt(url), wall: Date.now, report: unexpected }, null)
    onTestFinished(() => node.close())
    const { token } = await node.tokens.create(wantedToken('board'))
    const { token: other } = await node.tokens.create(wantedToken('wall'))
    const response = await ask('/live', token)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const stays = await ask('/live', other)
    await expect.poll(() => sandbox.streams.size).toBe(2)
    const reading = response.text().catch(() => 'ended')
    await node.tokens.revoke('board')
    await reading
    await expect.poll(() => sandbox.streams.size).toBe(1)
    expect((await ask('/live', token)).status).toBe(401)
    await stays.body?.cancel()
  })

  test('while tokens cannot be read, every token but that of the start is refused with 503 and Retry-After', async () => {
    const { proxy, url } = await behindProxy()
    const { ask } = await opened(url)
    proxy.cutAt('from tokens', 'silence')
    for (const [path, accept, type] of [
      ['/_sandbox/connection', '*/*', 'application/json'],
      ['/', 'text/html', 'text/html; charset=UTF-8'],
      [`/requests?token=${madeToken('viewer')}`, 'text/html', 'text/html; charset=UTF-8'],
    ] as const) {
      const response = await ask(path, madeToken('viewer'), accept)
      const shown = ['retry-after', 'content-type', 'set-cookie'].map((name) => response.headers.get(name))
      expect([path, response.status, ...shown]).toEqual([path, 503, '1', type, null])
      const text = await response.text()
      expect(text).toContain('could not use its database')
      expect(text).not.toMatch(/postgres:\/\/|TBX-|"tillbox@/)
    }
    expect((await ask('/_sandbox/health', start)).status).toBe(200)
    proxy.endSilence()
    await expect.poll(async () => (await ask('/_sandbox/connection', madeToken('viewer'))).status).toBe(401)
  })
})
