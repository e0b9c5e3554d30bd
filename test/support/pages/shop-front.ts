import { expect, onTestFinished } from 'vitest'
import type { SessionView, Story } from '../../../src/contract/control/control-answers.ts'
import { startSandbox } from '../../../src/server/server.ts'
import type { AnyJson } from '../any-json.ts'
import { exchange } from '../network/exchange.ts'
import { foreignServer } from '../network/foreign.ts'
import { apiHeaders, sale, temporaryFolder } from '../service/service.ts'
import { folderText } from '../store/folder-contents.ts'
import { PageAnswer } from './page.ts'

interface AskOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** A form's fields, which a page of the same origin sends, or the body as it is. */
  readonly body?: Readonly<Record<string, string>> | string
  /** Sends the body in chunks, its length not announced. */
  readonly chunked?: boolean
}

/** One request as anything may send it, `Host` included; no redirect is followed. */
export async function fetchPlain(
  url: string,
  { method = 'GET', headers = {}, body, chunked = false }: AskOptions = {},
): Promise<PageAnswer> {
  const text = typeof body === 'object' ? String(new URLSearchParams(body)) : body
  const all = {
    ...(typeof body === 'object' && {
      'Content-Type': 'application/x-www-form-urlencoded',
      Origin: new URL(url).origin,
    }),
    ...(text !== undefined && !chunked && { 'Content-Length': String(Buffer.byteLength(text)) }),
    ...headers,
  }
  return new PageAnswer(await exchange(url, { method, headers: all, text }))
}

/** Sends a request of the service that is accepted; returns its data. */
export async function acceptedData(url: string, options: AskOptions, members?: object): Promise<AnyJson> {
  const { text } = await fetchPlain(url, { ...options, ...(members && { body: JSON.stringify(members) }) })
  const answer = JSON.parse(text)
  expect(answer, text).toMatchObject({ code: '0' })
  return answer.data
}

/** A sandbox that listens, and a merchant that opens sessions on it. */
export type Shop = Awaited<ReturnType<typeof openShop>>

export const minute = 60_000

/** Opens a shop; it is closed after the test. */
export async function openShop() {
  const state = temporaryFolder()
  let running = await startSandbox({ state })
  onTestFinished(() => running.close())
  const { url, port, apiKey } = running.connection
  const send = (method: string, path: string, members?: object, headers: object = {}) =>
    acceptedData(`${url}${path}`, { method, headers: { ...apiHeaders(apiKey), ...headers } }, members)
  /** How a session stands. */
  const session = (sessionId: string): Promise<SessionView> => send('GET', `/_sandbox/sessions/${sessionId}`)
  return {
    url,
    state,
    /** The sandbox as it runs now: another one after a restart. */
    sandbox: () => running.sandbox,
    session,
    /** Sends a request that is accepted; returns its data. */
    send,
    /** Opens a session; returns the address of its page and its ids. */
    open: (
      members: object = {},
      headers: object = {},
    ): Promise<{ checkoutUrl: string; sessionId: string; transactionRequestId: string }> =>
      send('POST', '/v1/checkout/create-session', sale(1000, members), headers),
    /** What happened to the transaction of a session, in order. */
    story: async (sessionId: string): Promise<string[]> =>
      storyIn(await send('GET', `/_sandbox/transactions/${(await session(sessionId)).transactionId}`)),
    advance: (milliseconds: number) => send('POST', '/_sandbox/clock', { action: 'advance', milliseconds }),
    /** Stops the sandbox and starts it again at the same address. */
    restart: async () => {
      await running.close()
      running = await startSandbox({ state, port })
    },
  }
}

/** What happened to a transaction, in order. */
export const storyIn = ({ timeline }: Story): string[] => timeline.map(({ what }) => what)

/** Opens a merchant's own site on a free port; it is gone after the test. */
export async function openMerchantSite() {
  /** The addresses that shoppers came back to, with the page they said they came from. */
  const visits: { url: URL; from: string | undefined }[] = []
  const origin = await foreignServer(({ url = '', headers }, response) => {
    visits.push({ url: new URL(url, `http://${headers.host}`), from: headers.referer })
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.end('<!doctype html><link rel="icon" href="data:,"><title>Shop</title><h1>Back at the shop</h1>')
  })
  return { returnUrl: `${origin}/thanks?cart=7`, visits }
}

/** Fails when a file of the state or an entry of the request log has the digits, however they are grouped. */
export async function expectNoTrace({ state, sandbox, restart }: Shop, number: string): Promise<void> {
  const log = JSON.stringify(sandbox().log.list())
  await restart() // what was only in memory is on disk then
  const files = folderText(state)
  expect(files).not.toBe('')
  for (const text of [log, files]) expect(text.replace(/[\s+-]/g, '')).not.toContain(number)
}
