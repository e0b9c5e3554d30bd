import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { operations } from '../../src/contract/operations.ts'
import { type Cluster, skipsPostgres, startCluster } from '../support/cluster/postgres.ts'
import { times } from '../support/runner/counts.ts'
import { newId } from '../support/service/new-id.ts'
import { salePath } from '../support/service/requests.ts'
import { openReceiver } from '../support/webhooks/webhook-receiver.ts'
import { type ClusterNode, Nodes } from './nodes.ts'

const done = /^(0|SBX_DUP_TXN_ID)$/

/** A space of its own at three nodes: the first one serves it. In place of nodes that a test has ended, others are started. */
async function shareSpace(nodes: Nodes) {
  await nodes.startThree()
  for (const node of nodes.all) // the database may have been away
    await expect.poll(async () => (await node.ask('GET', '/_sandbox/spaces'))?.code).toBe('0')
  const name = `ci-${randomUUID().slice(0, 8)}`
  const path = `/s/${name}`
  const headers = { Authorization: `Bearer ${await nodes.createSpace(name)}` }
  const owner = await nodes.ownerOf(name)
  const three = [owner, ...nodes.all.filter((node) => node !== owner)] as [
    ClusterNode,
    ClusterNode,
    ClusterNode,
  ]
  const sell = (node: ClusterNode, transactionRequestId = newId(), more = {}) => {
    const referenceOrderId = `ORDER-${transactionRequestId}`
    const members = { transactionRequestId, referenceOrderId, amount: 1000, priceCurrency: 'USD', ...more }
    return node.ask('POST', path + salePath, members, headers)
  }
  /** The sale with that transactionRequestId, as a node knows it. */
  const find = (node: ClusterNode, id: string) =>
    node.ask('GET', `${path}${operations.query.path}?transactionRequestId=${id}`, undefined, headers)
  return { name, path, three, sell, find }
}

/** An event stream that comes back by itself, as EventSource does, and keeps what it was sent. */
function follow({ url }: ClusterNode, path: string) {
  const seen: string[] = []
  let [opened, isOver] = [0, false]
  let current: ReturnType<typeof get> | undefined
  const read = async () => {
    current = get(`${url}${path}`, { agent: false, headers: { Accept: 'text/event-stream' } })
    const [answer] = (await once(current, 'response')) as [IncomingMessage]
    if (answer.statusCode === 200) opened += 1
    for await (const chunk of answer.setEncoding('utf8')) seen.push(chunk)
  }
  const ended = (async () => {
    for (; !isOver; await sleep(100)) await read().catch(() => undefined) // it was cut: it comes back
  })()
  onTestFinished(async () => {
    isOver = true
    current?.destroy()
    await ended
  })
  return { seen, opened: () => opened }
}

