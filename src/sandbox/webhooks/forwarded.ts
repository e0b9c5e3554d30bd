import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownerOnly } from '../store/files.ts'

/** How far a forwarder came, over restarts of the sandbox. */
export interface Forwarded {
  /** Id of the last notification that was dealt with; undefined the first time. */
  readonly last: string | undefined
  keep(id: string): void
  /** Writes what is not written yet. */
  flush(): void
}

/** What is kept is written at most so often; after a crash the rest comes again. Milliseconds. */
const pause = 100

const fileIn = (folder: string): string => join(folder, 'forwarded.json')

/** Id of the last notification that went to that URL, as the file of a state folder has it: up to `pause` late. */
export const lastForwarded = (folder: string, url: string): string | undefined =>
  placesOf(fileIn(folder))[url]

/** How far the forwarder to that URL came, in forwarded.json of a state folder. */
export function openForwarded(folder: string, url: string, report: (error: Error) => void): Forwarded {
  const path = fileIn(folder)
  const places = placesOf(path)
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    try {
      writeFileSync(`${path}.new`, `${JSON.stringify(places)}\n`, { mode: ownerOnly })
      renameSync(`${path}.new`, path)
    } catch (error) {
      report(error as Error)
    }
  }
  return {
    last: places[url],
    keep: (id) => {
      places[url] = id
      timer ??= setTimeout(flush, pause)
    },
    flush,
  }
}

function placesOf(path: string): Record<string, string> {
  if (!existsSync(path)) return {}
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>
  } catch {
    return {} // no JSON: it begins with what comes
  }
}
