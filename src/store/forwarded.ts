import { join } from 'node:path'
import * as v from 'valibot'
import { DamagedFile, readChecked, replaceChecked } from '../files/checked-json.ts'
import { clearTimeout, setTimeout } from '../timers.ts'

/** How far a forwarder came, over restarts of the sandbox. */
export interface Forwarded {
  /** Id of the last notification that was dealt with; undefined the first time. */
  readonly last: string | undefined
  keep(id: string): void
  /** Writes what is not written yet. */
  flush(): void
}

/** What is kept is written at most so often; after a crash the rest comes again. Milliseconds. */
const pause = 250

/** Name of the file in a state folder: ids by URL. */
export const forwardedFileName = 'forwarded.json'

const schema = v.record(v.string(), v.string())

/**
 * How far each forwarder came, as the file of a state folder has it: up to `pause` late. Errors: DamagedFile.
 */
export function readForwarded(folder: string): Record<string, string> {
  const path = join(folder, forwardedFileName)
  const parsed = v.safeParse(schema, readChecked(path)?.data ?? {})
  if (parsed.success) return parsed.output
  throw new DamagedFile(path, 'it should hold ids by URL')
}

/**
 * How far the forwarder to that URL came, in the checked file of a state folder. `confirm` makes sure, before each write,
 * that the folder is still ours. Errors: DamagedFile.
 */
export function openForwarded(
  folder: string,
  url: string,
  confirm: () => void,
  report: (error: Error) => void,
): Forwarded {
  const positions = readForwarded(folder)
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    try {
      confirm()
      replaceChecked(join(folder, forwardedFileName), positions)
    } catch (error) {
      report(error as Error)
    }
  }
  return {
    last: positions[url],
    keep: (id) => {
      positions[url] = id
      timer ??= setTimeout(flush, pause)
    },
    flush,
  }
}
