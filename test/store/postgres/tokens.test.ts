import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { DatabaseTokens } from '../../../src/store/postgres/access/database-tokens.ts'
import type { Database } from '../../../src/store/postgres/connection/database.ts'
import {
  behindProxy,
  databaseAt,
  grantOf,
  madeToken,
  refusalCode,
  unexpected,
  wantedToken,
} from '../../support/access-stores.ts'
import { sharedCluster, skipsPostgres } from '../../support/cluster/postgres.ts'

/** Tokens of a node. */
function tokensIn(database: Database, report: (error: Error) => void = unexpected, wall = Date.now) {
  const tokens = new DatabaseTokens({ database, wall, report })
  onTestFinished(() => tokens.close())
  return tokens
}

describe.skipIf(skipsPostgres())('assumption sandbox-token: tokens at two nodes', () => {
  test('a token revoked at one node is refused at the other, and its open streams end there', async () => {
    const url = (await sharedCluster()).url()
    const [one, two] = [tokensIn(await databaseAt(url)), tokensIn(await databaseAt(url))]
    const { token } = await one.create(wantedToken('lee'))
    const { token: other } = await two.create(wantedToken('kim'))
    const [whenOver, whenOtherOver] = [vi.fn<() => void>(), vi.fn<() => void>()]
    ;(await grantOf(two, token)).whenOver.add(whenOver)
    ;(await grantOf(two, other)).whenOver.add(whenOtherOver)
    await one.revoke('lee')
    await expect.poll(() => whenOver.mock.calls.length).toBe(1)
    expect(await two.find(token)).toBeUndefined()
    expect((await one.find(other))?.name).toBe('kim')
    expect(whenOtherOver).not.toHaveBeenCalled()
  })

  test('a revoked token is refused by its name after a restart, too, for 7 days', async () => {
    const database = await databaseAt((await sharedCluster()).url())
    const tokens = tokensIn(database)
    const { token } = await tokens.create(wantedToken('lee', { scope: 'space', space: 'ci-1' }))
    await tokens.revoke('lee')
    await tokens.create(wantedToken('lee'))
    const ended = { name: 'lee', scope: 'space', space: 'ci-1', end: 'revoked' }
    const again = tokensIn(database)
    expect([await again.find(token), await again.ended(token), await tokens.ended(token)]).toEqual([
      undefined,
      ended,
      ended,
    ])
    expect(await again.list()).toMatchObject([{ name: 'lee', scope: 'viewer', state: 'valid' }])
    await database.run(
      "update tokens set revoked_at = now() - interval '7 days 1 second' where scope = 'space'",
    )
    const later = tokensIn(database)
    expect([await later.find(token), await later.ended(token)]).toEqual([undefined, undefined])
    await later.create(wantedToken('kim'))
    expect((await database.run('select 1 from tokens')).rowCount).toBe(2)
  })

  test('the latest use of a token counts, whichever node writes it', async () => {
    const database = await databaseAt((await sharedCluster()).url())
    const at = Date.parse('2026-11-20T12:00:00Z')
    const { token } = await tokensIn(database).create(wantedToken('lee'))
    for (const now of [at + 5_000, at]) {
      const tokens = tokensIn(database, unexpected, () => now)
      tokens.used(await grantOf(tokens, token))
      await tokens.close()
    }
    expect(await tokensIn(database).list()).toMatchObject([{ lastUsedAt: '2026-11-20T12:00:05.000Z' }])
  })

  test('a row written by hand cannot make a token that may do more than its scope says', async () => {
    const database = await databaseAt((await sharedCluster()).url())
    const insert = (scope: string) =>
      database.run(
        `insert into tokens (id, name, scope, hash) values ('${scope}', '${scope}', '${scope}', '${scope}')`,
      )
    for (const scope of ['owner', 'space']) await expect(insert(scope)).rejects.toThrow(/check constraint/)
  })
})

describe.skipIf(skipsPostgres())('a database that does not answer', () => {
  test('assumption sandbox-token: no token can be checked, streams stay open, and all goes on by itself', async () => {
    const { proxy, url, direct } = await behindProxy(1)
    const reports: string[] = []
    const tokens = tokensIn(await databaseAt(url), ({ message }) => reports.push(message))
    const { token } = await tokensIn(await databaseAt(direct)).create(wantedToken('lee'))
    const whenOver = vi.fn<() => void>()
    ;(await grantOf(tokens, token)).whenOver.add(whenOver)
    proxy.cutAt('from tokens', 'silence')
    const calls = [tokens.find(token), tokens.find(madeToken('viewer')), tokens.ended(token), tokens.list()]
    const changes = [tokens.create(wantedToken('kim')), tokens.revoke('lee')]
    expect(await Promise.all([...calls, ...changes].map(refusalCode))).toEqual(
      Array(6).fill('SBX_STORE_FAIL'),
    )
    expect(await tokens.find('another-form')).toBeUndefined()
    await expect
      .poll(() => reports)
      .toContainEqual(expect.stringMatching(/^the database \S+ does not answer: /))
    proxy.endSilence()
    await expect.poll(() => refusalCode(tokens.find(token))).toBe('0')
    expect(whenOver).not.toHaveBeenCalled()
  })
})
