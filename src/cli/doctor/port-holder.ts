import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { control } from '../../client/client.ts'
import { Unreachable } from '../../client/http.ts'
import type { Connection } from '../../contract/sandbox/control-answers.ts'

/** Who listens on a port of this machine. */
export type PortHolder =
  | { readonly is: 'nobody' }
  | { readonly is: 'sandbox'; readonly sandbox: Connection }
  | { readonly is: 'other'; readonly process: string | undefined }

/** How long an answer may take, in milliseconds. */
const patience = 2_000

/** Asks the program that listens on the port. */
export async function portHolder(port: number): Promise<PortHolder> {
  try {
    const address = { baseUrl: `http://127.0.0.1:${port}` }
    const sandbox = await control(address, 'connection', undefined, { timeout: patience })
    return { is: 'sandbox', sandbox }
  } catch (error) {
    if (error instanceof Unreachable && error.refused) return { is: 'nobody' }
    return { is: 'other', process: processOn(port) }
  }
}

/** `node (process 1234)`, where the system shows it: on Linux, for processes of this user. */
function processOn(port: number): string | undefined {
  const sockets = new Set(listening(port).map((inode) => `socket:[${inode}]`))
  if (sockets.size === 0) return undefined
  const pid = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .find((each) => linksOf(`/proc/${each}/fd`).some((link) => sockets.has(link)))
  return pid && `${readFileSync(`/proc/${pid}/comm`, 'utf8').trim()} (process ${pid})`
}

/** Inodes of the sockets that listen on a port. */
const listening = (port: number): string[] =>
  ['/proc/net/tcp', '/proc/net/tcp6'].filter(existsSync).flatMap((table) =>
    readFileSync(table, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local = '', , state]) => state === listenState && local.endsWith(`:${hex(port)}`))
      .map((columns) => columns[9] ?? ''),
  )

const listenState = '0A'
const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0')

/** Targets of the links in a folder; empty for another user's process, or one that has ended. */
const linksOf = (folder: string): string[] =>
  there(() => readdirSync(folder)).flatMap((name) => there(() => [readlinkSync(`${folder}/${name}`)]))

function there(list: () => string[]): string[] {
  try {
    return list()
  } catch {
    return [] // of another user, or gone
  }
}
