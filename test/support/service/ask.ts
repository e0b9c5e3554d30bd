import type { Agent } from 'node:http'
import type { Sandbox } from '../../../src/server/sandbox/sandbox.ts'
import type { AnyJson } from '../any-json.ts'
import type { LaunchedSandbox } from '../commands/running-sandbox.ts'
import { appOf } from './app.ts'
import { apiHeaders, apiKey } from './service.ts'

/** An answer as a test reads it. */
export interface TestAnswer {
  readonly status: number
  readonly code: string
  readonly msg?: string
  readonly detail?: string
  readonly remedy?: string
  readonly retryAfter?: string
  readonly data: AnyJson
}

/** The data of an accepted answer. `what` was asked. Errors: a refusal, or no answer. */
export function dataOf(answer: Omit<TestAnswer, 'status'> | null, what = 'the request'): TestAnswer['data'] {
  if (answer?.code === '0') return answer.data
  throw new Error(
    `${what}: ${answer === null ? 'no answer' : `${answer.code} ${answer.msg} ${answer.detail ?? ''}`}`,
  )
}

/** Sends one request with good headers; null: the connection was cut before an answer came. */
export type Ask = (
  method: string,
  path: string,
  members?: object,
  headers?: Readonly<Record<string, string>>,
) => Promise<TestAnswer | null>

/** Asks a sandbox that runs as a process of its own. */
export const askOver =
  (sandbox: Pick<LaunchedSandbox, 'send'>, agent: Agent): Ask =>
  (method, path, members, headers = {}) =>
    sandbox.send(method, path, { agent, headers, ...(members && { body: members }) }).then(
      ({ status, headers: { 'retry-after': retryAfter }, envelope }) => ({ status, retryAfter, ...envelope }),
      () => null,
    )

/** Asks a sandbox of this process, past any port. */
export function askIn(sandbox: Sandbox): Ask {
  const app = appOf(sandbox)
  return async (method, path, members, headers = {}) => {
    const response = await app.request(path, {
      method,
      headers: {
        ...apiHeaders(apiKey, sandbox.clock.wall()),
        ...headers,
      },
      ...(members && { body: JSON.stringify(members) }),
    })
    const { status } = response
    const envelope = JSON.parse(await response.text()) as Omit<TestAnswer, 'status'>
    return { status, ...envelope }
  }
}
