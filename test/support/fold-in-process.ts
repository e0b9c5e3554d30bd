import { type FoldOrder, fold } from '../../src/store/file/fold.ts'

/** The fold without a thread, so that what it does to the disk is watched. For `vi.mock` of fold-in-worker.ts. */
export const inProcess = { foldInWorker: async (order: FoldOrder) => fold(order) }
