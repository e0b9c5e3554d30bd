import { Low } from 'lowdb'
import { createState, forgetOldRequests } from '../../domain/state.ts'
import { catalogueOf, type Fixtures } from '../../fixtures.ts'
import { wallTime } from '../../timers.ts'
import type { Files, SealedFile } from './format/manifest.ts'
import { StoredState } from './stored-state.ts'

/** What to fold: a state folder, and a snapshot with the sealed journals after it. */
export interface FoldOrder {
  readonly folder: string
  /** Fixtures of the sandbox: the batch of a payment depends on its card. */
  readonly fixtures: Fixtures
  readonly files: Files
  /** Wall clock, for dropping expired request marks; by default the clock of this machine. */
  readonly now?: number
}

/** Folds sealed journals into a new snapshot, which no manifest names yet. Errors: those of reading and writing. */
export async function fold({ folder, fixtures, files, now = wallTime() }: FoldOrder): Promise<SealedFile> {
  const catalogue = catalogueOf(fixtures)
  const empty = () => createState(catalogue)
  const stored = new StoredState(folder, files, empty)
  const state = new Low(stored, empty())
  await state.read()
  forgetOldRequests(state.data, now)
  await state.write()
  return stored.snapshot as SealedFile
}
