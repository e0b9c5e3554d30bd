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

describe.skipIf(skipsPostgres())('assumption sandbox-token: tokens in a database', () => {
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
    for (const scope of ['owner', 'space']) {
      const insert = `insert into tokens (id, name, scope, hash) values ('1', '1', '${scope}', '1')`
      await expect(database.run(insert)).rejects.toThrow(/check constraint/)
    }
  })

  test('while the database is silent no token can be checked, streams stay open, and all goes on by itself', async () => {
    const { proxy, url, direct } = await behindProxy(1)
    const reports: string[] = []
    const tokens = tokensIn(await databaseAt(url), ({ message }) => reports.push(message))
    const { token } = await tokensIn(await databaseAt(direct)).create(wantedToken('lee'))
    const whenOver = vi.fn<() => void>()
    ;(await grantOf(tokens, token)).whenOver.add(whenOver)
    proxy.cutAt('from tokens', 'silence')
    const calls = [tokens.find(token), tokens.find(madeToken('viewer')), tokens.ended(token), tokens.list()]
    const changes = [tokens.create(wantedToken('kim')), tokens.revoke('lee')]
    const codes = await Promise.all([...calls, ...changes].map(refusalCode))
    expect(codes).toEqual(Array(6).fill('SBX_STORE_FAIL'))
    expect(await tokens.find('another-form')).toBeUndefined()
    const away = expect.stringMatching(/^the database \S+ does not answer: /)
    await expect.poll(() => reports).toContainEqual(away)
    proxy.endSilence()
    await expect.poll(() => refusalCode(tokens.find(token))).toBe('0')
    expect(whenOver).not.toHaveBeenCalled()
  })
})
