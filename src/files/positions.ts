import { join } from 'node:path'
import { DamagedFile, readChecked, replaceChecked } from './checked-json.ts'

/** How far readers of the notifications came: the id of the last one that each dealt with, by its name. */
export type Positions = Readonly<Record<string, string>>

/** Files of positions in a state folder: of `--forward-to`, by URL; of `tillbox listen`, which writes it itself, by target. */
export const positionsFiles = { forwarded: 'forwarded.json', listeners: 'listeners.json' } as const

/** The positions in a folder; none where the file is missing. Errors: DamagedFile; an Error of the file system. */
export function readPositions(folder: string, name: keyof typeof positionsFiles): Positions {
  const path = join(folder, positionsFiles[name])
  const { data } = readChecked(path) ?? { data: {} }
  if (isPositions(data)) return data
  throw new DamagedFile(path, 'it should hold ids by target')
}

/** Replaces the positions in a folder. Errors: an Error of the file system. */
export const writePositions = (
  folder: string,
  name: keyof typeof positionsFiles,
  positions: Positions,
): void => replaceChecked(join(folder, positionsFiles[name]), positions)

const isPositions = (value: unknown): value is Positions =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((id) => typeof id === 'string')
