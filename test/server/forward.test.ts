import { once } from 'node:events'
import { createServer, type OutgoingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type NodeForwardResult, RequestForwarder } from '../../src/server/cluster/request-forwarder.ts'
import { deadUrl } from '../support/network/ports.ts'

/** A server that answers like this; it is gone after the test. Resolves to its URL. */
async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A node that sends everything on to another one, and keeps what became of it. */
async function nodeBefore(url: string, ready = async () => {}) {
  const results: NodeForwardResult[] = []
  const forwarder = new RequestForwarder()
  onTestFinished(() => forwarder.close())
  const base = await serve(async (incoming, outgoing) => {
    const { signal } = new AbortController()
    const health = { status: 'ok', version: '1.0.0', id: 'node', pid: 1, uptimeMs: 1 } as const
    const node = { health, nodeUrl: 'http://127.0.0.1:1', runs: 'program', logFile: null } as const
    const target = { url, path: incoming.url ?? '/', secret: 'secret', address: '127.0.0.1', node, signal }
    await ready()
    const result = await forwarder.forward(incoming, outgoing, target)
    results.push(result)
    if (result !== 'answered') outgoing.writeHead(503).end(result)
  })
  const ask = (method = 'POST') => fetch(`${base}/x`, method === 'POST' ? { method, body: '{}' } : { method })
  return { ask, results, forwarder }
}

describe('a request that is forwarded to another node', () => {
  test('an answer is cut off when its node dies halfway, so that it never looks complete', async () => {
    const half = await serve((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' })
      response.write('{"code":"0","data":{"transactionId":"17')
      setTimeout(() => response.destroy(), 20)
    })
    const { ask, results, forwarder } = await nodeBefore(half)
    await expect(ask().then((answer) => answer.text())).rejects.toThrow('terminated')
    expect(results).toEqual(['answered'])
    await expect.poll(() => forwarder.isBusy).toBe(false)
  })

  test('a request is lost with the node that had it, but a look-up and one that no node took may go elsewhere', async () => {
    const dying = await nodeBefore(await serve(({ socket }) => socket.destroy()))
    expect(await (await dying.ask('POST')).text()).toBe('lost')
    expect(await (await dying.ask('GET')).text()).toBe('unreachable')
    const dead = await nodeBefore(await deadUrl())
    expect(await (await dead.ask('POST')).text()).toBe('unreachable')
  })

  test('a body is forwarded that came before there was a node to forward it to', async () => {
    let opens = () => {}
    const isThere = new Promise<void>((resolve) => {
      opens = resolve
    })
    const echo = await serve(async (incoming, response) => {
      let text = ''
      for await (const chunk of incoming.setEncoding('utf8')) text += chunk
      response.end(text)
    })
    const { ask } = await nodeBefore(echo, () => isThere)
    const answer = ask()
    setTimeout(() => opens(), 100)
    expect(await (await answer).text()).toBe('{}')
  })

  test('a look-up that a node does not serve goes elsewhere, and any other refusal is the answer', async () => {
    const answering = (headers: OutgoingHttpHeaders) =>
      serve((_, response) =>
        response.writeHead(headers['X-Tillbox-Misdirected'] ? 421 : 404, headers).end('no'),
      )
    const misdirected = await nodeBefore(await answering({ 'X-Tillbox-Misdirected': 'true' }))
    expect(await (await misdirected.ask('GET')).text()).toBe('misdirected')
    expect(await (await misdirected.ask('POST')).text()).toBe('lost') // its body was read on the way, and nobody has it
    const answer = await (await nodeBefore(await answering({ 'X-Kept': 'yes' }))).ask()
    expect([answer.status, answer.headers.get('x-kept'), await answer.text()]).toEqual([404, 'yes', 'no'])
  })
})
