import { connect } from 'node:net'
import { controls } from '../contract/sandbox/controls/controls.ts'
import { isOnLoopback, type LockFile } from '../contract/sandbox/state-folder/lock-file.ts'
import { getJson } from '../transport/get-json.ts'

/** How long a holder has to answer. Milliseconds. */
const patience = 2_000

/** Bytes of an answer that are read at most: health is short. */
const longestAnswer = 64 * 1024

/**
 * What the place where a lock says that its sandbox listens tells of it. `holds`: it answers with the id of the lock, or
 * takes the connection and keeps silent, as one that hangs does. `gone`: nothing listens there, or something else: even a
 * sandbox that hangs keeps its port. `unknown`: the lock names no place, or none of this machine, or nothing can be told.
 */
export async function askHolder({ id, url, token }: LockFile): Promise<'holds' | 'gone' | 'unknown'> {
  if (id === undefined || typeof url !== 'string' || !URL.canParse(url) || !isOnLoopback(url))
    return 'unknown'
  // The token stays here: another program may listen there by now.
  const answer = await (url.startsWith('https:') || token !== undefined ? knock(url) : idAt(url))
  if (answer === 'refused') return 'gone'
  if (answer === 'failed') return 'unknown'
  return answer === 'silent' || answer === id ? 'holds' : 'gone'
}

/** Whether anything listens at a URL that does not tell its id without more: what does may be the holder. */
function knock(url: string): Promise<'silent' | 'refused' | 'failed'> {
  const { hostname, port, protocol } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect({
      port: Number(port || (protocol === 'https:' ? 443 : 80)),
      host: hostname.replace(/[[\]]/g, ''),
      timeout: patience,
    })
    const end = (said: 'silent' | 'refused' | 'failed') => {
      socket.destroy()
      resolve(said)
    }
    socket.once('timeout', () => end('silent'))
    socket.once('connect', () => end('silent'))
    socket.once('error', (error: NodeJS.ErrnoException) => end(connectionFailed(error)))
  })
}

const connectionFailed = ({ code }: NodeJS.ErrnoException): 'refused' | 'failed' =>
  code === 'ECONNREFUSED' ? 'refused' : 'failed'

/** The id that the health of a sandbox tells; an empty one for what is not a sandbox. */
const idAt = (url: string): Promise<string> =>
  getJson(new URL(controls.health.path, url), { maxBytes: longestAnswer, timeout: patience }).then(
    idIn,
    (error: NodeJS.ErrnoException) =>
      error instanceof SyntaxError ? '' : error.code === 'ETIMEDOUT' ? 'silent' : connectionFailed(error),
  )

function idIn(health: unknown): string {
  const id = (health as { data?: { id?: unknown } } | null)?.data?.id
  return typeof id === 'string' ? id : ''
}
