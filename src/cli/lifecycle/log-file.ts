import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  ftruncateSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { makeFolder, openState } from '../../shared/files/files.ts'
import { requireOwnState } from '../../shared/files/state-ownership.ts'
import { counted } from '../../shared/text/words.ts'
import { hint } from '../hints/same-sandbox.ts'
import { cleanLines } from '../output/clean.ts'
import type { ShownRequest } from '../output/request-line.ts'

/** The log in a state folder. */
export const logFileIn = (state: string): string => join(state, 'sandbox.log')

/** Bytes of a log at which it becomes the old log, and a new one begins. */
const mostLogBytes = 4 * 1024 * 1024

/**
 * The log of a sandbox that has no window: a line an event, with its time. It has at most twice `limit` bytes
 * with the old one beside it. It is emptied and never replaced, so that other writers keep writing to the
 * same file.
 */
export class LogFile {
  readonly #file: number
  #lost = 0

  /** Errors: an Error of the file system, ELOOP for a link. */
  constructor(
    readonly path: string,
    readonly limit = mostLogBytes,
  ) {
    this.#file = openState(path, 'append')
  }

  /** Writes a line. A full disk does not stop the sandbox: the next line counts the lost ones. */
  note(text: string): void {
    const missing =
      this.#lost === 0 ? '' : ` (${counted(this.#lost, 'line')} before this one could not be written)`
    try {
      this.#makeRoom()
      const line = `${new Date().toISOString()} ${cleanLines(text).trimEnd()}${missing}\n`
      const bytes = Buffer.from(missing === '' ? line : `\n${line}`) // of a lost line the beginning may be there
      if (writeSync(this.#file, bytes) < bytes.length) throw new Error('the disk took a part of it')
      this.#lost = 0
    } catch {
      this.#lost += 1
    }
  }

  close(): void {
    closeSync(this.#file)
  }

  #makeRoom(): void {
    if (fstatSync(this.#file).size < this.limit) return
    rmSync(`${this.path}.old`, { force: true })
    copyFileSync(this.path, `${this.path}.old`, constants.COPYFILE_EXCL)
    ftruncateSync(this.#file)
  }
}

/** A handled request as a line of the log; undefined for a look-up that succeeded: there are too many. */
function requestLine(entry: ShownRequest): string | undefined {
  const { method, path, status, code, durationMs, notes, fault } = entry
  if (method === 'GET' && code === '0') return undefined
  const remarks = fault === null ? notes : [`injected fault: ${fault}`, ...notes]
  return [`${method} ${path} ${status} ${code} ${durationMs.toFixed(1)} ms`, ...remarks.map(hint)].join('; ')
}

/** The last `most` lines of a log from a byte on; empty when there is none. */
export function lastLines(path: string, from: number, most = 10): string[] {
  try {
    const text = readFileSync(path).subarray(from).toString()
    return text.split('\n').filter(Boolean).slice(-most)
  } catch {
    return [] // it was removed with its folder
  }
}

/** What a sandbox without a window says, into the log of its state folder. Errors: as `requireOwnState`. */
export async function logOutput(state: string) {
  requireOwnState(state)
  makeFolder(state)
  const log = new LogFile(logFileIn(state))
  return {
    logFile: log.path,
    report: (message: string): void => log.note(message),
    onRequest: (entry: ShownRequest): void => {
      const line = requestLine(entry)
      if (line !== undefined) log.note(line)
    },
  }
}
