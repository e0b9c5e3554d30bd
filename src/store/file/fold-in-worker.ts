import { foldThread } from '../fold-thread.ts'
import type { FoldOrder } from './fold.ts'
import type { SealedFile } from './format/manifest.ts'

/** Folds sealed journals into a new snapshot, in a worker thread. Errors: those of `fold`. */
export const foldInWorker = (order: FoldOrder): Promise<SealedFile> => foldThread.run<SealedFile>(order)