describe.skipIf(skipsPostgres())('three nodes of one database', () => {
  const ends: (() => Promise<void>)[] = []
  let cluster: Cluster
  let nodes: Nodes
  beforeAll(async () => {
    cluster = await startCluster()
    nodes = new Nodes(cluster, { atEnd: (end) => void ends.unshift(end), settings: '&unavailable_after=1' })
  })
  afterAll(async () => {
    for (const end of ends) await end()
    await cluster.remove()
  })

  /** The database is away until `work` is over. */
  const whileAway = async (work: () => Promise<void>) => {
    await cluster.stop('immediate')
    await work().finally(() => cluster.start())
  }

  test('the same sale sent to all nodes at once makes one transaction, which every answer names', async () => {
    const { path, three, sell, find } = await shareSpace(nodes)
    const rounds = times(50, 1_000)
    for (let round = 0; round < rounds; round += 1) {
      const id = newId()
      const answers = await Promise.all(three.map((node) => sell(node, id)))
      expect(answers.map((answer) => answer?.code).sort()).toEqual(['0', 'SBX_DUP_TXN_ID', 'SBX_DUP_TXN_ID'])
      const transactionId = answers.find((answer) => answer?.code === '0')?.data.transactionId
      for (const answer of answers) if (answer?.code !== '0') expect(answer?.detail).toContain(transactionId)
      const found = await Promise.all(three.map((node) => find(node, id)))
      expect(found.map((answer) => answer?.data.transactionId)).toEqual(Array(3).fill(transactionId))
    }
    for (const { ask } of three)
      expect((await ask('GET', `${path}/_sandbox/state`))?.data.transactions).toBe(rounds)
  })

  test('an outage of the database gets 503 from every node and page, and all goes on after it', async () => {
    const { path, three, sell, find } = await shareSpace(nodes)
    const [before, during] = [newId(), three.map(() => newId())]
    expect((await sell(three[1], before))?.code).toBe('0')
    await whileAway(async () => {
      const refused = { status: 503, code: 'SBX_STORE_FAIL', retryAfter: '1' }
      for (const [index, node] of three.entries()) {
        expect(await sell(node, during[index])).toMatchObject({
          ...refused,
          detail: expect.stringMatching(/does not answer|the connection|the session/),
          remedy: expect.stringMatching(/^Send the request again with the same ids/),
        })
        expect(await find(node, before)).toMatchObject({
          ...refused,
          msg: expect.stringContaining('cannot read its state'),
          remedy: 'Ask again in a second: a look-up changes nothing',
        })
        const page = async () => {
          const answer = await fetch(`${node.url}${path}/`, { headers: { Accept: 'text/html' } })
          return [answer.status, answer.headers.get('retry-after'), await answer.text()]
        }
        await expect.poll(page).toEqual([503, '1', expect.stringMatching(/does not answer/)])
      }
    })
    for (const [index, node] of three.entries()) {
      await expect.poll(async () => (await find(node, before))?.code).toBe('0')
      await expect.poll(async () => (await sell(node, during[index]))?.code).toMatch(done)
      const stderr = () => node.output().stderr
      await expect.poll(stderr).toMatch(/the database \S+ answers again, after /)
      for (const line of stderr().match(/^.*does not answer.*$/gm) ?? [])
        expect(line).toMatch(
          /^! the database .*\. (Requests are refused with 503 until it does|It has not for .*)$/,
        )
    }
  })

  test('a page of a space that no node can serve says so and reloads itself', async () => {
    const { path, three } = await shareSpace(nodes)
    const [owner, other] = three
    const ask = async (method: string) => {
      const headers = { Accept: 'text/html', Origin: other.url }
      const answer = await fetch(`${other.url}${path}/`, { method, headers })
      const shown = ['retry-after', 'refresh', 'content-type'].map((name) => answer.headers.get(name))
      const policy = answer.headers.get('content-security-policy')
      return { facts: [answer.status, ...shown], text: await answer.text(), policy }
    }
    await whileAway(async () => {
      await owner.kill()
      const [looked, sent] = await Promise.all([ask('GET'), ask('POST')])
      expect(looked.facts).toEqual([503, '1', '1', 'text/html; charset=utf-8'])
      expect(looked.text).toContain('This space does not answer at the moment')
      const [, style = ''] = /<style>(.*)<\/style>/s.exec(looked.text) ?? []
      expect(looked.policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`)
      expect(sent.facts).toEqual([503, '1', null, 'text/html; charset=utf-8'])
      expect(sent.text).toContain('check whether it was done')
      const msg = expect.stringContaining('cannot read its state')
      const control = await other.ask('GET', `${path}/_sandbox/state`)
      expect(control).toMatchObject({ status: 503, code: 'SBX_STORE_FAIL', msg })
    })
    await expect.poll(async () => (await ask('GET')).facts[0]).toBe(200)
  })

  test('a node that slept answers and writes nothing from its old state, and ends its streams', async () => {
    const { name, path, three, sell, find } = await shareSpace(nodes)
    const [old, other] = three
    const receiver = await openReceiver()
    const stream = follow(old, `${path}/_sandbox/events`)
    await expect.poll(() => stream.opened()).toBe(1)
    const [id, sentAsleep, after] = [newId(), newId('asleep'), newId()]
    expect((await sell(old))?.code).toBe('0')
    old.pause()
    const asleep = [find(old, id), sell(old, sentAsleep)] // in its socket while it sleeps
    const taken = async () => (await sell(other, id, { notifyUrl: receiver.url }))?.code
    await expect.poll(taken).toMatch(done)
    expect(await nodes.ownerOf(name)).not.toBe(old)
    old.wake()
    const [looked, sold] = await Promise.all(asleep)
    expect(looked?.code).toBe('0')
    const found = async (sought: string) =>
      new Set(await Promise.all(three.map(async (node) => (await find(node, sought))?.data?.transactionId)))
    if (sold?.code === '0') expect(await found(sentAsleep)).toEqual(new Set([sold.data.transactionId]))
    expect(await found(id)).toEqual(new Set([looked?.data.transactionId]))
    await expect.poll(() => stream.opened()).toBeGreaterThan(1)
    await receiver.got(1)
    expect((await sell(old, after))?.code).toBe('0')
    expect((await find(other, after))?.code).toBe('0')
  })

  test('streams at one node show events of others, and come back when the node that serves the space dies', async () => {
    const { path, three, sell } = await shareSpace(nodes)
    const [owner, there, other] = three
    const terminal = `${path}/_sandbox/terminals/TBX-ATTENDED-001`
    const streams = [follow(there, `${terminal}/events`), follow(there, `${path}/live`)] as const
    await expect.poll(() => streams.map(({ opened }) => opened())).toEqual([1, 1])
    const sellAttended = async (): Promise<string> =>
      (await sell(other, newId(), { terminalSn: 'TBX-ATTENDED-001' }))?.data.transactionId
    const shows = async (stream: ReturnType<typeof follow>, transactionId: string, from = 0) =>
      expect.poll(() => stream.seen.slice(from).join('')).toContain(transactionId)
    const first = await sellAttended()
    for (const stream of streams) await shows(stream, first)
    const [screenBefore, pageBefore] = streams.map(({ seen }) => seen.length)
    await owner.kill()
    await shows(streams[0], first, screenBefore)
    await expect.poll(() => streams[1].opened()).toBeGreaterThan(1)
    expect((await other.ask('POST', `${terminal}/cancel`, {}))?.code).toBe('0')
    const second = await sellAttended()
    await shows(streams[0], second)
    await shows(streams[1], second, pageBefore)
  })

  test('a node that stops in order waits for the answer to a request that it forwarded', async () => {
    const { three, sell } = await shareSpace(nodes)
    const [owner, there] = three
    expect((await sell(there))?.code).toBe('0')
    owner.pause()
    const forwarded = sell(there)
    await sleep(200) // it is under way
    const stopped = there.stop()
    await sleep(200)
    owner.wake()
    expect((await forwarded)?.code).toBe('0')
    await stopped
  })

  test('a node starts while the node that serves the first space sleeps', async () => {
    const { three } = await shareSpace(nodes)
    const owner = (await nodes.ownerOf('default')) ?? three[0]
    owner.pause()
    const started = await nodes.start()
    expect((await started.ask('GET', '/_sandbox/health'))?.code).toBe('0')
    owner.wake()
    expect((await owner.ask('GET', '/_sandbox/health'))?.code).toBe('0')
  })

  test('each node reports its own id, and stops by its state folder during an outage of the database', async () => {
    const all = (await shareSpace(nodes)).three.slice(1) // the last test: they are stopped
    const folderOf = ({ cwd }: ClusterNode) => join(cwd, '.tillbox')
    for (const node of all) {
      const { id } = JSON.parse(readFileSync(join(folderOf(node), 'lock.json'), 'utf8'))
      const { pid, ask } = node
      expect((await ask('GET', '/_sandbox/health'))?.data).toMatchObject({ id, pid })
      expect((await ask('GET', '/_sandbox/connection'))?.data).toMatchObject({ id, pid, runs: 'foreground' })
    }
    await whileAway(async () => {
      for (const node of all) {
        const state = ['--state', folderOf(node)]
        const listed = await node.run(['space', 'list', ...state])
        expect([listed.code, listed.stderr]).toEqual([3, expect.stringContaining('does not answer')])
        const { stdout, stderr } = await node.run(['sandbox', 'stop', ...state])
        const said = expect.stringContaining(`Stopped the sandbox at ${node.url}`)
        expect([stderr, stdout]).toEqual(['', said])
      }
    })
  })
})
