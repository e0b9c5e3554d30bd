import type { RequestListener } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { NodeSeal } from '../../src/sandbox/http/node-to-node.ts'
import type { ReceivedRequest } from '../../src/sandbox/http/received-request.ts'
import { type NodeForwardResult, RequestForwarder } from '../../src/server/cluster/request-forwarder.ts'
import { foreignServer } from '../support/network/foreign.ts'
import { deadUrl } from '../support/network/ports.ts'

const seal = new NodeSeal('a secret of the database', Date.now)

/** Another node of the database: it proves itself before it answers. */
async function otherNode(answer: RequestListener): Promise<string> {
  const base = await foreignServer(async (incoming, outgoing) => {
    expect(await seal.open(incoming, outgoing, base)).toBe(true)
    answer(incoming, outgoing)
  })
  return base
}

/** A node that sends everything on to another one, and keeps what became of it. */
async function nodeBefore(to: string, ready = async () => {}) {
  const results: NodeForwardResult[] = []
  const forwarder = new RequestForwarder()
  onTestFinished(() => forwarder.close())
  const base = await foreignServer(async (incoming, outgoing) => {
    const { signal } = new AbortController()
    const target = { to, path: incoming.url ?? '/', seal, address: '127.0.0.1', isOwnHost: true, signal }
    await ready()
    const result = await forwarder.forward(incoming, outgoing, target)
    results.push(result)
    if (result !== 'answered') outgoing.writeHead(503).end(result)
  })
  const ask = (method = 'POST', headers = {}) =>
    fetch(`${base}/x?token=in-the-url`, { method, headers, ...(method === 'POST' && { body: '{}' }) })
  return { ask, results }
}

describe('a request that is forwarded to another node', () => {
  test('an answer is cut off when its node dies halfway, so that it never looks complete', async () => {
    const half = await otherNode((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' })
      response.write('{"code":"0","data":{"transactionId":"17')
      setTimeout(() => response.destroy(), 20)
    })
    const { ask, results } = await nodeBefore(half)
    await expect(ask().then((answer) => answer.text())).rejects.toThrow('terminated')
    await expect.poll(() => results).toEqual(['answered'])
  })

  test('a request is lost with the node that had it, but a look-up and one that no node took may go elsewhere', async () => {
    const dying = await nodeBefore(await foreignServer(({ socket }) => socket.destroy()))
    expect(await (await dying.ask('POST')).text()).toBe('lost')
    expect(await (await dying.ask('GET')).text()).toBe('unreachable')
    const dead = await nodeBefore(await deadUrl())
    expect(await (await dead.ask('POST')).text()).toBe('unreachable')
  })

  test('a body is forwarded that came before there was a node to forward it to', async () => {
    const echo = await otherNode((incoming: ReceivedRequest, response) => {
      response.end(incoming.rawBody)
    })
    const { ask } = await nodeBefore(echo, () => sleep(100))
    expect(await (await ask()).text()).toBe('{}')
  })

  test('a request that a node does not serve goes elsewhere, and any other refusal is the answer', async () => {
    const answering = async (status: number, headers: object) =>
      nodeBefore(await otherNode((_, response) => void response.writeHead(status, { ...headers }).end('no')))
    const misdirected = await answering(421, { 'X-Tillbox-Misdirected': 'true' })
    for (const method of ['GET', 'POST'])
      expect(await (await misdirected.ask(method)).text()).toBe('misdirected')
    const answer = await (await answering(404, { 'X-Kept': 'yes' })).ask()
    expect([answer.status, answer.headers.get('x-kept'), await answer.text()]).toEqual([404, 'yes', 'no'])
    expect(answer.headers.has('x-tillbox-proof')).toBe(false)
  })

  test('assumption shared-store: credentials and query arrive at a node, and are unreadable for anyone else', async () => {
    const credentials = { Authorization: 'Bearer key-1', Cookie: 'a=1', 'X-Sandbox-Token': 'token-1' }
    const node = await nodeBefore(
      await otherNode(({ headers, url }, response) => {
        const { authorization, cookie, 'x-sandbox-token': token } = headers
        response.end(JSON.stringify({ authorization, cookie, token, url }))
      }),
    )
    const arrived = { authorization: 'Bearer key-1', cookie: 'a=1', token: 'token-1' }
    const shown = { ...arrived, url: '/x?token=in-the-url' }
    expect(await (await node.ask('GET', credentials)).json()).toEqual(shown)
    let seen = ''
    const other = await nodeBefore(
      await foreignServer(({ url, rawHeaders }, response) => {
        seen = [url, ...rawHeaders].join('\n')
        response.end('a forged answer')
      }),
    )
    expect(await (await other.ask('GET', credentials)).text()).toBe('unreachable')
    expect(seen).toContain('x-tillbox-node')
    expect(seen).not.toMatch(/key-1|a=1|token-1|in-the-url|a secret/)
  })
})

/** True when a node takes a sealed request; `sent`: what came in place of what was sealed. */
async function isTaken(
  sealed: { readonly by?: NodeSeal; readonly to?: string },
  sent: { readonly method?: string; readonly body?: string; readonly seal?: string } = {},
): Promise<boolean> {
  const base = await foreignServer(async (incoming, outgoing) => {
    outgoing.end(String(await seal.open(incoming, outgoing, base)))
  })
  const { by = seal, to = base } = sealed
  const call = { path: '/x', address: '192.0.2.1', isOwnHost: true, headers: [], body: Buffer.from('{}') }
  const { headers } = by.seal({ ...call, to, method: 'POST' })
  const { method = 'POST', body = '{}', seal: text } = sent
  const given = text === undefined ? headers : { 'x-tillbox-node': text }
  return (await (await fetch(base, { method, headers: given, body })).text()) === 'true'
}

const sealAt = (ms: number) => new NodeSeal('a secret of the database', () => Date.now() + ms)

test.each([
  ['as it was sealed', true, {}, {}],
  ['50 s old', true, { by: sealAt(-50_000) }, {}],
  ['61 s old', false, { by: sealAt(-61_000) }, {}],
  ['for another node', false, { to: 'http://127.0.0.1:1' }, {}],
  ['of another database', false, { by: new NodeSeal('another secret', Date.now) }, {}],
  ['with another method', false, {}, { method: 'PUT' }],
  ['with another body', false, {}, { body: '[]' }],
  ...['%zz', 'a'.repeat(64), '', 'e30'].map((text) => [`'${text}'`, false, {}, { seal: text }] as const),
] as const)('assumption shared-store: a seal %s is taken: %s', async (_, taken, sealed, sent) => {
  expect(await isTaken(sealed, sent)).toBe(taken)
})

test('assumption shared-store: a seal opens once, also written otherwise', async () => {
  const base = await foreignServer(async (incoming, outgoing) => {
    outgoing.end(String(await seal.open(incoming, outgoing, base)))
  })
  const call = {
    path: '/x',
    address: '192.0.2.1',
    isOwnHost: true,
    headers: [],
    body: Buffer.from('{}'),
    to: base,
    method: 'POST',
  }
  const { 'x-tillbox-node': text } = seal.seal(call).headers
  const send = async (sent: string) =>
    (await fetch(base, { method: 'POST', headers: { 'x-tillbox-node': sent }, body: '{}' })).text()
  expect(await Promise.all([send(text), send(text)]).then((taken) => taken.sort())).toEqual(['false', 'true'])
  for (const same of [text, `${text}=`, text.replace(/^./, '$&*')]) expect(await send(same)).toBe('false')
})
