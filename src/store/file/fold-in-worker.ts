import { runFoldWorker } from '../run-worker.ts'
import type { FoldOrder } from './fold.ts'
import type { SealedFile } from './format/manifest.ts'

/** Folds sealed journals into a new snapshot, in a thread of its own. Errors: those of `fold`. */
export const foldInWorker = (order: FoldOrder): Promise<SealedFile> => runFoldWorker<SealedFile>(order)
