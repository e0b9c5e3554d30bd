import { once } from 'node:events'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { operations } from '../../src/contract/operations.ts'
import { createSandbox } from '../../src/library/index.ts'
import type { AnyJson } from '../support/any-json.ts'
import { openNode, openTwo } from '../support/cluster/cluster-node.ts'
import { type Cluster, schemaOf, sharedCluster, skipsPostgres } from '../support/cluster/postgres.ts'
import { runCommand } from '../support/commands/command.ts'
import { sideBySide } from '../support/runner/side-by-side.ts'
import { openSocket } from '../support/service/raw.ts'
import { apiHeaders, apiKey, temporaryFolder } from '../support/service/service.ts'

let cluster: Cluster
beforeAll(async () => {
  if (!skipsPostgres()) cluster = await sharedCluster()
})

/** A sandbox on a state folder. */
async function files() {
  const sandbox = await createSandbox()
  onTestFinished(() => sandbox.close())
  return sandbox
}

describe.skipIf(skipsPostgres())('nodes of one database', () => {
  test('a space begins at the node that is asked for it first', async () => {
    const store = cluster.url()
    const [one, two] = await openTwo(store)
    for (const name of ['ci-1', 'ci-2']) await one.createSpace(name)
    for (const each of [two, one]) expect(await each.count('/s/ci-1')).toBe(0)
    const owners = await cluster.ask(
      `select name || ' ' || coalesce(owner_url, '') from ${schemaOf(store)}.spaces order by name`,
    )
    expect(owners.split('\n')).toEqual([`ci-1 ${two.url}`, 'ci-2 ', `default ${one.url}`])
  })

  test('each node tells a client its own URL, and that of the database without its password', async () => {
    for (const { ask, url } of await openTwo(cluster.url())) {
      const { data } = await ask('GET', '/_sandbox/connection')
      const state = expect.stringMatching(/^postgres:\/\/tillbox@127\.0\.0\.1:\d+\/postgres/)
      expect(data).toMatchObject({ url, state })
      expect(JSON.stringify(data)).not.toContain(cluster.password)
      const { spaces } = (await ask('GET', '/_sandbox/spaces')).data
      expect(spaces).toMatchObject([{ name: 'default', url, inMemory: true }])
    }
  })

  test('assumption keys: nodes that others reach have the same keys of their own, and the first one shows them', async () => {
    const shared = { publicUrl: 'https://pay.team.test', token: 'a-token-of-the-test-0001' }
    const [one, two] = await openTwo(cluster.url(), shared)
    const key = one.connection.apiKey
    expect([one.made.length, two.made, two.connection.apiKey]).toEqual([2, [], key])
    for (const { sell } of [one, two]) {
      expect((await sell(key)).code).toBe('0')
      expect((await sell(apiKey)).code).toBe('SBX_KEY_UNKNOWN')
    }
  })

  test('a request that is no HTTP is in the request log', async () => {
    const { ask, url } = await openNode(cluster.url())
    const { socket } = openSocket(Number(new URL(url).port))
    socket.write('this is no HTTP\r\n\r\n')
    await once(socket, 'data')
    const { requests } = (await ask('GET', '/_sandbox/requests')).data
    expect(requests).toContainEqual(expect.objectContaining({ status: 400, code: 'SBX_BAD_HTTP' }))
  })

  test('a request with forged headers of a node is refused', async () => {
    const { ask } = await openNode(cluster.url())
    const forged = { 'X-Tillbox-Node': 'a'.repeat(64), 'X-Tillbox-Address': '192.0.2.1' }
    await ask('PUT', '/_sandbox/allow-list', { addresses: ['192.0.2.1'] })
    const path = `${operations.query.path}?transactionId=1`
    const refused = await ask('GET', path, undefined, { ...apiHeaders(), ...forged })
    expect([refused.httpStatus, refused.code]).toEqual([421, undefined])
  })

  test('a token that was made at one node is valid at every node, until it is revoked', async () => {
    const token = 'a-token-of-the-test-0001'
    const admin = { 'X-Sandbox-Token': token }
    const [one, two] = await openTwo(cluster.url(), { token })
    await one.ask('POST', '/_sandbox/spaces', { name: 'ci-1' }, admin)
    const wanted = { name: 'ci', scope: 'space', space: 'ci-1' }
    const { data } = await one.ask('POST', '/_sandbox/tokens', wanted, admin)
    const own = { 'X-Sandbox-Token': data.token }
    expect((await two.ask('GET', '/s/ci-1/_sandbox/state', undefined, own)).code).toBe('0')
    expect((await two.ask('GET', '/_sandbox/state', undefined, own)).code).toBe('SBX_SCOPE')
    await two.ask('DELETE', '/_sandbox/tokens/ci', undefined, admin)
    for (const { ask } of [one, two]) {
      const refused = await ask('GET', '/s/ci-1/_sandbox/state', undefined, own)
      expect(refused).toMatchObject({ code: 'SBX_TOKEN', detail: 'the token ci was revoked' })
    }
    const { entries } = (await one.ask('GET', '/_sandbox/audit', undefined, admin)).data
    const changes = expect.arrayContaining(['create-space', 'create-token', 'revoke-token'])
    expect(entries.map(({ action }: AnyJson) => action)).toEqual(changes)
  })

  test('an export moves from a state folder into a space of a database, and on to another database', async () => {
    const { client, url } = await files()
    await client.sale({ amount: { orderAmount: 700, priceCurrency: 'USD' } })
    const [one, two] = [await openNode(cluster.url()), await openNode(cluster.url())]
    for (const [from, to] of [
      [url, one.url],
      [one.url, two.url],
    ]) {
      const file = await (await fetch(`${from}/_sandbox/export`)).arrayBuffer()
      const answer = await fetch(`${to}/_sandbox/import`, { method: 'POST', body: file })
      expect(((await answer.json()) as AnyJson).code).toBe('0')
    }
    const first = (await (await fetch(`${url}/_sandbox/transactions`)).json()) as AnyJson
    const last = await two.ask('GET', '/_sandbox/transactions')
    expect(last.data.transactions).toEqual(first.data.transactions)
  })
})

