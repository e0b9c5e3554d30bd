import { describe, expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../../../src/sandbox/store/postgres/connection/database.ts'
import { openSandbox } from '../../../../src/server/sandbox/sandbox.ts'
import {
  accessIn,
  behindProxy,
  databaseAt,
  grantOf,
  madeToken,
  refusalCode,
  unexpected,
  wantedToken,
} from '../../../support/access-stores.ts'
import { sharedCluster, skipsPostgres } from '../../../support/cluster/postgres.ts'
import { closedOnce, openAt } from '../../../support/cluster/space-storage.ts'
import { appOf } from '../../../support/service/app.ts'
import { temporaryFolder } from '../../../support/service/service.ts'

const start = 'a-token-of-the-test-0001'

/** A sandbox in a database, or in a state folder. */
async function opened(place: string, reports: string[] = []) {
  const sandbox = place.startsWith('postgres:')
    ? await openAt(place, { token: start, report: (message) => reports.push(message) })
    : closedOnce(await openSandbox({ state: place, token: start }))
  const app = appOf(sandbox)
  const ask = (path: string, token: string, accept = '*/*') =>
    app.request(path, { headers: { 'X-Sandbox-Token': token, Accept: accept } })
  return { sandbox, ask }
}

/** Tokens and audit log of a node of its own. */
function nodeAt(database: Database, wall = Date.now) {
  const node = accessIn(database, null, { wall, report: unexpected })
  onTestFinished(() => node.close())
  return node
}

test.each([
  ['a state folder', async () => temporaryFolder(), false],
  ['a database', async () => (await sharedCluster()).url(), skipsPostgres()],
] as const)('on %s tokens, revoked ones and audit log survive a restart', async (_, makePlace, isSkipped) => {
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
  const revoked = { code: 'SBX_TOKEN', detail: 'the token gone was revoked' }
  expect([refused.status, await refused.json()]).toEqual([401, expect.objectContaining(revoked)])
  const { data } = await (await again.ask('/_sandbox/audit', token)).json()
  const line = { token: 'unknown', code: 'SBX_TOKEN', path: '/_sandbox/connection' }
  expect(data.entries).toMatchObject([line, line])
  const lastUsedAt = expect.any(String)
  expect(await again.sandbox.access.list()).toMatchObject([{ name: 'start' }, { name: 'lee', lastUsedAt }])
})

describe.skipIf(skipsPostgres())('a sandbox in a database', () => {
  test('a stream ends when its token is revoked at another node, and those of others do not', async () => {
    const url = (await sharedCluster()).url()
    const { sandbox, ask } = await opened(url)
    const node = nodeAt(await databaseAt(url))
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
    await expect.poll(() => sandbox.streams.size).toBe(0)
  })

  test('while tokens cannot be read, all but that of the start get 503, streams stay, and it goes on by itself', async () => {
    const { proxy, url } = await behindProxy(1)
    const reports: string[] = []
    const { sandbox, ask } = await opened(url, reports)
    const { tokens } = sandbox.access
    const { token } = await tokens.create(wantedToken('lee'))
    const stream = (await ask('/live', token)).body?.getReader()
    await stream?.read() // a page is drawn from the database, too
    proxy.cutAt('from tokens', 'silence')
    const calls = [tokens.find(token), tokens.find(madeToken('viewer')), tokens.ended(token), tokens.list()]
    const changes = [tokens.create(wantedToken('kim')), tokens.revoke('lee')]
    const codes = await Promise.all([...calls, ...changes].map(refusalCode))
    expect(codes).toEqual(Array(6).fill('SBX_STORE_FAIL'))
    expect(await tokens.find('another-form')).toBeUndefined()
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
    expect(reports).toContainEqual(expect.stringMatching(/^the database \S+ does not answer: /))
    proxy.endSilence()
    await expect.poll(async () => (await ask('/_sandbox/connection', madeToken('viewer'))).status).toBe(401)
    expect(sandbox.streams.size).toBe(1)
    await stream?.cancel()
    await expect.poll(() => sandbox.streams.size).toBe(0)
  })

  test('the latest use of a token counts, whichever node writes it', async () => {
    const database = await databaseAt((await sharedCluster()).url())
    const at = Date.parse('2026-11-20T12:00:00Z')
    const { token } = await nodeAt(database).tokens.create(wantedToken('lee'))
    for (const now of [at + 5_000, at]) {
      const { tokens } = nodeAt(database, () => now)
      tokens.used(await grantOf(tokens, token))
      await tokens.close()
    }
    expect(await nodeAt(database).tokens.list()).toMatchObject([{ lastUsedAt: '2026-11-20T12:00:05.000Z' }])
  })

  test('of two nodes that create a token of the same name at once, one does', async () => {
    const url = (await sharedCluster()).url()
    const nodes = await Promise.all([url, url].map(async (each) => nodeAt(await databaseAt(each))))
    const created = nodes.map(({ tokens }) => refusalCode(tokens.create(wantedToken('lee'))))
    expect((await Promise.all(created)).sort()).toEqual(['0', 'SBX_TOKEN_EXISTS'])
    expect(await nodes[0]?.tokens.list()).toHaveLength(1)
  })

  test('a token that is revoked while its last use is being written stays revoked', async () => {
    const database = await databaseAt((await sharedCluster()).url())
    const { tokens } = nodeAt(database)
    const { token } = await tokens.create(wantedToken('lee'))
    tokens.used(await grantOf(tokens, token))
    const waits = "select from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'"
    let closing: Promise<void> | undefined
    await database.transaction(async (run) => {
      await run('update tokens set revoked_at = now()')
      closing = tokens.close()
      await expect.poll(async () => (await database.run(waits, [`${database.name}-pool`])).rowCount).toBe(1)
    })
    await closing
    expect(await tokens.ended(token)).toMatchObject({ end: 'revoked' })
  })

  test('a row written by hand cannot make a token that may do more than its scope says', async () => {
    const database = await databaseAt((await sharedCluster()).url())
    for (const scope of ['owner', 'space']) {
      const insert = `insert into tokens (id, name, scope, hash) values ('1', '1', '${scope}', '1')`
      await expect(database.run(insert)).rejects.toThrow(/check constraint/)
    }
  })
})
