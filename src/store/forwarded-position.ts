import { LowSync } from 'lowdb'
import { type Positions, readPositions, writePositions } from '../files/positions.ts'
import { clearTimeout, setTimeout } from '../timers.ts'

/** The position of a forwarder, kept across restarts. */
export interface ForwardedPosition {
  /** Stored id of the last notification that was handled; undefined the first time. */
  readonly last: string | undefined
  keep(id: string): void
  /** Writes pending changes; errors are reported. */
  flush(): Promise<void>
}

/** Minimum pause between two writes; after a crash, later notifications are sent again. Milliseconds. */
const pause = 250

/**
 * The position of the forwarder to a URL, in the checked file of a state folder. `confirm` checks, before each write,
 * that the folder is still ours. Errors: DamagedFile.
 */
export function openForwarded(
  folder: string,
  url: string,
  confirm: () => void,
  report: (error: Error) => void,
): ForwardedPosition {
  const positions = new LowSync<Positions>(
    {
      read: () => readPositions(folder, 'forwarded'),
      write: (data) => {
        confirm()
        writePositions(folder, 'forwarded', data)
      },
    },
    {},
  )
  positions.read()
  let timer: NodeJS.Timeout | undefined
  const flush = async () => {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    try {
      positions.write()
    } catch (error) {
      report(error as Error)
    }
  }
  return {
    get last() {
      return positions.data[url]
    },
    keep: (id) => {
      positions.data = { ...positions.data, [url]: id }
      timer ??= setTimeout(flush, pause)
    },
    flush,
  }
}
