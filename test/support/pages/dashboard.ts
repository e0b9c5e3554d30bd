import { expect, onTestFinished } from 'vitest'
import { type OperationName, operations } from '../../../src/contract/operations.ts'
import type { Connection } from '../../../src/contract/sandbox/control-answers.ts'
import { type RunningSandbox, type ServerOptions, startSandbox } from '../../../src/server/server.ts'
import type { AnyJson } from '../any-json.ts'
import type { PlainAnswer } from '../network/exchange.ts'
import { newId } from '../service/new-id.ts'
import { apiHeaders, sale, temporaryFolder } from '../service/service.ts'
import { fetchPlain } from './shop-front.ts'

export { liveOf as followStream } from '../service/live.ts'

/** A sandbox that listens, its pages for developers, and somebody who pays. */
export interface Dashboard {
  readonly url: string
  readonly sandbox: RunningSandbox['sandbox']
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<PlainAnswer>
  /** What a reader sees of a page. */
  read(path: string, headers?: Readonly<Record<string, string>>): Promise<string>
  /** Posts a form as a browser on the page would. */
  post(
    path: string,
    body?: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<PlainAnswer>
  /** Calls an operation of the service; answers its data. */
  call(name: OperationName, members: object, headers?: Readonly<Record<string, string>>): Promise<AnyJson>
  control(method: string, path: string, members?: object): Promise<PlainAnswer>
  /** Sells, and answers the id of the transaction once it is final. */
  sell(amount: number, more?: object, headers?: Readonly<Record<string, string>>): Promise<string>
  /** Sells so often, with amounts that count up from 10.00. */
  sellMany(count: number): Promise<string[]>
}

/** Opens a sandbox with its dashboard; it is closed after the test. */
export async function openDashboard(options: Partial<ServerOptions> = {}): Promise<Dashboard> {
  const { connection, sandbox, close } = await startSandbox({ state: temporaryFolder(), ...options })
  onTestFinished(close)
  return dashboardAt(connection, sandbox)
}

/** The same of a sandbox that listens already; `url`: of the sandbox, with the path below which a space is served. */
export function dashboardAt(
  { url, apiKey }: Pick<Connection, 'url' | 'apiKey'>,
  sandbox: RunningSandbox['sandbox'],
): Dashboard {
  const { origin } = new URL(url)
  const get: Dashboard['get'] = (path, headers = {}) => fetchPlain(`${url}${path}`, { headers })
  const call: Dashboard['call'] = async (name, members, headers = {}) => {
    const { method, path } = operations[name]
    const { text } = await fetchPlain(`${url}${path}`, {
      method,
      headers: { ...apiHeaders(apiKey), ...headers },
      body: JSON.stringify(members),
    })
    const answer = JSON.parse(text)
    expect(answer, text).toMatchObject({ code: '0' })
    return answer.data
  }
  const sell: Dashboard['sell'] = async (amount, more = {}, headers = {}) =>
    (await call('sale', sale(amount, more), headers)).transactionId
  return {
    url,
    sandbox,
    get,
    read: async (...page) => visibleText((await get(...page)).text),
    call,
    sell,
    post: (path, body = {}, headers = {}) =>
      fetchPlain(`${url}${path}`, { method: 'POST', body, headers: { Origin: origin, ...headers } }),
    control: (method, path, members) =>
      fetchPlain(`${url}/_sandbox/${path}`, {
        method,
        headers: { 'Content-Type': 'application/json' },
        ...(members && { body: JSON.stringify(members) }),
      }),
    sellMany: async (count) => {
      const ids: string[] = []
      for (let index = 0; index < count; index++) ids.push(await sell(1000 + index))
      return ids
    },
  }
}

/** Members of a refund. */
export const refundRequest = (originalTransactionId: string, amount: number): object => ({
  originalTransactionId,
  transactionRequestId: newId(),
  amount,
  pushToTerminal: false,
})

/** The request id that a form has. */
export const requestIdIn = (html: string): string =>
  /name="transactionRequestId" value="([^"]+)"/.exec(html)?.[1] as string

/** What a reader sees of a page: no tags, one space between words. */
export const visibleText = (html: string): string =>
  html
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, '')
    .replace(/<wbr\/>|<\/?bdi[^>]*>/g, '') // within words
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ')

/** Ids of the transactions that a page lists, in its order. */
export const listedIds = (html: string): string[] =>
  [...html.matchAll(/id="row-(\d+)"/g)].map(([, id]) => id as string)