describe.skipIf(skipsPostgres())('a node', () => {
  const waiting = sideBySide()

  for (const [what, other] of [
    ['a node of another database', async () => (await openNode(cluster.url())).url],
    ['a sandbox of a state folder', async () => (await files()).url],
  ] as const)
    waiting(`a node serves its space itself when ${what} has the address of a node that died`, async () => {
      const [store, url] = [cluster.url(), await other()]
      await (await openNode(store)).close()
      await cluster.ask(`update ${schemaOf(store)}.spaces set owner = 'died', owner_url = '${url}'`)
      expect((await (await openNode(store)).sell(apiKey)).code).toBe('0')
      expect(await cluster.ask(`select count(*) > 0 from ${schemaOf(store)}.events`)).toBe('t')
    })

  waiting('a space that nobody uses leaves memory, and comes back when it is asked', async () => {
    const { ask, createSpace, count } = await openNode(cluster.url(), { spaceIdleMs: 3_000 })
    await createSpace('ci-1')
    const inMemory = async () => (await ask('GET', '/_sandbox/spaces')).data.spaces[1].inMemory
    await expect.poll(inMemory).toBe(false)
    expect(await count('/s/ci-1')).toBe(0)
    expect(await inMemory()).toBe(true)
  })

  test.each([
    [['--import', 'x.jsonl'], /--import goes with a state folder/],
    [['--https'], /--https goes with a state folder/],
    [['--host', '0.0.0.0', '--token', 'a-token-of-the-test-0001'], /other nodes need one to reach this node/],
    [
      ['--store', 'postgres://x:secret-of-mine@127.0.0.1:1/x'],
      /--store: the database postgres:\/\/\*\*\*@127\.0\.0\.1:1\/x does not answer/,
    ],
    [['--store', 'nowhere'], /--store: The URL of the database cannot be read/],
  ])('a start of a node is refused with %j', async (args, message) => {
    const named = args.includes('--store') ? args : ['--store', cluster.url(), ...args]
    const ended = await runCommand(['sandbox', 'start', '--port', '0', ...named], { cwd: temporaryFolder() })
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringMatching(message)])
    expect(ended.stderr).not.toContain('secret-of-mine')
  })

  for (const [token, args, why] of [
    ['one-token-of-the-test-01', ['--token', 'another-token-of-the-test'], 'another --token, or with none'],
    ['one-token-of-the-test-01', [], 'with --token, and this one without'],
    [null, ['--token', 'another-token-of-the-test'], 'another --token, or with none'],
  ] as const)
    waiting(`a start beside a node with ${token} is refused with the reason: [${args}]`, async () => {
      const store = cluster.url()
      const { url } = await openNode(store, { token })
      const start = ['sandbox', 'start', '--port', '0', '--store', store, '--state', temporaryFolder()]
      const { code, stderr } = await runCommand([...start, ...args])
      const message = stderr.replace(/\s+/g, ' ')
      expect([code, message]).toEqual([2, expect.stringContaining(why)])
      expect(message).toContain(`--token: the node at ${url} of the same database was started`)
      expect(message).toContain('Start every node with the same token: --token <that of the other node>')
      expect(message).not.toContain('of-the-test')
    })
})
