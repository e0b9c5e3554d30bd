import { type ErrorCode, Refusal } from '../../contract/errors.ts'
import { sandboxHeaders } from '../../contract/headers.ts'
import type { Connection } from '../../contract/sandbox/control-answers.ts'
import { basePathOfSpace } from '../../contract/sandbox/spaces.ts'
import { getJson } from '../../transport/get-json.ts'

/** Most bytes of an answer that are read: it lists the terminals. */
const maxBytes = 8 * 1024 * 1024

/** Time limit of an answer: longer than a node looks for the one that serves a space, and reads it. Milliseconds. */
const timeout = 30_000

/**
 * Asks a node, as a client does, how to connect to a space, whichever node serves it. `token`: of this node. Errors: its
 * Refusal; an Error of the connection.
 */
export async function askConnection(node: string, space: string, token: string | null): Promise<Connection> {
  const url = new URL(`${basePathOfSpace(space)}/_sandbox/connection`, node)
  const headers = token === null ? {} : { [sandboxHeaders.token]: token }
  const { data, code, detail, remedy } = (await getJson(url, { headers, timeout, maxBytes })) as {
    readonly data?: Connection
    readonly code: ErrorCode
    readonly detail?: string
    readonly remedy?: string
  }
  if (data === undefined) throw new Refusal(code, { detail, remedy })
  return data
}
