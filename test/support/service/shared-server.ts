import { onTestFinished } from 'vitest'
import { firstSpace } from '../../../src/contract/control/spaces.ts'
import type { CreatedToken } from '../../../src/contract/control/tokens.ts'
import type { SandboxOptions } from '../../../src/server/sandbox/options.ts'
import { openSandbox } from '../../../src/server/sandbox/sandbox.ts'
import { appOf } from './app.ts'
import { temporaryFolder } from './service.ts'

/** How a request is sent: by whom, in which space, and what. */
export interface Sent {
  readonly token?: string | undefined
  readonly space?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON, a text as a form. */
  readonly body?: object | string
}

/** The code of an answer, its HTTP status, and its text. */
export interface ServerAnswer {
  readonly status: number
  /** Of the envelope; of a page 0, or the HTTP status where it was refused. */
  readonly code: string
  readonly text: string
  readonly headers: Headers
}

/** A server with the spaces default and ci-1, which have one set of tokens. `token`: what it is started with. */
export async function openServer(token: string | null = null, options: Partial<SandboxOptions> = {}) {
  const state = options.state ?? temporaryFolder()
  const sandbox = await openSandbox({ ...options, state, token })
  const other = await openSandbox({
    ...{ ...options, state: temporaryFolder(), token },
    ...{ spaceName: 'ci-1', access: sandbox.access },
  })
  let closed = false
  const close = async () => {
    if (closed) return
    closed = true
    await other.close()
    await sandbox.close()
  }
  onTestFinished(close)
  const app = appOf(sandbox)
  const otherApp = appOf(other)
  const ask = async (path: string, { space = firstSpace, ...sent }: Sent = {}): Promise<ServerAnswer> => {
    const response = await (space === firstSpace ? app : otherApp).request(path, requestInitOf(sent))
    const { status, headers } = response
    const isStream = headers.get('content-type') === 'text/event-stream'
    if (isStream) await response.body?.cancel()
    const text = isStream ? '' : await response.text()
    const isJson = text !== '' && headers.get('content-type') === 'application/json'
    return { status, headers, text, code: isJson ? JSON.parse(text).code : String(status < 400 ? 0 : status) }
  }
  return {
    ...{ sandbox, state, app, ask, close },
    /** Makes a token; returns it. */
    make: async (name: string, scope: string, space?: string, ttlMs?: number) => {
      const body = { name, scope, ...(space && { space }), ...(ttlMs && { ttlMs }) }
      const made = await ask('/_sandbox/tokens', { method: 'POST', body, token: token ?? undefined })
      if (made.code !== '0') throw new Error(made.text)
      return (JSON.parse(made.text).data as CreatedToken).token
    },
  }
}

function requestInitOf({ token, method = 'GET', headers = {}, body }: Omit<Sent, 'space'>): RequestInit {
  const type = typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json'
  return {
    method,
    headers: {
      ...(token !== undefined && { 'X-Sandbox-Token': token }),
      ...(body !== undefined && { 'Content-Type': type }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  }
}
