import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { Database } from '../../src/store/postgres/connection/database.ts'
import type { AnyJson } from '../support/any-json.ts'
import { apiHeaders, openNode } from '../support/cluster/cluster-node.ts'
import { isHeldIn } from '../support/cluster/nodes.ts'
import { type Cluster, skipsPostgres, startCluster, whileLocked } from '../support/cluster/postgres.ts'
import { sideBySide } from '../support/runner/side-by-side.ts'
import { newId } from '../support/service/new-id.ts'
import { salePath } from '../support/service/requests.ts'
import { sale } from '../support/service/service.ts'
import { openReceiver } from '../support/webhooks/webhook-receiver.ts'

const schemaOf = (store: string): string => new URL(store).searchParams.get('schema') ?? ''

describe.skipIf(skipsPostgres())('a space and its node', () => {
  const waiting = sideBySide()
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster()
  })
  afterAll(() => cluster.remove())

  /** From now on the database refuses this change of a space. */
  const refuse = (store: string, change: string, when = 'true') => {
    const schema = schemaOf(store)
    return cluster.ask(
      `create function ${schema}.no() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
        create trigger no before ${change} on ${schema}.spaces for each row when (${when}) execute function ${schema}.no()`,
    )
  }

  test('a chunked body that comes in one packet reaches the node that serves the space', async () => {
    const store = cluster.url()
    const [one, two] = [await openNode(store), await openNode(store)]
    const { apiKey } = (await one.ask('POST', '/_sandbox/spaces', { name: 'ci-1' })).data
    for (const { url } of [one, two]) {
      const body = JSON.stringify(sale(100, { transactionRequestId: newId() }))
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      onTestFinished(() => void socket.destroy())
      let text = ''
      socket.setEncoding('utf8').on('data', (more) => {
        text += more
      })
      const headers = { Host: '127.0.0.1', 'Content-Type': 'application/json', ...apiHeaders(apiKey) }
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.write(
        `POST /s/ci-1${salePath} HTTP/1.1\r\n${lines.join('')}Transfer-Encoding: chunked\r\n\r\n` +
          `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
      )
      await expect.poll(() => text).toContain('"code":"0"')
    }
  })

  test('a space that is removed and made anew refuses the key of the old one', async () => {
    const store = cluster.url()
    const [one, two] = [await openNode(store), await openNode(store)]
    const old = (await one.ask('POST', '/_sandbox/spaces', { name: 'x' })).data
    await two.ask('DELETE', '/_sandbox/spaces/x')
    const make = async () => (await two.ask('POST', '/_sandbox/spaces', { name: 'x' })).code
    await expect.poll(make).toBe('0') // once the node that served it has given it back
    const fresh = (await two.ask('GET', '/s/x/_sandbox/connection')).data
    expect((await one.sell(old.apiKey, '/s/x')).code).not.toBe('0')
    expect((await two.sell(fresh.apiKey, '/s/x')).code).toBe('0')
    expect((await one.sell(fresh.apiKey)).code).toBe('0')
    expect((await two.ask('GET', '/s/x/_sandbox/state')).data.transactions).toBe(2)
  })

  waiting('the tokens of a space are removed with it, by a command and when its time is over', async () => {
    const one = await openNode(cluster.url())
    for (const [name, ttlMs] of [
      ['removed', 600_000],
      ['over', 1_000],
    ] as const) {
      await one.ask('POST', '/_sandbox/spaces', { name, ttlMs })
      await one.ask('POST', '/_sandbox/tokens', { name, scope: 'viewer', space: name })
    }
    await one.ask('POST', '/_sandbox/tokens', { name: 'wall', scope: 'viewer' })
    await one.ask('DELETE', '/_sandbox/spaces/removed')
    const names = async () =>
      (await one.ask('GET', '/_sandbox/tokens')).data.tokens.map(({ name }: AnyJson) => name)
    await expect.poll(names).toEqual(['wall'])
  })

  test('a removal that the database refuses leaves the space as it was', async () => {
    const store = cluster.url()
    const one = await openNode(store)
    await one.ask('POST', '/_sandbox/spaces', { name: 'x' })
    await refuse(store, 'update of expires_at')
    expect((await one.ask('DELETE', '/_sandbox/spaces/x')).code).toBe('SBX_STORE_FAIL')
    const answer = await fetch(`${one.url}/s/x/_sandbox/state`)
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'keep-alive'])
  })

  waiting('a removal does not wait for locked rows of the space, which are deleted later', async () => {
    const store = cluster.url()
    const one = await openNode(store)
    const { apiKey } = (await one.ask('POST', '/_sandbox/spaces', { name: 'x' })).data
    expect((await one.sell(apiKey)).code).toBe('0')
    const database = await Database.open(store)
    onTestFinished(() => database.close())
    const create = () => one.ask('POST', '/_sandbox/spaces', { name: 'x' })
    await whileLocked(database, "select from events where space = 'x' for update", async () => {
      expect((await one.ask('DELETE', '/_sandbox/spaces/x')).code).toBe('0')
      expect((await one.ask('GET', '/s/x/_sandbox/state')).code).toBe('SBX_SPACE_NONE')
      expect((await one.ask('GET', '/_sandbox/spaces')).data.spaces).toHaveLength(1)
      expect((await one.sell(apiKey)).code).toBe('SBX_KEY_UNKNOWN')
      expect((await create()).code).toBe('SBX_STORE_FAIL')
    })
    await expect.poll(() => cluster.ask(`select count(*) from ${schemaOf(store)}.spaces`)).toBe('1')
    expect((await create()).code).toBe('0')
    expect((await one.ask('GET', '/s/x/_sandbox/state')).data.transactions).toBe(0)
  })

  test('a space of many rows is removed completely, and a second create of a space is refused', async () => {
    const store = cluster.url()
    const one = await openNode(store)
    const { apiKey } = (await one.ask('POST', '/_sandbox/spaces', { name: 'x' })).data
    expect((await one.sell(apiKey)).code).toBe('0')
    await one.ask('PUT', '/s/x/_sandbox/snapshots/base', {})
    expect((await one.ask('POST', '/_sandbox/spaces', { name: 'x' })).code).toBe('SBX_SPACE_EXISTS')
    expect((await one.ask('GET', '/s/x/_sandbox/state')).data.transactions).toBe(1)
    const schema = schemaOf(store)
    expect(await cluster.ask(`select count(*) > 0 from ${schema}.events where space = 'x'`)).toBe('t')
    await cluster.ask(
      `insert into ${schema}.attempts (space, merchant_id, number, body)
        select 'x', 'm', n, '{}' from generate_series(1, 1100) as n`,
    )
    await one.ask('DELETE', '/_sandbox/spaces/x')
    for (const table of [
      'spaces where name',
      'events where space',
      'attempts where space',
      'snapshots where space',
    ])
      expect([table, await cluster.ask(`select count(*) from ${schema}.${table} = 'x'`)]).toEqual([
        table,
        '0',
      ])
  })

  test('a locked row of a space stops nothing, but that another node takes the space', async () => {
    const store = `${cluster.url()}&unavailable_after=0.3`
    const [one, two] = [await openNode(store), await openNode(store)]
    const { apiKey } = (await one.ask('POST', '/_sandbox/spaces', { name: 'x' })).data
    expect((await one.ask('GET', '/s/x/_sandbox/state')).code).toBe('0')
    const database = await Database.open(store)
    onTestFinished(() => database.close())
    await whileLocked(database, "select from spaces where name = 'x' for update", async () => {
      for (const { sell } of [one, two]) expect((await sell(apiKey)).code).toBe('0')
      await one.close()
      expect((await two.sell(apiKey)).code).toBe('SBX_STORE_FAIL')
      expect((await two.ask('GET', '/_sandbox/state')).code).toBe('0')
    })
    expect((await two.sell(apiKey)).code).toBe('0')
    expect((await two.ask('GET', '/s/x/_sandbox/state')).data.transactions).toBe(3)
  })

  test('a node that stops finishes its requests and gives its spaces back, which others serve at once', async () => {
    const store = `${cluster.url()}&unavailable_after=60` // so long the locked table is waited for
    const [one, two] = [await openNode(store), await openNode(store)]
    const names = Array.from({ length: 5 }, (_, number) => `ci-${number}`)
    const keys: string[] = []
    for (const name of names) keys.push((await one.ask('POST', '/_sandbox/spaces', { name })).data.apiKey)
    for (const name of names) expect((await one.ask('GET', `/s/${name}/_sandbox/state`)).code).toBe('0')
    const database = await Database.open(store)
    onTestFinished(() => database.close())
    let closing: Promise<void> | undefined
    let answers: Promise<AnyJson>[] = []
    await whileLocked(database, 'lock table events in share mode', async () => {
      answers = keys.map((key) => one.sell(key))
      const waiting = `select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query like '%insert into events%'`
      await expect.poll(() => cluster.ask(waiting)).toBe('1')
      await sleep(300) // all have arrived: one that has not is refused by the closed port
      closing = one.close()
      await sleep(100)
    })
    for (const answer of answers) expect(await answer).toMatchObject({ code: '0' })
    await closing
    const counts = `select count(owner_url), count(*) filter (where ${isHeldIn(schemaOf(store))}) from ${schemaOf(store)}.spaces where name <> 'default'`
    expect(await cluster.ask(counts)).toBe('0|0')
    for (const key of keys) expect(await two.sell(key)).toMatchObject({ code: '0' })
    for (const name of names)
      expect((await two.ask('GET', `/s/${name}/_sandbox/state`)).data.transactions).toBe(2)
  })

  waiting('a space whose time of waking cannot be written resumes its webhooks all the same', async () => {
    const store = cluster.url()
    let isUp = false
    const arrivals: string[] = []
    const receiver = createServer((incoming, outgoing) => {
      arrivals.push(incoming.url ?? '')
      outgoing.writeHead(isUp ? 200 : 500).end()
    })
    await once(receiver.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void receiver.close())
    const { port } = receiver.address() as AddressInfo
    const started = { retries: [2_000, 2_000, 2_000, 2_000] }
    const [one, other] = [await openNode(store, started), await openNode(store, started)]
    const { apiKey } = (await one.ask('POST', '/_sandbox/spaces', { name: 'x' })).data
    const body = sale(100, { notifyUrl: `http://127.0.0.1:${port}/hook` })
    expect((await one.ask('POST', salePath, body, apiHeaders(apiKey))).code).toBe('0')
    await expect.poll(() => arrivals.length, { timeout: 10_000 }).toBe(1)
    await refuse(store, 'update of wake_at', 'new.wake_at is not null')
    isUp = true
    await one.close()
    await expect.poll(() => arrivals.length, { timeout: 20_000 }).toBe(2)
    expect((await other.ask('GET', '/_sandbox/health')).code).toBe('0')
  })

  test('a new API key leads to its space at every node as soon as it is acknowledged', async () => {
    const store = cluster.url()
    const [one, two] = [await openNode(store), await openNode(store)]
    await one.ask('POST', '/_sandbox/spaces', { name: 'x' })
    await refuse(store, 'update of keys', 'old.settings::text is not distinct from new.settings::text')
    const { apiKey } = (await one.ask('POST', '/s/x/_sandbox/keys/regenerate', {})).data
    for (const { sell } of [one, two]) expect(await sell(apiKey)).toMatchObject({ code: '0' })
    expect((await two.ask('GET', '/s/x/_sandbox/state')).data.transactions).toBe(2)
  })

  test('an imported key leads to its space at once, also at a node that has just refused it', async () => {
    const store = cluster.url()
    const [one, two, other] = [await openNode(store), await openNode(store), await openNode(cluster.url())]
    await one.ask('POST', '/_sandbox/spaces', { name: 'x' })
    const { apiKey } = (await other.ask('POST', '/_sandbox/keys/regenerate', {})).data
    const file = await (await fetch(`${other.url}/_sandbox/export?secrets=true`)).arrayBuffer()
    expect((await two.sell(apiKey)).code).toBe('SBX_KEY_UNKNOWN')
    const imported = await fetch(`${one.url}/s/x/_sandbox/import`, { method: 'POST', body: file })
    expect(await imported.json()).toMatchObject({ code: '0' })
    expect(await two.sell(apiKey)).toMatchObject({ code: '0' })
    expect((await two.ask('GET', '/s/x/_sandbox/state')).data.transactions).toBe(1)
  })

  test('forwarding resumes after an outage of the database, and a space that is lost is served again', async () => {
    const store = `${cluster.url()}&unavailable_after=0.3`
    const receiver = await openReceiver()
    const one = await openNode(store, { forwardTo: receiver.url })
    const { apiKey } = (await one.ask('POST', '/_sandbox/spaces', { name: 'x' })).data
    expect((await one.sell(apiKey, '/s/x')).code).toBe('0')
    const underWay = Array.from({ length: 40 }, async (_, index) => {
      await sleep(index * 10)
      return one.sell(apiKey, '/s/x').catch(() => undefined) // it may have no answer
    })
    await sleep(150)
    await cluster.stop('immediate')
    await Promise.all(underWay)
    await sleep(500)
    await cluster.start()
    await expect.poll(async () => (await one.sell(apiKey, '/s/x')).code).toBe('0')
    const { data } = await one.sell(apiKey, '/s/x')
    const notifiedIds = () => receiver.arrivals.map(({ json }) => json.transactionId)
    await expect.poll(notifiedIds).toContain(data.transactionId)
    await cluster.ask(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'tillbox %-owner'",
    )
    await expect.poll(async () => (await one.sell(apiKey, '/s/x')).code).toBe('0')
  })
})
