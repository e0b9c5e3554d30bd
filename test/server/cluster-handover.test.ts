import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnyJson } from '../support/any-json.ts'
import { openNode, openTwo } from '../support/cluster/cluster-node.ts'
import {
  type Cluster,
  schemaOf,
  skipsPostgres,
  startCluster,
  whileLocked,
} from '../support/cluster/postgres.ts'
import { sideBySide } from '../support/runner/side-by-side.ts'
import { openSocket } from '../support/service/raw.ts'
import { salePath } from '../support/service/requests.ts'
import { apiHeaders, sale } from '../support/service/service.ts'
import { openReceiver } from '../support/webhooks/webhook-receiver.ts'
import { isHeldIn } from './nodes.ts'

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
    const nodes = await openTwo(cluster.url())
    const apiKey = await nodes[0].createSpace('ci-1')
    for (const { url } of nodes) {
      const body = JSON.stringify(sale(100))
      const { socket, received } = openSocket(Number(new URL(url).port))
      const headers = Object.entries({ Host: '127.0.0.1', ...apiHeaders(apiKey) })
      socket.write(
        `POST /s/ci-1${salePath} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}` +
          `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
      )
      await expect.poll(() => received.text).toContain('"code":"0"')
    }
  })

  test('a removed space is gone at every node, and one of the same name refuses its key', async () => {
    const [one, two] = await openTwo(cluster.url())
    const old = await one.createSpace('x')
    expect((await two.sell(old)).code).toBe('0')
    await one.ask('DELETE', '/_sandbox/spaces/x')
    for (const { ask, sell } of [one, two]) {
      await expect.poll(async () => (await sell(old)).code).toBe('SBX_KEY_UNKNOWN')
      const look = () => ask('GET', '/s/x/_sandbox/state')
      await expect.poll(look).toMatchObject({ httpStatus: 404, code: 'SBX_SPACE_NONE' })
    }
    const make = async () => (await two.ask('POST', '/_sandbox/spaces', { name: 'x' })).code
    await expect.poll(make).toBe('0') // once the node that served it has given it back
    const fresh = (await two.ask('GET', '/s/x/_sandbox/connection')).data.apiKey
    expect((await one.sell(old, '/s/x')).code).toBe('SBX_KEY_UNKNOWN')
    for (const { sell } of [one, two]) expect((await sell(fresh)).code).toBe('0')
    expect(await two.count('/s/x')).toBe(2)
  })

  waiting('the tokens of a space are removed with it, by a command and when its time is over', async () => {
    const { ask } = await openNode(cluster.url())
    for (const [name, ttlMs] of [
      ['removed', 600_000],
      ['over', 1_000],
    ] as const) {
      await ask('POST', '/_sandbox/spaces', { name, ttlMs })
      await ask('POST', '/_sandbox/tokens', { name, scope: 'viewer', space: name })
    }
    await ask('POST', '/_sandbox/tokens', { name: 'wall', scope: 'viewer' })
    await ask('DELETE', '/_sandbox/spaces/removed')
    const names = async () =>
      (await ask('GET', '/_sandbox/tokens')).data.tokens.map(({ name }: AnyJson) => name)
    await expect.poll(names).toEqual(['wall'])
  })

  test('a removal that the database refuses leaves the space as it was', async () => {
    const store = cluster.url()
    const { url, ask, createSpace } = await openNode(store)
    await createSpace('x')
    await refuse(store, 'update of expires_at')
    expect((await ask('DELETE', '/_sandbox/spaces/x')).code).toBe('SBX_STORE_FAIL')
    const answer = await fetch(`${url}/s/x/_sandbox/state`)
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'keep-alive'])
  })

  waiting(
    'a removal does not wait for locked rows, which are deleted later with all others of the space',
    async () => {
      const store = cluster.url()
      const schema = schemaOf(store)
      const { ask, sell, count, createSpace } = await openNode(store)
      const apiKey = await createSpace('x')
      expect((await sell(apiKey)).code).toBe('0')
      await ask('PUT', '/s/x/_sandbox/snapshots/base', {})
      await cluster.ask(
        `insert into ${schema}.attempts (space, merchant_id, number, body)
        select 'x', 'm', n, '{}' from generate_series(1, 1100) as n`,
      )
      const tables = ['events', 'attempts', 'snapshots'].map(
        (table) => `(select count(*) from ${schema}.${table} where space = 'x')`,
      )
      const rows = () => cluster.ask(`select count(*), ${tables} from ${schema}.spaces where name = 'x'`)
      expect(await rows()).toMatch(/^1\|[1-9]\d*\|1100\|1$/)
      const create = () => ask('POST', '/_sandbox/spaces', { name: 'x' })
      expect((await create()).code).toBe('SBX_SPACE_EXISTS')
      await whileLocked(store, "select from events where space = 'x' for update", async () => {
        expect((await ask('DELETE', '/_sandbox/spaces/x')).code).toBe('0')
        expect((await ask('GET', '/s/x/_sandbox/state')).code).toBe('SBX_SPACE_NONE')
        expect((await ask('GET', '/_sandbox/spaces')).data.spaces).toHaveLength(1)
        expect((await sell(apiKey)).code).toBe('SBX_KEY_UNKNOWN')
        expect((await create()).code).toMatch(/^SBX_(STORE_FAIL|SPACE_EXISTS)$/) // whether a deletion waits just now
      })
      await expect.poll(rows).toBe('0|0|0|0')
      expect((await create()).code).toBe('0')
      expect(await count('/s/x')).toBe(0)
    },
  )

  test('a locked row of a space stops nothing, but that another node takes the space', async () => {
    const store = `${cluster.url()}&unavailable_after=1` // so long the locked row is waited for
    const [one, two] = await openTwo(store)
    const apiKey = await one.createSpace('x')
    expect(await one.count('/s/x')).toBe(0)
    await whileLocked(store, "select from spaces where name = 'x' for update", async () => {
      for (const { sell } of [one, two]) expect((await sell(apiKey)).code).toBe('0')
      await one.close()
      expect((await two.sell(apiKey)).code).toBe('SBX_STORE_FAIL')
      expect(await two.count()).toBe(0)
    })
    expect((await two.sell(apiKey)).code).toBe('0')
    expect(await two.count('/s/x')).toBe(3)
  })

  test('a node that stops finishes its requests and gives its spaces back, which others serve at once', async () => {
    const store = `${cluster.url()}&unavailable_after=60` // so long the locked table is waited for
    const [one, two] = await openTwo(store)
    const keys = new Map<string, string>()
    for (let number = 0; number < 5; number += 1) {
      keys.set(`/s/ci-${number}`, await one.createSpace(`ci-${number}`))
      expect(await one.count(`/s/ci-${number}`)).toBe(0)
    }
    let closing: Promise<void> | undefined
    let answers: Promise<AnyJson>[] = []
    await whileLocked(store, 'lock table events in share mode', async () => {
      answers = [...keys.values()].map((key) => one.sell(key))
      const waiting = `select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query like '%insert into events%'`
      await expect.poll(() => cluster.ask(waiting)).toBe('1')
      await sleep(300) // all have arrived: one that has not is refused by the closed port
      closing = one.close()
      await sleep(100)
    })
    for (const answer of answers) expect(await answer).toMatchObject({ code: '0' })
    await closing
    const schema = schemaOf(store)
    const counts = `select count(owner_url), count(*) filter (where ${isHeldIn(schema)}) from ${schema}.spaces where name <> 'default'`
    expect(await cluster.ask(counts)).toBe('0|0')
    for (const [base, key] of keys) {
      expect(await two.sell(key)).toMatchObject({ code: '0' })
      expect(await two.count(base)).toBe(2)
    }
  })

  waiting('a space whose time of waking cannot be written resumes its webhooks all the same', async () => {
    const store = cluster.url()
    const { url: notifyUrl, arrivals, answer } = await openReceiver(500)
    const [one, other] = await openTwo(store, { retries: [2_000, 2_000, 2_000, 2_000] })
    expect((await one.sell(await one.createSpace('x'), '', { notifyUrl })).code).toBe('0')
    await expect.poll(() => arrivals.length, { timeout: 10_000 }).toBe(1)
    await refuse(store, 'update of wake_at', 'new.wake_at is not null')
    answer(200)
    await one.close()
    await expect.poll(() => arrivals.length, { timeout: 20_000 }).toBe(2)
    expect((await other.ask('GET', '/_sandbox/health')).code).toBe('0')
  })

  test('a new API key leads to its space at every node as soon as it is acknowledged', async () => {
    const store = cluster.url()
    const [one, two] = await openTwo(store)
    await one.createSpace('x')
    await refuse(store, 'update of keys', 'old.settings::text is not distinct from new.settings::text')
    const { apiKey } = (await one.ask('POST', '/s/x/_sandbox/keys/regenerate', {})).data
    for (const { sell } of [one, two]) expect(await sell(apiKey)).toMatchObject({ code: '0' })
    expect(await two.count('/s/x')).toBe(2)
  })

  test('an imported key leads to its space at once, also at a node that has just refused it', async () => {
    const [one, two] = await openTwo(cluster.url())
    const other = await openNode(cluster.url())
    await one.createSpace('x')
    const { apiKey } = (await other.ask('POST', '/_sandbox/keys/regenerate', {})).data
    const file = await (await fetch(`${other.url}/_sandbox/export?secrets=true`)).arrayBuffer()
    expect((await two.sell(apiKey)).code).toBe('SBX_KEY_UNKNOWN')
    const imported = await fetch(`${one.url}/s/x/_sandbox/import`, { method: 'POST', body: file })
    expect(await imported.json()).toMatchObject({ code: '0' })
    expect(await two.sell(apiKey)).toMatchObject({ code: '0' })
    expect(await two.count('/s/x')).toBe(1)
  })

  test('forwarding to --forward-to resumes after an outage of the database', async () => {
    const receiver = await openReceiver()
    const store = `${cluster.url()}&unavailable_after=1`
    const { sell, createSpace } = await openNode(store, { forwardTo: receiver.url })
    const apiKey = await createSpace('x')
    expect((await sell(apiKey)).code).toBe('0')
    const underWay = Array.from({ length: 40 }, async (_, index) => {
      await sleep(index * 10)
      return sell(apiKey).catch(() => undefined) // it may have no answer
    })
    await sleep(150)
    await cluster.stop('immediate')
    await Promise.all(underWay)
    await sleep(500)
    await cluster.start()
    await expect.poll(async () => (await sell(apiKey)).code).toBe('0')
    const { data } = await sell(apiKey)
    const notifiedIds = () => receiver.arrivals.map(({ json }) => json.transactionId)
    await expect.poll(notifiedIds).toContain(data.transactionId)
  })
})
