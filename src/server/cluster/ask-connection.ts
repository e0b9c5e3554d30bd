import { Refusal } from '../../contract/errors.ts'
import { sandboxHeaders } from '../../contract/headers.ts'
import type { Connection } from '../../contract/sandbox/control-answers.ts'
import { basePathOfSpace } from '../../contract/sandbox/spaces/space-name.ts'
import type { NodeSeal } from '../../http/node-to-node.ts'
import { getJson } from '../../transport/get-json.ts'

/** Access to another node. */
export interface NodeAccess {
  /** Seals what the nodes of the database ask each other; null: ask as a client, so the node may ask another one. */
  readonly seal: NodeSeal | null
  /** Token that every node was started with; null: none is required. */
  readonly token: string | null
  /** Host header of the request: the answer names it. */
  readonly host: string
  /** Time limit of the answer in milliseconds; absent: five seconds. */
  readonly patience?: number
}

/** Most bytes of an answer that are read: it lists the terminals. */
const longestAnswer = 8 * 1024 * 1024

/** Asks a node how to connect to a space. Errors: an Error with what went wrong. */
export async function askConnection(url: string, space: string, access: NodeAccess): Promise<Connection> {
  const { patience: timeout = 5_000, token, seal, host: Host } = access
  const path = `${basePathOfSpace(space)}/_sandbox/connection`
  const credentials = token === null ? [] : [sandboxHeaders.token, token]
  const call = { to: url, method: 'GET', path, address: '127.0.0.1', headers: credentials, body: null }
  const { headers, isProved } = seal?.seal(call) ?? {
    headers: token === null ? {} : { [sandboxHeaders.token]: token },
    isProved: undefined,
  }
  const at = new URL(seal === null ? path : '/', url)
  const asking = {
    headers: { ...headers, Host },
    timeout,
    maxBytes: longestAnswer,
    ...(isProved && { isProved }),
  }
  const envelope = await getJson(at, asking).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ETIMEDOUT' ? new Error(`the node at ${url} does not answer`) : error
  })
  return connectionIn(envelope, url, access)
}

/** Errors: a Refusal for a node with another token; an Error for any other answer. */
function connectionIn(envelope: unknown, url: string, { token }: NodeAccess): Connection {
  const { code, data, msg, detail } = envelope as Readonly<Record<string, unknown>>
  if (data !== undefined) return data as Connection
  if (code === 'SBX_TOKEN') throw otherToken(url, token !== null)
  throw new Error(`the node at ${url} answered: ${String(detail ?? msg)}`)
}

const otherToken = (url: string, hasOwn: boolean): Refusal =>
  new Refusal('SBX_STORE_FAIL', {
    field: 'token',
    detail: hasOwn
      ? `the node at ${url} of the same database was started with another --token, or with none`
      : `the node at ${url} of the same database was started with --token, and this one without`,
    remedy: 'Start every node with the same token: --token <that of the other node>, or TILLBOX_TOKEN',
  })
