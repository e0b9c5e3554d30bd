import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { DatabaseTokens } from '../../../src/store/postgres/access/database-tokens.ts'
import type { Database } from '../../../src/store/postgres/connection/database.ts'
import { ListeningConnection } from '../../../src/store/postgres/connection/listening-connection.ts'
import {
  behindProxy,
  databaseAt,
  grantOf,
  madeToken,
  refusalCode,
  unexpected,
  wantedToken,
} from '../../support/access-stores.ts'
import { noPostgres, sharedCluster, skipsPostgres } from '../../support/cluster/postgres.ts'
import { ElapsedClock } from '../../support/service/service.ts'

if (skipsPostgres()) process.stderr.write(noPostgres)

/** Tokens of a node. `elapsed`: left out, the clock of the process. */
function tokensIn(database: Database, elapsed?: () => number, report: (error: Error) => void = unexpected) {
  const tokens = new DatabaseTokens({ database, wall: Date.now, report, ...(elapsed && { elapsed }) })
  onTestFinished(() => tokens.close())
  return tokens
}

describe.skipIf(skipsPostgres())('assumption token-hash: tokens at two nodes', () => {
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
    expect([await again.find(token), again.ended(token), tokens.ended(token)]).toEqual([
      undefined,
      ended,
      ended,
    ])
    expect(await again.list()).toMatchObject([{ name: 'lee', scope: 'viewer', state: 'valid' }])
    await database.run(
      "update tokens set revoked_at = now() - interval '7 days 1 second' where scope = 'space'",
    )
    const later = tokensIn(database)
    expect([await later.find(token), later.ended(token)]).toEqual([undefined, undefined])
    await later.create(wantedToken('kim'))
    expect((await database.run('select 1 from tokens')).count).toBe(2)
  })

  test('a notice takes effect at once, without waiting for the second to pass', async () => {
    const url = (await sharedCluster()).url()
    const [one, two] = [
      tokensIn(await databaseAt(url)),
      tokensIn(await databaseAt(url), new ElapsedClock().read),
    ]
    const { token } = await one.create(wantedToken('lee'))
    await grantOf(two, token)
    const { token: other } = await one.create(wantedToken('kim'))
    await expect.poll(() => two.find(other)).toMatchObject({ name: 'kim' })
    await one.revoke('lee')
    await expect.poll(() => two.find(token)).toBeUndefined()
  })

  test('without notices tokens are read again after a second, for requests and open streams', async () => {
    const url = (await sharedCluster()).url()
    const database = await databaseAt(url)
    const clock = new ElapsedClock()
    const [cached, open] = [tokensIn(database, clock.read), tokensIn(database)]
    const { token } = await open.create(wantedToken('lee'))
    const whenOver = vi.fn<() => void>()
    const grant = await grantOf(cached, token)
    ;(await grantOf(open, token)).whenOver.add(whenOver)
    await database.run("delete from tokens where name = 'lee'")
    clock.at = 999
    expect(await cached.find(token)).toBe(grant)
    clock.at = 1_000
    expect(await cached.find(token)).toBeUndefined()
    expect(grant.isOver).toBe(true)
    await expect.poll(() => whenOver.mock.calls.length).toBe(1)
  })

  test('one look-up serves concurrent requests, and those of the next second', async () => {
    const database = await databaseAt((await sharedCluster()).url())
    const clock = new ElapsedClock()
    const [maker, tokens] = [tokensIn(database), tokensIn(database, clock.read)]
    const { token } = await maker.create(wantedToken('lee'))
    const looks = vi.spyOn(ListeningConnection.prototype, 'run')
    onTestFinished(() => looks.mockRestore())
    await Promise.all(Array.from({ length: 50 }, () => grantOf(tokens, token)))
    clock.at = 999
    for (let round = 0; round < 50; round += 1) await tokens.find(madeToken('viewer'))
    expect(looks).toHaveBeenCalledOnce()
    clock.at = 1_000
    await tokens.find(token)
    expect(looks).toHaveBeenCalledTimes(2)
    await tokens.find('an-api-key-of-an-application')
    expect(looks).toHaveBeenCalledTimes(2)
  })

  test('the latest use of a token counts, whichever node writes it', async () => {
    const url = (await sharedCluster()).url()
    const database = await databaseAt(url)
    const at = Date.parse('2026-11-20T12:00:00Z')
    const nodes = [at + 5_000, at].map(
      (now) => new DatabaseTokens({ database, wall: () => now, report: unexpected }),
    )
    const { token } = await tokensIn(database).create(wantedToken('lee'))
    for (const tokens of nodes) {
      tokens.used(await grantOf(tokens, token))
      await tokens.close()
    }
    expect(await tokensIn(database).list()).toMatchObject([{ lastUsedAt: '2026-11-20T12:00:05.000Z' }])
  })

  test('a look-up under way does not restore a token that is revoked here meanwhile', async () => {
    const database = await databaseAt((await sharedCluster()).url())
    const [maker, tokens] = [tokensIn(database), tokensIn(database)]
    const { token } = await maker.create(wantedToken('lee'))
    const look = ListeningConnection.prototype.run
    let [isFound, release] = [false, () => {}]
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const looks = vi.spyOn(ListeningConnection.prototype, 'run').mockImplementationOnce(async function (
      this: ListeningConnection,
      ...given
    ) {
      const found = await look.apply(this, given)
      isFound = true
      await held
      return found
    })
    onTestFinished(() => looks.mockRestore())
    const finding = tokens.find(token)
    await expect.poll(() => isFound).toBe(true)
    await tokens.revoke('lee')
    release()
    expect([await finding, await tokens.find(token)]).toEqual([undefined, undefined])
  })

  test('notices of another schema are ignored', async () => {
    const cluster = await sharedCluster()
    const clock = new ElapsedClock()
    const [database, otherDatabase] = [await databaseAt(cluster.url()), await databaseAt(cluster.url())]
    const [maker, own, other] = [
      tokensIn(database),
      tokensIn(database, clock.read),
      tokensIn(otherDatabase, clock.read),
    ]
    const looks = vi.spyOn(ListeningConnection.prototype, 'run')
    onTestFinished(() => looks.mockRestore())
    for (const tokens of [own, other]) expect(await tokens.find(madeToken('admin'))).toBeUndefined()
    const { token } = await tokensIn(otherDatabase).create(wantedToken('lee'))
    await expect.poll(() => other.find(token)).toBeDefined()
    const { token: ownToken } = await maker.create(wantedToken('lee'))
    await expect.poll(() => own.find(ownToken)).toBeDefined()
    expect(await own.find(token)).toBeUndefined()
    const [first] = looks.mock.contexts
    expect(looks.mock.contexts.filter((context) => context === first)).toHaveLength(2)
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
  test('assumption token-hash: tokens that were read stay valid for 10 s; after that none can be checked', async () => {
    const { proxy, url, direct } = await behindProxy()
    const [clock, reports] = [new ElapsedClock(), [] as string[]]
    const tokens = tokensIn(await databaseAt(url), clock.read, ({ message }) => reports.push(message))
    const maker = tokensIn(await databaseAt(direct))
    const { token } = await maker.create(wantedToken('lee'))
    const grant = await grantOf(tokens, token)
    proxy.cutAt('from tokens', 'silence')
    clock.at = 1_000
    expect(await tokens.find(token)).toBe(grant)
    expect(proxy.isArmed).toBe(false)
    expect(await refusalCode(tokens.find(madeToken('viewer')))).toBe('SBX_STORE_FAIL')
    clock.at = 9_999
    expect(await tokens.find(token)).toBe(grant)
    clock.at = 10_000
    expect(await refusalCode(tokens.find(token))).toBe('SBX_STORE_FAIL')
    expect(await tokens.find('another-form')).toBeUndefined()
    const calls = [tokens.list(), tokens.create(wantedToken('kim')), tokens.revoke('lee')]
    expect(await Promise.all(calls.map(refusalCode))).toEqual(Array(3).fill('SBX_STORE_FAIL'))
    expect(grant.isOver).toBe(false)
    proxy.endSilence()
    clock.at = 12_000
    expect(await tokens.find(token)).toBe(grant)
    expect(reports).toEqual([expect.stringMatching(/^the database \S+ does not answer: /)])
  })

  test.each(['request', 'answer'] as const)(
    'a token whose %s was lost is created and revoked once',
    async (cut) => {
      const { proxy, url, direct } = await behindProxy(60)
      const [tokens, other] = [tokensIn(await databaseAt(url)), tokensIn(await databaseAt(direct))]
      proxy.cutAt('insert into tokens', cut)
      const { token } = await tokens.create(wantedToken('lee'))
      expect(proxy.isArmed).toBe(false)
      expect(await grantOf(tokens, token)).toMatchObject({ name: 'lee' })
      expect(await other.list()).toMatchObject([{ name: 'lee' }])
      proxy.cutAt('revoked_at = now', cut)
      await tokens.revoke('lee')
      expect(proxy.isArmed).toBe(false)
      expect([await tokens.find(token), await other.list()]).toEqual([undefined, []])
    },
  )
})
