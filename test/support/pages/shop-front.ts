import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { SessionView } from '../../../src/contract/sandbox/control-answers.ts'
import { type RunningSandbox, startSandbox } from '../../../src/server/server.ts'
import type { AnyJson } from '../any-json.ts'
import { exchange, type PlainAnswer } from '../network/exchange.ts'
import { apiHeaders, sale, temporaryFolder } from '../service/service.ts'

interface AskOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** A form's fields, which a page of the same origin sends, or the body as it is. */
  readonly body?: Readonly<Record<string, string>> | string
  /** Sends the body in chunks, its length not announced. */
  readonly chunked?: boolean
}

/** One request as anything may send it, `Host` included; no redirect is followed. */
export function fetchPlain(
  url: string,
  { method = 'GET', headers = {}, body, chunked = false }: AskOptions = {},
): Promise<PlainAnswer> {
  const text = typeof body === 'object' ? String(new URLSearchParams(body)) : body
  const all = {
    ...(typeof body === 'object' && {
      'Content-Type': 'application/x-www-form-urlencoded',
      Origin: new URL(url).origin,
    }),
    ...(text !== undefined && !chunked && { 'Content-Length': String(Buffer.byteLength(text)) }),
    ...headers,
  }
  return exchange(url, { method, headers: all, text })
}

/** A sandbox that listens, and a merchant that opens sessions on it. */
export interface Shop {
  /** Origin of the sandbox. */
  readonly url: string
  readonly state: string
  /** The sandbox as it runs now: another one after a restart. */
  sandbox(): RunningSandbox['sandbox']
  /** Sends a request that is accepted; returns its data. */
  send(
    method: string,
    path: string,
    members?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<AnyJson>
  /** Opens a session; returns the address of its page and its id. */
  open(
    members?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ checkoutUrl: string; sessionId: string; transactionRequestId: string }>
  /** How a session stands. */
  session(sessionId: string): Promise<SessionView>
  /** What happened to the transaction of a session, in order. */
  story(sessionId: string): Promise<string[]>
  advance(milliseconds: number): Promise<void>
  /** Stops the sandbox and starts it again at the same address. */
  restart(): Promise<void>
}

export const minute = 60_000

/** Opens a shop; it is closed after the test. */
export async function openShop(): Promise<Shop> {
  const state = temporaryFolder()
  let running = await startSandbox({ state })
  onTestFinished(() => running.close())
  const { url, port, apiKey } = running.connection
  const send: Shop['send'] = async (method, path, members, headers = {}) => {
    const { text } = await fetchPlain(`${url}${path}`, {
      method,
      headers: { ...apiHeaders(apiKey), ...headers },
      ...(members && { body: JSON.stringify(members) }),
    })
    const answer = JSON.parse(text)
    expect(answer, text).toMatchObject({ code: '0' })
    return answer.data
  }
  const session = (sessionId: string) => send('GET', `/_sandbox/sessions/${sessionId}`)
  return {
    url,
    state,
    sandbox: () => running.sandbox,
    session,
    send,
    open: (members = {}, headers = {}) =>
      send('POST', '/v1/checkout/create-session', sale(1000, members), headers),
    story: async (sessionId) => {
      const { transactionId } = await session(sessionId)
      const { timeline } = await send('GET', `/_sandbox/transactions/${transactionId}`)
      return timeline.map(({ what }: { what: string }) => what)
    },
    advance: (milliseconds) => send('POST', '/_sandbox/clock', { action: 'advance', milliseconds }),
    restart: async () => {
      await running.close()
      running = await startSandbox({ state, port })
    },
  }
}

/** A merchant's own site. */
export interface MerchantSite {
  /** Where its shoppers are to come back to. */
  readonly returnUrl: string
  /** The addresses that shoppers came back to, with the page they said they came from. */
  readonly visits: readonly { readonly url: URL; readonly from: string | undefined }[]
}

/** Opens a merchant's site on a free port; it is gone after the test. */
export async function openMerchantSite(): Promise<MerchantSite> {
  const visits: { url: URL; from: string | undefined }[] = []
  const server = createServer(({ url = '', headers }, response) => {
    visits.push({ url: new URL(url, `http://${headers.host}`), from: headers.referer })
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.end('<!doctype html><link rel="icon" href="data:,"><title>Shop</title><h1>Back at the shop</h1>')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return {
    returnUrl: `http://127.0.0.1:${(server.address() as { port: number }).port}/thanks?cart=7`,
    visits,
  }
}

/** Fails when a file of the state or an entry of the request log has the digits, however they are grouped. */
export async function expectNoTrace({ state, sandbox, restart }: Shop, number: string): Promise<void> {
  const log = JSON.stringify(sandbox().log.list())
  await restart() // what was only in memory is on disk then
  const files = readdirSync(state, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
  expect(files.length).toBeGreaterThan(0)
  for (const text of [log, ...files]) expect(text.replace(/[\s+-]/g, '')).not.toContain(number)
}
