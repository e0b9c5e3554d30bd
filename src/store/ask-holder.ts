import { connect } from 'node:net'
import { controls } from '../contract/sandbox/controls/controls.ts'
import { isOnLoopback, type LockFile } from '../contract/sandbox/state-folder/lock-file.ts'
import { getJson } from '../transport/get-json.ts'

/** Time limit for the holder's answer. Milliseconds. */
const patience = 2_000

/** Most bytes of an answer that are read. */
const longestAnswer = 64 * 1024

/**
 * What listens at the URL of a lock. `holds`: it answers with the id of the lock, or accepts the connection and does
 * not answer, like a sandbox that hangs. `gone`: nothing listens there, or another program: even a sandbox that hangs
 * keeps its port. `unknown`: the lock has no URL, or one of another machine, or the result is unclear.
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

/** Whether anything listens at a URL that must not get the token, or uses TLS: it may be the holder. */
function knock(url: string): Promise<'silent' | 'refused' | 'failed'> {
  const { hostname, port, protocol } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect({
      port: Number(port || (protocol === 'https:' ? 443 : 80)),
      host: hostname.replace(/[[\]]/g, ''),
      timeout: patience,
    })
    const end = (answer: 'silent' | 'refused' | 'failed') => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('timeout', () => end('silent'))
    socket.once('connect', () => end('silent'))
    socket.once('error', (error: NodeJS.ErrnoException) => end(connectionFailed(error)))
  })
}

const connectionFailed = ({ code }: NodeJS.ErrnoException): 'refused' | 'failed' =>
  code === 'ECONNREFUSED' ? 'refused' : 'failed'

/** The id in a sandbox's health answer; empty for anything that is not a sandbox. */
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
