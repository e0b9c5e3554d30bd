import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type ClusterNode, Nodes } from '../support/cluster/nodes.ts'
import { type Cluster, skipsPostgres, startCluster } from '../support/cluster/postgres.ts'
import { runCommand } from '../support/commands/command.ts'
import { times } from '../support/runner/counts.ts'
import { newId } from '../support/service/new-id.ts'
import { salePath } from '../support/service/requests.ts'
import { openReceiver } from '../support/webhooks/webhook-receiver.ts'

/** The state folder of a node: that of its working folder. */
const folderOf = ({ cwd }: { readonly cwd: string }): string => join(cwd, '.tillbox')

/** A space of its own at three nodes: the first one serves it. */
interface SharedSpace {
  readonly name: string
  readonly path: string
  readonly three: readonly [ClusterNode, ClusterNode, ClusterNode]
  sell(node: ClusterNode, transactionRequestId?: string, more?: object): ReturnType<ClusterNode['ask']>
  /** The sale with that transactionRequestId, as a node knows it. */
  find(node: ClusterNode, transactionRequestId: string): ReturnType<ClusterNode['ask']>
}

/** Nodes that the tests share; in place of those that a test has ended, others are started. */
async function shareSpace(nodes: Nodes): Promise<SharedSpace> {
  await nodes.startMany(Math.max(0, 3 - nodes.all.length))
  for (const node of nodes.all) // the database may have been away
    await expect.poll(async () => (await node.ask({ path: '/_sandbox/spaces' }))?.code).toBe('0')
  const name = `ci-${randomUUID().slice(0, 8)}`
  const path = `/s/${name}`
  const apiKey = await nodes.createSpace(name)
  const owner = await nodes.ownerOf(name)
  const [two, three] = nodes.all.filter((node) => node !== owner)
  if (owner === undefined || two === undefined || three === undefined) throw new Error('a node is missing')
  return {
    name,
    path,
    three: [owner, two, three],
    sell: (node, transactionRequestId = newId(), more = {}) => {
      const referenceOrderId = `ORDER-${transactionRequestId}`
      const members = { transactionRequestId, referenceOrderId, amount: 1000, priceCurrency: 'USD', ...more }
      return node.ask({ method: 'POST', path: `${path}${salePath}`, members, apiKey })
    },
    find: (node, transactionRequestId) =>
      node.ask({ path: `${path}/v1/transaction/query?transactionRequestId=${transactionRequestId}`, apiKey }),
  }
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
  const done = (async () => {
    for (; !isOver; await sleep(100)) await read().catch(() => undefined) // it was cut: it comes back
  })()
  onTestFinished(async () => {
    isOver = true
    current?.destroy()
    await done
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

  test('the same request to all nodes at once makes one transaction, which every answer names', async () => {
    const { three, sell, find } = await shareSpace(nodes)
    for (let round = 0; round < times(8, 1_000); round += 1) {
      const id = newId()
      const answers = await Promise.all(three.map((node) => sell(node, id)))
      const codes = answers.map((answer) => answer?.code).sort()
      expect(codes).toEqual(['0', 'SBX_DUP_TXN_ID', 'SBX_DUP_TXN_ID'])
      const transactionId = answers.find((answer) => answer?.code === '0')?.data.transactionId
      for (const answer of answers.filter((each) => each?.code !== '0'))
        expect(answer?.detail).toContain(transactionId)
      const found = await Promise.all(three.map((node) => find(node, id)))
      expect(found.map((answer) => answer?.data.transactionId)).toEqual(three.map(() => transactionId))
    }
  })

  test('an outage of the database gets 503 from every node and page, and all goes on after it', async () => {
    const { path, three, sell, find } = await shareSpace(nodes)
    const [before, during] = [newId(), three.map(() => newId())]
    expect((await sell(three[1], before))?.code).toBe('0')
    await cluster.stop('immediate')
    try {
      const refused = await Promise.all(three.map((node, index) => sell(node, during[index])))
      for (const answer of refused) {
        expect(answer).toMatchObject({ status: 503, code: 'SBX_STORE_FAIL', retryAfter: '1' })
        expect(answer?.detail).toMatch(/does not answer|the connection|the session/)
        expect(answer?.remedy).toMatch(/^Send the request again with the same ids/)
      }
      const lookups = await Promise.all(three.map((node) => find(node, before)))
      expect(lookups.map((answer) => answer?.status)).toEqual([503, 503, 503])
      for (const answer of lookups) {
        expect(answer?.msg).toBe('The sandbox cannot read its state at the moment, so there is no answer')
        expect(answer?.remedy).toBe('Ask again in a second: a look-up changes nothing')
      }
      for (const { url } of three)
        await expect
          .poll(async () => {
            const answer = await fetch(`${url}${path}/`, { headers: { Accept: 'text/html' } })
            return [answer.status, answer.headers.get('retry-after'), await answer.text()]
          })
          .toEqual([503, '1', expect.stringMatching(/does not answer/)])
    } finally {
      await cluster.start()
    }
    for (const [index, node] of three.entries()) {
      await expect.poll(async () => (await find(node, before))?.code).toBe('0')
      await expect.poll(async () => (await sell(node, during[index]))?.code).toMatch(/^(0|SBX_DUP_TXN_ID)$/)
      const stderr = () => node.running.output().stderr
      await expect.poll(stderr).toMatch(/the database \S+ answers again, after /)
      for (const line of stderr()
        .split('\n')
        .filter((each) => each.includes('does not answer')))
        expect(line).toMatch(
          /^! the database .*\. (Requests are refused with 503 until it does|It has not for .*)$/,
        )
    }
  })

  test('a page of a space that no node can serve says so and reloads itself', async () => {
    const { path, three } = await shareSpace(nodes)
    const [owner, other] = three
    const page = `${other.url}${path}/`
    const ask = async (method: string) => {
      const answer = await fetch(page, { method, headers: { Accept: 'text/html', Origin: other.url } })
      const headers = ['retry-after', 'refresh', 'content-type'].map((name) => answer.headers.get(name))
      return {
        facts: [answer.status, ...headers],
        text: await answer.text(),
        policy: answer.headers.get('content-security-policy'),
      }
    }
    await cluster.stop('immediate')
    await owner.kill()
    try {
      const [looked, sent] = await Promise.all([ask('GET'), ask('POST')])
      expect(looked.facts).toEqual([503, '1', '1', 'text/html; charset=utf-8'])
      expect(looked.text).toContain('This space does not answer at the moment')
      const [, style = ''] = /<style>(.*)<\/style>/s.exec(looked.text) ?? []
      expect(looked.policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`)
      expect(sent.facts).toEqual([503, '1', null, 'text/html; charset=utf-8'])
      expect(sent.text).toContain('check whether it was done')
      const control = await other.ask({ path: `${path}/_sandbox/state` })
      expect([control?.status, control?.code]).toEqual([503, 'SBX_STORE_FAIL'])
      expect(control?.msg).toContain('cannot read its state')
    } finally {
      await cluster.start()
    }
    await expect.poll(async () => (await ask('GET')).facts[0]).toBe(200)
  })

  test('a node that slept answers and writes nothing from its old state, and ends its streams', async () => {
    const { name, path, three, sell, find } = await shareSpace(nodes)
    const [old, other] = three
    const receiver = await openReceiver()
    const stream = follow(old, `${path}/_sandbox/events`)
    await expect.poll(() => stream.opened()).toBe(1)
    const id = newId()
    expect((await sell(old))?.code).toBe('0')
    old.pause()
    const sentAsleep = newId('asleep')
    const asleep = [find(old, id), sell(old, sentAsleep)] // in its socket while it sleeps
    await expect
      .poll(async () => (await sell(other, id, { notifyUrl: receiver.url }))?.code)
      .toMatch(/^(0|SBX_DUP_TXN_ID)$/)
    expect(await nodes.ownerOf(name)).not.toBe(old)
    old.wake()
    const [looked, sold] = await Promise.all(asleep)
    expect(looked?.code).toBe('0')
    const acknowledged = sold?.code === '0' ? [sold.data.transactionId] : []
    const found = await Promise.all(three.map((node) => find(node, sentAsleep)))
    for (const answer of found)
      expect([answer?.data?.transactionId]).toEqual(expect.arrayContaining(acknowledged))
    const known = await Promise.all(three.map(async (node) => (await find(node, id))?.data.transactionId))
    expect(new Set(known).size).toBe(1)
    await expect.poll(() => stream.opened()).toBeGreaterThan(1)
    await receiver.got(1)
    const after = newId()
    expect((await sell(old, after))?.code).toBe('0')
    expect((await find(other, after))?.code).toBe('0')
  })

  test('streams at one node show events of others, and come back when the node that serves the space dies', async () => {
    const { path, three, sell } = await shareSpace(nodes)
    const [owner, there, other] = three
    const screen = follow(there, `${path}/_sandbox/terminals/TBX-ATTENDED-001/events`)
    const page = follow(there, `${path}/live`)
    await expect.poll(() => [screen.seen.length > 0, page.opened()]).toEqual([true, 1])
    const attended = { terminalSn: 'TBX-ATTENDED-001' }
    const first = await sell(other, newId(), attended)
    const firstId = first?.data.transactionId as string
    await expect.poll(() => screen.seen.join('')).toContain(firstId)
    await expect.poll(() => page.seen.join('')).toContain(firstId)
    const seenBefore = [screen.seen.length, page.seen.length] as const
    await owner.kill()
    await expect.poll(() => screen.seen.slice(seenBefore[0]).join('')).toContain(firstId)
    await expect.poll(() => page.opened()).toBeGreaterThan(1)
    const cancel = { method: 'POST', path: `${path}/_sandbox/terminals/TBX-ATTENDED-001/cancel`, members: {} }
    expect((await other.ask(cancel))?.code).toBe('0')
    const second = await sell(other, newId(), attended)
    const secondId = second?.data.transactionId as string
    await expect.poll(() => screen.seen.join('')).toContain(secondId)
    await expect.poll(() => page.seen.slice(seenBefore[1]).join('')).toContain(secondId)
  })

  test('a node that stops in order waits for the answer to a request that it forwarded', async () => {
    const { three, sell } = await shareSpace(nodes)
    const [owner, there] = three
    for (let round = 0; round < 3; round += 1) expect((await sell(there))?.code).toBe('0')
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
    expect((await started.ask({ path: '/_sandbox/health' }))?.code).toBe('0')
    owner.wake()
    expect((await owner.ask({ path: '/_sandbox/health' }))?.code).toBe('0')
  })

  test('each node reports its own id, and stops by its state folder during an outage of the database', async () => {
    const all = (await shareSpace(nodes)).three.slice(1) // the last test: they are stopped
    for (const { running, pid, ask } of all) {
      const lock = JSON.parse(readFileSync(join(folderOf(running), 'lock.json'), 'utf8'))
      const [health, connection] = [
        await ask({ path: '/_sandbox/health' }),
        await ask({ path: '/_sandbox/connection' }),
      ]
      expect([health?.data.id, health?.data.pid]).toEqual([lock.id, pid])
      expect([connection?.data.id, connection?.data.pid, connection?.data.runs]).toEqual([
        lock.id,
        pid,
        'foreground',
      ])
    }
    await cluster.stop('immediate')
    try {
      for (const { running, url } of all) {
        const state = ['--state', folderOf(running)]
        const listed = await runCommand(['space', 'list', ...state])
        expect([listed.code, listed.stderr]).toEqual([3, expect.stringContaining('does not answer')])
        const stopped = await runCommand(['sandbox', 'stop', ...state])
        expect([stopped.stderr, stopped.stdout]).toEqual([
          '',
          expect.stringContaining(`Stopped the sandbox at ${url}`),
        ])
      }
    } finally {
      await cluster.start()
    }
  })
})
