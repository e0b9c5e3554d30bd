import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { operations } from '../../src/contract/operations.ts'
import { createSandbox } from '../../src/index.ts'
import type { AnyJson } from '../support/any-json.ts'
import { type OpenNode, openNode } from '../support/cluster/cluster-node.ts'
import { type Cluster, sharedCluster, skipsPostgres } from '../support/cluster/postgres.ts'
import { runCommand } from '../support/commands/command.ts'
import { sideBySide } from '../support/runner/side-by-side.ts'
import { newId } from '../support/service/new-id.ts'
import { apiKey, temporaryFolder } from '../support/service/service.ts'

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

const countIn = async ({ ask }: OpenNode, base: string): Promise<number> =>
  (await ask('GET', `${base}/_sandbox/state`)).data.transactions

describe.skipIf(skipsPostgres())('nodes of one database', () => {
  test('every node serves the same spaces', async () => {
    const store = cluster.url()
    const [one, two] = [await openNode(store), await openNode(store)]
    const { apiKey: key } = (await two.ask('POST', '/_sandbox/spaces', { name: 'ci-1' })).data
    for (const each of [one, two]) {
      expect((await each.sell(apiKey)).code).toBe('0')
      expect((await each.sell(key)).code).toBe('0')
    }
    for (const each of [one, two])
      expect([await countIn(each, ''), await countIn(each, '/s/ci-1')]).toEqual([2, 2])
  })

  test('a space begins at the node that is asked for it first', async () => {
    const store = cluster.url()
    const schema = new URL(store).searchParams.get('schema')
    const [one, two] = [await openNode(store), await openNode(store)]
    for (const name of ['ci-1', 'ci-2'])
      expect((await one.ask('POST', '/_sandbox/spaces', { name })).code).toBe('0')
    for (const each of [two, one]) expect((await each.ask('GET', '/s/ci-1/_sandbox/state')).code).toBe('0')
    const [first, second] = [one.connection.url, two.connection.url]
    const owners = await cluster.ask(
      `select name || ' ' || coalesce(owner_url, '') from ${schema}.spaces order by name`,
    )
    expect(owners.split('\n')).toEqual([`ci-1 ${second}`, 'ci-2 ', `default ${first}`])
  })

  test('each node tells a client its own URL', async () => {
    const store = cluster.url()
    for (const each of [await openNode(store), await openNode(store)]) {
      const { data } = await each.ask('GET', '/_sandbox/connection')
      expect(data.url).toBe(each.connection.url)
      const { spaces } = (await each.ask('GET', '/_sandbox/spaces')).data
      expect(spaces).toMatchObject([{ name: 'default', url: each.connection.url, inMemory: true }])
    }
  })

  test('a node goes on with the webhooks of a node that stopped', async () => {
    const store = cluster.url()
    const [one, two] = [await openNode(store), await openNode(store)]
    let isUp = false
    const received: string[] = []
    const receiver = createServer((incoming, outgoing) => {
      if (isUp) received.push(String(incoming.headers['x-event'] ?? incoming.url))
      outgoing.writeHead(isUp ? 200 : 500).end()
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void receiver.close())
    const { port } = receiver.address() as AddressInfo
    const sold = await one.sell(apiKey, '', { notifyUrl: `http://127.0.0.1:${port}/hook` })
    expect(sold.code).toBe('0')
    await one.ask('POST', '/_sandbox/clock', { action: 'advance', milliseconds: 1 })
    isUp = true
    await one.close()
    const advanced = async () => {
      await two.ask('POST', '/_sandbox/clock', { action: 'advance', milliseconds: 3_600_000 })
      return received.length
    }
    await expect.poll(advanced, { interval: 200 }).toBeGreaterThan(0)
  })

  test('a stream at one node shows a request at another', async () => {
    const store = cluster.url()
    const [one, two] = [await openNode(store), await openNode(store)]
    const stop = new AbortController()
    onTestFinished(() => stop.abort())
    const { body } = await fetch(`${two.connection.url}/_sandbox/requests/events`, { signal: stop.signal })
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    const { data } = await one.sell(apiKey)
    let received = ''
    while (!received.includes(data.transactionId)) received += (await reader?.read())?.value ?? ''
    expect(received).toContain('event: request')
  })

  test('a space that is removed at one node is gone at every node, and its key with it', async () => {
    const store = cluster.url()
    const [one, two] = [await openNode(store), await openNode(store)]
    const { apiKey: key } = (await one.ask('POST', '/_sandbox/spaces', { name: 'ci-1' })).data
    expect((await two.sell(key)).code).toBe('0')
    await two.ask('DELETE', '/_sandbox/spaces/ci-1')
    for (const each of [one, two]) {
      await expect.poll(async () => (await each.sell(key)).code).toBe('SBX_KEY_UNKNOWN')
      const look = async () => {
        const { httpStatus, code } = await each.ask('GET', '/s/ci-1/_sandbox/state')
        return [httpStatus, code]
      }
      await expect.poll(look).toEqual([404, 'SBX_SPACE_NONE'])
    }
  })

  test('a request that is no HTTP is in the request log', async () => {
    const { ask, url } = await openNode(cluster.url())
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.write('this is no HTTP\r\n\r\n')
    await once(socket, 'data')
    const { requests } = (await ask('GET', '/_sandbox/requests')).data
    expect(requests).toContainEqual(expect.objectContaining({ status: 400, code: 'SBX_BAD_HTTP' }))
  })

  test('a request with forged headers of a node is refused', async () => {
    const { ask } = await openNode(cluster.url())
    const forged = { 'X-Tillbox-Node': 'a'.repeat(64), 'X-Tillbox-Address': '192.0.2.1' }
    await ask('PUT', '/_sandbox/allow-list', { addresses: ['192.0.2.1'] })
    const refused = await ask('GET', `${operations.query.path}?transactionId=1`, undefined, {
      ...forged,
      Authorization: `Bearer ${apiKey}`,
      'X-Client-Request-Id': newId(),
      'X-Timestamp': String(Date.now()),
    })
    expect([refused.httpStatus, refused.code]).toEqual([421, undefined])
  })

  test('a token that was made at one node is valid at every node, until it is revoked', async () => {
    const [store, token] = [cluster.url(), 'a-token-of-the-test-0001']
    const admin = { 'X-Sandbox-Token': token }
    const [one, two] = [await openNode(store, { token }), await openNode(store, { token })]
    const wanted = { name: 'ci', scope: 'space', space: 'ci-1' }
    await one.ask('POST', '/_sandbox/spaces', { name: 'ci-1' }, admin)
    const { data } = await one.ask('POST', '/_sandbox/tokens', wanted, admin)
    const own = { 'X-Sandbox-Token': data.token }
    expect((await two.ask('GET', '/s/ci-1/_sandbox/state', undefined, own)).code).toBe('0')
    expect((await two.ask('GET', '/_sandbox/state', undefined, own)).code).toBe('SBX_SCOPE')
    await two.ask('DELETE', '/_sandbox/tokens/ci', undefined, admin)
    for (const each of [one, two])
      await expect
        .poll(async () => (await each.ask('GET', '/s/ci-1/_sandbox/state', undefined, own)).code)
        .toBe('SBX_TOKEN')
    const { entries } = (await one.ask('GET', '/_sandbox/audit', undefined, admin)).data
    expect(entries.map(({ action }: AnyJson) => action)).toEqual(
      expect.arrayContaining(['create-space', 'create-token', 'revoke-token']),
    )
  })

  test('an export moves from a state folder into a space of a database, and on to another database', async () => {
    const { client, url } = await files()
    await client.sale({ amount: { orderAmount: 700, priceCurrency: 'USD' } })
    const [one, two] = await Promise.all([openNode(cluster.url()), openNode(cluster.url())])
    for (const [from, to] of [
      [url, one.connection.url],
      [one.connection.url, two.connection.url],
    ]) {
      const file = await (await fetch(`${from}/_sandbox/export`)).arrayBuffer()
      const answer = await fetch(`${to}/_sandbox/import`, { method: 'POST', body: file })
      expect(((await answer.json()) as AnyJson).code).toBe('0')
    }
    const [first] = ((await (await fetch(`${url}/_sandbox/transactions`)).json()) as AnyJson).data
      .transactions
    const [last] = (await two.ask('GET', '/_sandbox/transactions')).data.transactions
    expect(last).toEqual(first)
  })
})

describe.skipIf(skipsPostgres())('a node', () => {
  const waiting = sideBySide()

  for (const [what, other] of [
    ['a node of another database', async () => (await openNode(cluster.url())).connection.url],
    ['a sandbox of a state folder', async () => (await files()).url],
  ] as const)
    waiting(`a node serves its space itself when ${what} has the address of a node that died`, async () => {
      const [store, url] = [cluster.url(), await other()]
      const schema = new URL(store).searchParams.get('schema')
      await (await openNode(store)).close()
      await cluster.ask(`update ${schema}.spaces set owner = 'died', owner_url = '${url}'`)
      const own = await openNode(store)
      expect((await own.sell(apiKey)).code).toBe('0')
      expect(await cluster.ask(`select count(*) > 0 from ${schema}.events`)).toBe('t')
    })

  test('a space keeps its acknowledged payments and its key after a restart of the node', async () => {
    const store = cluster.url()
    const first = await openNode(store)
    const { apiKey: key } = (await first.ask('POST', '/_sandbox/spaces', { name: 'ci-1' })).data
    await first.sell(key)
    await first.close()
    const second = await openNode(store)
    expect((await second.sell(key)).code).toBe('0')
    expect(await countIn(second, '/s/ci-1')).toBe(2)
  })

  waiting('a space that nobody uses leaves memory, and comes back when it is asked', async () => {
    const { ask } = await openNode(cluster.url(), { spaceIdleMs: 3_000 })
    await ask('POST', '/_sandbox/spaces', { name: 'ci-1' })
    const inMemory = async () => (await ask('GET', '/_sandbox/spaces')).data.spaces[1].inMemory
    await expect.poll(inMemory).toBe(false)
    expect((await ask('GET', '/s/ci-1/_sandbox/state')).code).toBe('0')
    expect(await inMemory()).toBe(true)
  })

  test.each([
    [['--seed', 'x.yaml'], /--seed goes with a state folder/],
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
    expect(ended.code).toBe(2)
    expect(ended.stderr).toMatch(message)
    expect(ended.stderr).not.toContain('secret-of-mine')
  })

  waiting('a start with another token than that of the other node is refused with the reason', async () => {
    const refuses = async (token: string | null, args: readonly string[], why: RegExp) => {
      const store = cluster.url()
      const first = await openNode(store, { token })
      const storeFlags = ['--store', store, '--state', temporaryFolder()]
      const { code, stderr } = await runCommand(['sandbox', 'start', '--port', '0', ...storeFlags, ...args])
      const message = stderr.replace(/\s+/g, ' ')
      expect(code).toBe(2)
      expect(message).toMatch(why)
      expect(message).toContain(
        `--token: the node at ${first.connection.url} of the same database was started`,
      )
      expect(message).toContain('Start every node with the same token: --token <that of the other node>')
      expect(message).not.toContain('of-the-test')
    }
    const [token, another] = ['one-token-of-the-test-01', ['--token', 'another-token-of-the-test']]
    await Promise.all([
      refuses(token, another, /another --token, or with none/),
      refuses(token, [], /with --token, and this one without/),
      refuses(null, another, /another --token, or with none/),
    ])
  })

  test('a node shows the URL of the database without its password', async () => {
    const { connection, ask } = await openNode(cluster.url())
    expect(connection.state).toMatch(/^postgres:\/\/tillbox@127\.0\.0\.1:\d+\/postgres/)
    expect(JSON.stringify((await ask('GET', '/_sandbox/connection')).data)).not.toContain(cluster.password)
  })
})
