import { describe, expect, test } from 'vitest'
import { startSandbox } from '../../src/server/server.ts'
import type { AnyJson } from '../support/any-json.ts'
import { openTwo } from '../support/cluster/cluster-node.ts'
import { sharedCluster, skipsPostgres } from '../support/cluster/postgres.ts'
import { askJson } from '../support/network/ask-json.ts'
import { openRawSandbox } from '../support/service/raw.ts'
import { temporaryFolder } from '../support/service/service.ts'

const start = 'a-token-of-the-test-0001'

/** URLs of a server: of one process, or of two nodes. */
async function urlsOf(places: 'a state folder' | 'two nodes'): Promise<readonly [string, string]> {
  if (places === 'two nodes') {
    const [one, two] = await openTwo((await sharedCluster()).url(), { token: start })
    return [one.url, two.url]
  }
  const { connection } = await openRawSandbox({ token: start })
  return [connection.url, connection.url]
}

describe.each([
  ['a state folder', false],
  ['two nodes', skipsPostgres()],
] as const)('the spaces of a token: %s', (places, isSkipped) => {
  test.skipIf(isSkipped)('assumption token-scopes: scope spaces acts in its own spaces alone', async () => {
    const [url, other] = await urlsOf(places)
    const ask = (token: string, method: string, path: string, body?: object, base = url) =>
      askJson(base + path, method, body, { 'X-Sandbox-Token': token })
    const make = async (name: string) =>
      (await ask(start, 'POST', '/_sandbox/tokens', { name, scope: 'spaces' })).data
    const [ci, build] = [await make('ci'), await make('build')]
    const code = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).code
    for (const [token, name] of [
      [ci.token, 'ci-1'],
      [build.token, 'build-1'],
      [start, 'lee-1'],
    ] as const)
      expect(await code(token, 'POST', '/_sandbox/spaces', { name })).toBe('0')

    const listed = async (token: string) =>
      (await ask(token, 'GET', '/_sandbox/spaces')).data.spaces.map(
        ({ name, madeBy }: AnyJson) => `${name} by ${madeBy}`,
      )
    const byCi = `ci-1 by ${ci.id}`
    expect(await listed(ci.token)).toEqual([byCi])
    expect(await listed(start)).toEqual(['default by null', byCi, `build-1 by ${build.id}`, 'lee-1 by start'])

    const freeze = { action: 'freeze' }
    for (const base of [url, other]) {
      expect(await code(ci.token, 'POST', '/s/ci-1/_sandbox/clock', freeze, base)).toBe('0')
      for (const path of ['/s/build-1/_sandbox/clock', '/s/lee-1/_sandbox/clock', '/_sandbox/clock'])
        expect([path, await code(ci.token, 'POST', path, freeze, base)]).toEqual([path, 'SBX_SCOPE'])
      for (const path of ['/_sandbox/spaces/build-1', '/_sandbox/spaces/default', '/_sandbox/tokens'])
        expect([path, await code(ci.token, 'GET', path, undefined, base)]).toEqual([path, 'SBX_SCOPE'])
    }
    const none = { code: 'SBX_SPACE_NONE', remedy: expect.stringContaining('ci-1') }
    expect(await ask(ci.token, 'GET', '/_sandbox/spaces/ci-2')).toMatchObject(none)
    expect(await ask(ci.token, 'DELETE', '/_sandbox/spaces/lee-1')).toMatchObject({
      code: 'SBX_SCOPE',
      detail: 'the token ci did not make the space lee-1, and its scope allows no other',
    })
    const sent = await code(ci.token, 'POST', '/s/ci-1/_sandbox/webhooks/none/send', {})
    expect([sent, await code(ci.token, 'DELETE', '/_sandbox/spaces/ci-1')]).toEqual(['SBX_SCOPE', '0'])
    expect(await listed(ci.token)).toEqual([])

    const { entries } = (await ask(start, 'GET', '/_sandbox/audit?only=changes')).data
    const changes = entries.filter(({ token }: AnyJson) => token === 'ci')
    expect(changes.map(({ scope, path }: AnyJson) => `${scope} ${path}`)).toEqual([
      'spaces /_sandbox/spaces/ci-1',
      'spaces /_sandbox/clock',
      'spaces /_sandbox/clock',
      'spaces /_sandbox/spaces/ci-1',
    ])
    await ask(start, 'DELETE', '/_sandbox/tokens/build')
    const again = await make('build')
    const expected = [[], 'SBX_TOKEN']
    expect([await listed(again.token), await code(build.token, 'GET', '/_sandbox/spaces')]).toEqual(expected)
  })
})

test('the spaces of a token are its own after a restart', async () => {
  const state = temporaryFolder()
  const first = await startSandbox({ state, token: start })
  const wanted = { name: 'ci', scope: 'spaces', space: null, ttlMs: null } as const
  const { token, id } = await first.sandbox.access.tokens.create(wanted)
  const headers = { 'X-Sandbox-Token': token }
  await askJson(`${first.connection.url}/_sandbox/spaces`, 'POST', { name: 'ci-1' }, headers)
  await first.close()
  const { connection } = await openRawSandbox({ state, token: start })
  const ask = (path: string) => askJson(connection.url + path, 'GET', undefined, headers)
  expect((await ask('/_sandbox/spaces')).data).toMatchObject({ spaces: [{ name: 'ci-1', madeBy: id }] })
  expect((await ask('/s/ci-1/_sandbox/connection')).httpStatus).toBe(200)
})
