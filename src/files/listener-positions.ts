import { join } from 'node:path'
import { DamagedFile, readChecked, replaceChecked } from './checked-json.ts'

/** Name of the file in which `tillbox listen` keeps its positions, beside the state. The sandbox only checks it. */
export const listenersFileName = 'listeners.json'

/** Id of the last notification handled, by listener. */
export type ListenerPositions = Readonly<Record<string, string>>

/** The positions kept in a folder; none where the file is missing. Errors: DamagedFile; an Error of the file system. */
export function readListenerPositions(folder: string): ListenerPositions {
  const path = join(folder, listenersFileName)
  const positions = readChecked(path)?.data ?? {}
  if (isPositions(positions)) return positions
  throw new DamagedFile(path, 'it should hold ids by target')
}

/** Replaces the positions of a folder. Errors: an Error of the file system. */
export const writeListenerPositions = (folder: string, positions: ListenerPositions): void =>
  replaceChecked(join(folder, listenersFileName), positions)

const isPositions = (value: unknown): value is ListenerPositions =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((id) => typeof id === 'string')
