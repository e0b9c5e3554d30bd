import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The last notification that was dealt with, over restarts of this command; kept beside the state. */
export interface Memory {
  /** True when it outlives this command. */
  readonly lasting: boolean
  last(): string | undefined
  keep(id: string): void
}

/** The memory of who listens to a state folder for a target; `fromNow`: what came before is forgotten. */
export function placeMemory(folder: string, target: string, fromNow: boolean): Memory {
  const path = join(folder, 'listeners.json')
  const read = (): Record<string, string> => {
    try {
      return JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>
    } catch {
      return {} // the first time, or cut off: then it begins with what comes
    }
  }
  let last = fromNow ? undefined : read()[target]
  return {
    lasting: existsSync(folder),
    last: () => last,
    keep: (id) => {
      last = id
      if (!existsSync(folder)) return
      const beside = `${path}.${process.pid}`
      writeFileSync(beside, `${JSON.stringify({ ...read(), [target]: id })}\n`, { mode: 0o600 })
      renameSync(beside, path)
    },
  }
}
