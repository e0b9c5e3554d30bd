import { parentPort, workerData } from 'node:worker_threads'
import { carryOutFold } from './carry-out.ts'

/** The thread that folds: it is given the order, and posts what came of it. An error ends it. */
void carryOutFold(workerData).then((done) => parentPort?.postMessage(done))
