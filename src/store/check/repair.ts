import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { readTokens } from '../../access/tokens-file.ts'
import type { LeftOut, StateRepair } from '../../contract/sandbox/state-folder/state-verdict.ts'
import { createState, type State } from '../../domain/state.ts'
import { NewerFormat } from '../../files/checked-json.ts'
import { builtIn, type Catalogue } from '../../fixtures.ts'
import { wallTime } from '../../timers.ts'
import { backUp } from '../backup.ts'
import { lostFolder } from '../file/folder-ownership.ts'
import {
  commitManifest,
  fileNumberOf,
  filesOf,
  leftOvers,
  type Manifest,
  readManifest,
  stateFormat,
} from '../file/format/manifest.ts'
import { writeSnapshot } from '../file/snapshot.ts'
import { acquireLock } from '../lock.ts'
import { readSettings } from '../settings.ts'
import { type SalvageResult, salvage } from './salvage.ts'
import { smallFiles } from './small-files.ts'
import { verifyState } from './verify-state.ts'

/**
 * Keeps the sound part of a damaged state: first copies the folder, then writes the longest sound prefix as a new
 * snapshot. `now`: milliseconds, for the name of the copy. `catalogue`: of the sandbox that owns the state. A sound
 * state is not changed. Errors: LockedState while a sandbox uses it; NewerFormat for an undamaged state; an Error of
 * the file system, with the folder unchanged.
 */
export async function repairState(
  folder: string,
  now: number,
  catalogue: Catalogue = builtIn,
): Promise<StateRepair> {
  const lock = acquireLock(folder)
  try {
    const { sound, merchants, transactions } = await verifyState(folder)
    refuseNewer(folder)
    if (sound) return { folder, status: 'sound', backup: null, merchants, transactions, leftOut: [] }
    const backup = backUp(folder, now)
    const salvaged = salvage(folder, createState(catalogue))
    keep(folder, salvaged)
    const leftOut = [...salvaged.leftOut, ...dropUnreadable(folder)]
    return { folder, status: 'repaired', backup, ...countsOf(salvaged.state), leftOut }
  } finally {
    lock.release()
  }
}

/** Errors: NewerFormat for a state that another version wrote: it is not damaged, and only that version can read it. */
function refuseNewer(folder: string): void {
  try {
    readManifest(folder)
    readSettings(folder)
    readTokens(folder)
  } catch (error) {
    if (error instanceof NewerFormat) throw error
  }
}

function countsOf({ ledgers }: State): { merchants: number; transactions: number } {
  const used = [...ledgers.values()].filter(({ sequence }) => sequence > 0)
  return { merchants: used.length, transactions: used.reduce((sum, each) => sum + each.transactions.size, 0) }
}

/** Makes the salvaged state the current one: a snapshot, and a manifest that names only it. Errors: LostState. */
function keep(folder: string, { state }: SalvageResult): void {
  const before: Manifest = {
    number: greatestOf(folder, 'manifest'),
    format: stateFormat,
    lastJournal: greatestOf(folder, 'journal'),
    snapshot: null,
    journals: [],
    open: null,
  }
  const damaged = leftOvers(folder, before, wallTime())
  const snapshot = writeSnapshot(folder, state)
  const manifest = commitManifest(folder, before, { snapshot, journals: [], open: null })
  if (manifest === undefined) throw lostFolder(folder, 'another process made a manifest at the same moment')
  for (const name of damaged) rmSync(join(folder, name), { force: true })
}

const greatestOf = (folder: string, kind: 'manifest' | 'journal'): number =>
  fileNumberOf(filesOf(folder, kind).at(-1) ?? '')

/** Removes small files that cannot be read: the sandbox then starts with their defaults. */
function dropUnreadable(folder: string): LeftOut[] {
  return Object.entries(smallFiles).flatMap(([file, { read }]) => {
    try {
      read(folder)
      return []
    } catch (error) {
      rmSync(join(folder, file), { force: true, recursive: true })
      return [{ file, lines: null, why: (error as Error).message, transactionIds: [] }]
    }
  })
}
