import { onTestFinished } from 'vitest'
import type { Connection } from '../../../src/contract/control/control-answers.ts'
import { type OperationName, operations } from '../../../src/contract/operations.ts'
import { type RunningSandbox, type ServerOptions, startSandbox } from '../../../src/server/server.ts'
import type { AnyJson } from '../any-json.ts'
import { apiHeaders, following, sale, temporaryFolder } from '../service/service.ts'
import type { WebhookReceiver } from '../webhooks/webhook-receiver.ts'
import { acceptedData, fetchPlain } from './shop-front.ts'

export { liveOf as followStream } from '../service/live.ts'

type Headers = Readonly<Record<string, string>>

/** A sandbox that listens, its pages for developers, and somebody who pays. */
export type Dashboard = ReturnType<typeof dashboardAt>

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
) {
  const get = (path: string, headers: Headers = {}) => fetchPlain(`${url}${path}`, { headers })
  const call = async (name: OperationName, members: object, headers: Headers = {}) => {
    const { method, path } = operations[name]
    return acceptedData(`${url}${path}`, { method, headers: { ...apiHeaders(apiKey), ...headers } }, members)
  }
  const sell = async (amount: number, more: object = {}, headers: Headers = {}): Promise<string> =>
    (await call('sale', sale(amount, more), headers)).transactionId
  const control = (method: string, path: string, members?: object) =>
    fetchPlain(`${url}/_sandbox/${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(members && { body: JSON.stringify(members) }),
    })
  return {
    url,
    sandbox,
    get,
    /** What a reader sees of a page. */
    read: async (path: string, headers?: Headers) => (await get(path, headers)).words,
    /** Posts a form as a browser on the page would. */
    post: (path: string, body: Readonly<Record<string, string>> = {}, headers: Headers = {}) =>
      fetchPlain(`${url}${path}`, { method: 'POST', body, headers }),
    /** Calls an operation of the service; answers its data. */
    call,
    control,
    /** What the control interface shows. */
    data: async (path: string): Promise<AnyJson> => JSON.parse((await control('GET', path)).text).data,
    /** Waits until so many webhooks came to a receiver, and all that were due are attempted. */
    attempted: async ({ got }: Pick<WebhookReceiver, 'got'>, count: number) => {
      const arrivals = await got(count)
      await sandbox.courier.idle()
      return arrivals
    },
    /** Sells, and answers the id of the transaction once it is final. */
    sell,
    /** Sells so often, with amounts that count up from 10.00. */
    sellMany: async (count: number) => {
      const ids: string[] = []
      for (let index = 0; index < count; index++) ids.push(await sell(1000 + index))
      return ids
    },
  }
}

/** Members of a refund. */
export const refundRequest = (originalTransactionId: string, amount: number): object =>
  following(originalTransactionId, { amount, pushToTerminal: false })
