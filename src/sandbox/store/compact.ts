import { workerData } from 'node:worker_threads'
import { Low } from 'lowdb'
import { applications } from '../../fixtures.ts'
import { createBook } from '../book.ts'
import { BookAdapter } from './adapter.ts'
import { removeBefore } from './journal.ts'

/** What the worker is given: a state folder, and the first journal file that is still written to. */
export interface CompactOrder {
  readonly folder: string
  readonly before: string
}

/** Folds the sealed journal files into the snapshot and removes them. A crash at any point loses nothing. */
export async function compact({ folder, before }: CompactOrder): Promise<void> {
  const empty = () => createBook(applications, 0)
  const book = new Low(new BookAdapter(folder, empty, { before }), empty())
  await book.read()
  await book.write()
  removeBefore(folder, before)
}

if (workerData !== null && workerData !== undefined) await compact(workerData as CompactOrder)
