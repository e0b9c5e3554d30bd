import { join } from 'node:path'
import * as v from 'valibot'
import { DamagedFile, readChecked } from '../../files/checked-json.ts'

/** Name of the file in which `tillbox listen` keeps its positions, beside the state. The sandbox only checks it. */
export const listenersFileName = 'listeners.json'

const schema = v.record(v.string(), v.string())

/** The positions, by target. Errors: DamagedFile; an Error of the file system. */
export function readListeners(folder: string): Record<string, string> {
  const path = join(folder, listenersFileName)
  const parsed = v.safeParse(schema, readChecked(path)?.data ?? {})
  if (parsed.success) return parsed.output
  throw new DamagedFile(path, 'it should hold ids by target')
}
