import { join } from 'node:path'
import { isObject } from '../is-object.ts'
import { DamagedFile, readChecked, replaceChecked } from './checked-json.ts'

/** A notification that a listener has yet to deliver. */
export interface UndeliveredNotification {
  readonly id: string
  /** Its number at that listener, counting from 1. */
  readonly number: number
  /** Attempts so far, and how many of them count in the retry schedule. */
  readonly attempts: number
  readonly failures: number
  /** Wall-clock time of the next attempt; 0 before the first. */
  readonly dueAt: number
}

/** The position of a listener: the last notification that it read, and those that it has yet to deliver. */
export interface ListenerState {
  readonly after: string
  readonly number: number
  readonly unsettled: readonly UndeliveredNotification[]
}

/** The value per target of each file: the id of the last handled notification, or the state of a listener. */
interface PositionOf {
  readonly forwarded: string
  readonly listeners: string | ListenerState
}

/** The positions of readers of notifications, by target. */
export type Positions<N extends keyof PositionOf = 'forwarded'> = Readonly<Record<string, PositionOf[N]>>

/**
 * Names of the files of positions: of `--forward-to` by URL, and of `tillbox listen`, which writes its own, by target.
 */
export const positionsFiles = { forwarded: 'forwarded.json', listeners: 'listeners.json' } as const

/** The positions in a folder; none without a file. Errors: DamagedFile; an Error of the file system. */
export function readPositions<N extends keyof PositionOf>(folder: string, name: N): Positions<N> {
  const path = join(folder, positionsFiles[name])
  const { data } = readChecked(path) ?? { data: {} }
  if (isPositions(name, data)) return data
  throw new DamagedFile(path, 'it should hold ids by target')
}

/** Replaces the positions in a folder. Errors: an Error of the file system. */
export const writePositions = <N extends keyof PositionOf>(
  folder: string,
  name: N,
  positions: Positions<N>,
): void => replaceChecked(join(folder, positionsFiles[name]), positions)

const isPositions = <N extends keyof PositionOf>(name: N, value: unknown): value is Positions<N> =>
  isObject(value) &&
  Object.values(value).every((each) => typeof each === 'string' || (name === 'listeners' && isState(each)))

const isState = (value: unknown): boolean =>
  isObject(value) &&
  typeof value.after === 'string' &&
  typeof value.number === 'number' &&
  Array.isArray(value.unsettled) &&
  value.unsettled.every(
    (each) =>
      isObject(each) &&
      typeof each.id === 'string' &&
      [each.number, each.attempts, each.failures, each.dueAt].every((count) => typeof count === 'number'),
  )
