import { parentPort, workerData } from 'node:worker_threads'
import { type FoldOrder, fold } from './fold.ts'

/** The thread that folds: it is given the order, and posts the new snapshot. */
parentPort?.postMessage(await fold(workerData as FoldOrder))
