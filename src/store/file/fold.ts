import { Low } from 'lowdb'
import { createState } from '../../domain/state.ts'
import { applications } from '../../fixtures.ts'
import type { Files, SealedFile } from './manifest.ts'
import { StoredState } from './stored-state.ts'

/** What to fold: a state folder, and a snapshot with the sealed journals after it. */
export interface FoldOrder {
  readonly folder: string
  readonly files: Files
}

/** Folds sealed journals into a new snapshot, which nothing names yet. Errors: those of reading and writing. */
export async function fold({ folder, files }: FoldOrder): Promise<SealedFile> {
  const empty = () => createState(applications)
  const stored = new StoredState(folder, files, empty)
  const state = new Low(stored, empty())
  await state.read()
  await state.write()
  return stored.snapshot as SealedFile
}
