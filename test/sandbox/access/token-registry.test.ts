import { describe, expect, test, vi } from 'vitest'
import { tokenHash } from '../../../src/sandbox/access/token-registry.ts'
import {
  accessStores,
  auditEntry,
  grantOf,
  madeToken,
  refusalCode,
  wantedToken,
} from '../../support/access-stores.ts'

const [minute, day] = [60_000, 86_400_000]

describe.each(accessStores.map(([name, make, isSkipped]) => ({ name, make, isSkipped })))(
  'assumption sandbox-token: tokens in $name',
  ({ make, isSkipped }) => {
    const testIf = test.skipIf(isSkipped)

    testIf('a token has 256 random bits after its scope', async () => {
      const tokens = await (await make()).openTokens()
      const made = new Set<string>()
      for (const scope of ['admin', 'space', 'viewer'] as const) {
        const space = scope === 'space' ? 'ci-1' : null
        const { token } = await tokens.create(wantedToken(scope, { scope, space }))
        expect(Buffer.from(token.slice(`tbx_${scope}_`.length), 'base64url')).toHaveLength(32)
        made.add(token.slice(-43))
      }
      expect(made.size).toBe(3)
    })

    testIf('only the hash of a token is stored, and nothing of the start token', async () => {
      const start = 'a-token-of-the-test-0001'
      const { open, contents } = await make()
      const access = await open(start)
      const { token } = await access.tokens.create(wantedToken('lee', { scope: 'admin' }))
      for (const sent of [token, start]) access.used(await grantOf(access, sent))
      access.audit.add(auditEntry(1))
      await access.close()
      const stored = (await contents()).join()
      for (const kept of [tokenHash(token), auditEntry(1).path]) expect(stored).toContain(kept)
      for (const secret of [token.slice(-43), start, tokenHash(start)]) expect(stored).not.toContain(secret)
    })

    testIf('a token is found after a restart, and a text that only looks like it is not', async () => {
      const { openTokens } = await make()
      const tokens = await openTokens()
      const { token } = await tokens.create(wantedToken('ci', { scope: 'space', space: 'ci-1' }))
      const grant = await tokens.find(token)
      expect(await tokens.find(token)).toBe(grant)
      const again = await openTokens()
      const found = { name: 'ci', scope: 'space', space: 'ci-1', isOver: false }
      expect(await again.find(token)).toMatchObject(found)
      const others = [token.slice(0, -1), `${token}A`, token.toUpperCase(), token.replace(/.$/, '~')]
      for (const other of [...others, '', 'ci', madeToken('space')])
        expect(await again.find(other)).toBeUndefined()
    })

    testIf('tokens are listed as they were created, the oldest first', async () => {
      const { openTokens } = await make()
      const tokens = await openTokens()
      const wanted = { scope: 'space', space: 'ci-1', ttlMs: 60 * minute } as const
      const one = await tokens.create(wantedToken('one', wanted))
      const two = await tokens.create(wantedToken('a.two-2', { scope: 'admin' }))
      const views = [one, two].map(({ token: _, ...view }) => view)
      expect(await tokens.list()).toEqual(views)
      expect(await (await openTokens()).list()).toEqual(views)
      expect(views).toEqual([
        {
          ...{ id: expect.stringMatching(/^[0-9a-f]{8}$/), name: 'one', scope: 'space', space: 'ci-1' },
          ...{ createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/), lastUsedAt: null, state: 'valid' },
          expiresAt: new Date(Date.parse(one.createdAt) + 60 * minute).toISOString(),
        },
        {
          ...{ id: expect.not.stringMatching(one.id), name: 'a.two-2', scope: 'admin', space: null },
          ...{ createdAt: expect.any(String), expiresAt: null, lastUsedAt: null, state: 'valid' },
        },
      ])
    })

    testIf('a token expires, and then its name may be used again', async () => {
      const { openTokens, pass } = await make()
      const tokens = await openTokens()
      const { token } = await tokens.create(wantedToken('lee', { ttlMs: 20 * minute }))
      pass(20 * minute - 1)
      expect(await tokens.find(token)).toBeDefined()
      expect(await refusalCode(tokens.create(wantedToken('lee')))).toBe('SBX_TOKEN_EXISTS')
      pass(1)
      for (const each of [tokens, await openTokens()]) expect(await each.find(token)).toBeUndefined()
      const states = async () => (await tokens.list()).map(({ name, state }) => [name, state])
      expect(await states()).toEqual([['lee', 'expired']])
      const { token: other } = await tokens.create(wantedToken('lee'))
      expect(await states()).toEqual([['lee', 'valid']])
      expect([await tokens.find(token), (await tokens.find(other))?.name]).toEqual([undefined, 'lee'])
    })

    testIf('a stream that is open with a token ends when the token expires', async () => {
      const { openTokens, pass } = await make()
      const tokens = await openTokens()
      const { token } = await tokens.create(wantedToken('lee', { ttlMs: minute }))
      const { token: other } = await tokens.create(wantedToken('kim', { ttlMs: 60 * minute }))
      const [whenOver, whenOtherOver] = [vi.fn<() => void>(), vi.fn<() => void>()]
      const grant = await grantOf(tokens, token)
      grant.whenOver.add(whenOver)
      ;(await grantOf(tokens, other)).whenOver.add(whenOtherOver)
      pass(minute)
      await expect.poll(() => whenOver.mock.calls.length).toBe(1)
      expect([grant.isOver, whenOtherOver.mock.calls]).toEqual([true, []])
    })

    testIf('an expired token is forgotten after 7 days', async () => {
      const { openTokens, pass } = await make()
      const tokens = await openTokens()
      await tokens.create(wantedToken('old', { ttlMs: 60 * minute }))
      pass(7 * day + 30 * minute)
      await tokens.create(wantedToken('one'))
      expect((await tokens.list()).map(({ name }) => name)).toEqual(['old', 'one'])
      pass(30 * minute)
      await tokens.create(wantedToken('two'))
      expect((await tokens.list()).map(({ name }) => name)).toEqual(['one', 'two'])
    })

    testIf('the last use of a token is listed at once, and written later and at the stop', async () => {
      const { openTokens, pass } = await make()
      const tokens = await openTokens()
      const { token } = await tokens.create(wantedToken('lee'))
      const grant = await grantOf(tokens, token)
      const lastUses = async (of = openTokens()) =>
        (await (await of).list()).map(({ lastUsedAt }) => lastUsedAt)
      for (const time of ['12:00', '12:05']) {
        tokens.used(grant)
        expect(await lastUses(Promise.resolve(tokens))).toEqual([`2026-11-20T${time}:00.000Z`])
        pass(5 * minute)
      }
      expect(await lastUses()).toEqual([null])
      await tokens.close()
      expect(await lastUses()).toEqual(['2026-11-20T12:05:00.000Z'])
    })

    testIf('a write that fails changes no token: it is refused, or reported for a last use', async () => {
      const { openTokens, failWrites } = await make()
      const reports: string[] = []
      const tokens = await openTokens(({ message }) => reports.push(message))
      const { token } = await tokens.create(wantedToken('lee'))
      const [grant, listed] = [await grantOf(tokens, token), await tokens.list()]
      await failWrites()
      const refusal = { code: 'SBX_STORE_FAIL', detail: expect.stringContaining('the disk is full') }
      for (const change of [tokens.create(wantedToken('kim')), tokens.revoke('lee')])
        await expect(change).rejects.toMatchObject(refusal)
      for (const each of [tokens, await openTokens()]) expect(await each.list()).toEqual(listed)
      tokens.used(grant)
      await tokens.close()
      expect(reports).toEqual([expect.stringContaining('the disk is full')])
      expect([grant.isOver, await tokens.find(token)]).toEqual([false, grant])
    })

    testIf('a revoked token stays revoked after a restart, and its end is reported once', async () => {
      const { openTokens } = await make()
      const tokens = await openTokens()
      const { token } = await tokens.create(wantedToken('lee'))
      const { token: other } = await tokens.create(wantedToken('kim'))
      const whenOver = vi.fn<() => void>()
      const grant = await grantOf(tokens, token)
      grant.whenOver.add(whenOver)
      await tokens.revoke('lee')
      expect([whenOver.mock.calls.length, grant.isOver]).toEqual([1, true])
      const again = await openTokens()
      expect([await tokens.find(token), await again.find(token)]).toEqual([undefined, undefined])
      expect((await again.find(other))?.name).toBe('kim')
      expect(await refusalCode(tokens.revoke('lee'))).toBe('SBX_TOKEN_NONE')
    })

    testIf('an expired or revoked token is distinguished from one that never existed', async () => {
      const { openTokens, pass } = await make()
      const tokens = await openTokens()
      const wanted = { scope: 'space', space: 'ci-1' } as const
      const short = await tokens.create(wantedToken('short', { ...wanted, ttlMs: 20 * minute }))
      const gone = await tokens.create(wantedToken('gone'))
      const valid = await tokens.create(wantedToken('valid'))
      await tokens.find(valid.token)
      const other = await openTokens()
      await other.find(valid.token)
      pass(20 * minute)
      await tokens.revoke('gone')
      const endOf = ({ token }: { readonly token: string }) => tokens.ended(token)
      expect(await endOf(short)).toEqual({ name: 'short', ...wanted, end: 'expired' })
      expect(await endOf(gone)).toEqual({ name: 'gone', scope: 'viewer', space: null, end: 'revoked' })
      for (const token of [valid.token, madeToken('viewer'), `${gone.token}A`, '', 'gone'])
        expect(await tokens.ended(token)).toBeUndefined()
      const again = await openTokens()
      await again.find(valid.token)
      expect((await again.ended(short.token))?.end).toBe('expired')
      expect(await again.ended(gone.token)).toEqual(await endOf(gone))
    })

    testIf('a revoked token is forgotten after 7 days; its name may be used at once', async () => {
      const { openTokens, pass } = await make()
      const tokens = await openTokens()
      const { token } = await tokens.create(wantedToken('lee'))
      await tokens.revoke('lee')
      const { token: other } = await tokens.create(wantedToken('lee'))
      tokens.used(await grantOf(tokens, other))
      expect((await tokens.list()).map(({ name, state }) => [name, state])).toEqual([['lee', 'valid']])
      await tokens.close()
      const endAfter = async (days: number) => {
        pass(days * day)
        const again = await openTokens()
        await again.find(other)
        return (await again.ended(token))?.end
      }
      expect([await endAfter(6.9), await endAfter(0.2)]).toEqual(['revoked', undefined])
    })

    testIf('only one of several tokens requested at once with the same name is created', async () => {
      const tokens = await (await make()).openTokens()
      const codes = await Promise.all([1, 2, 3, 4].map(() => refusalCode(tokens.create(wantedToken('lee')))))
      expect(codes.sort()).toEqual(['0', ...Array(3).fill('SBX_TOKEN_EXISTS')])
      expect(await tokens.list()).toHaveLength(1)
    })
  },
)
