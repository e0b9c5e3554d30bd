import { Low } from 'lowdb'
import { createState, forgetOldRequests } from '../../domain/state.ts'
import { catalogueOf, type Fixtures } from '../../fixtures.ts'
import { wallTime } from '../../timers.ts'
import type { Files, SealedFile } from './format/manifest.ts'
import { StoredState } from './stored-state.ts'

/** What to fold: a state folder, and a snapshot with the sealed journals after it. */
export interface FoldOrder {
  readonly folder: string
  /** Of the sandbox: what a card is decides which batch a payment is in. */
  readonly fixtures: Fixtures
  readonly files: Files
  /** Wall clock, for the marks of requests that no rule asks for any more; left out, that of the machine. */
  readonly now?: number
}

/** Folds sealed journals into a new snapshot, which nothing names yet. Errors: those of reading and writing. */
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
