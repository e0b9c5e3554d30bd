import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { control } from '../../client/client.ts'
import type { Connection } from '../../contract/sandbox/answers.ts'

/** Which process has a port: a sandbox says so itself, else Linux tells. Undefined when nobody can. */
export async function holderOfPort(port: number): Promise<string | undefined> {
  const baseUrl = `http://127.0.0.1:${port}`
  const sandbox = await control<Connection>({ baseUrl }, 'connection', undefined, { patience: 500 }).catch(
    () => undefined,
  )
  if (sandbox !== undefined) return `process ${sandbox.pid}, a sandbox on ${sandbox.state}`
  const inode = listeningInode(port)
  const pid = inode && processWith(inode)
  return pid ? `process ${pid} (${nameOf(pid)})` : undefined
}

function listeningInode(port: number): string | undefined {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  for (const path of ['/proc/net/tcp', '/proc/net/tcp6'])
    for (const line of lines(path)) {
      const [, local, , state, , , , , , inode] = line.trim().split(/\s+/)
      if (local?.endsWith(`:${hex}`) && state === '0A') return inode
    }
  return undefined
}

function processWith(inode: string): string | undefined {
  return list('/proc').find(
    (pid) =>
      /^\d+$/.test(pid) &&
      list(`/proc/${pid}/fd`).some((fd) => target(`/proc/${pid}/fd/${fd}`) === `socket:[${inode}]`),
  )
}

const nameOf = (pid: string): string => lines(`/proc/${pid}/comm`)[0] ?? 'unknown'

/** Processes come and go, and most belong to others: what cannot be read counts as nothing. */
function orNothing<T>(read: () => T, nothing: T): T {
  try {
    return read()
  } catch {
    return nothing
  }
}

const lines = (path: string): string[] => orNothing(() => readFileSync(path, 'utf8').split('\n'), [])
const list = (path: string): string[] => orNothing(() => readdirSync(path), [])
const target = (path: string): string => orNothing(() => readlinkSync(path), '')
