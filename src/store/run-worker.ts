import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { packageRoot } from '../package-root.ts'

/** Carries out an order of folding in a thread of its own. Errors: those of the fold. */
export function runFoldWorker<T>(order: object): Promise<T> {
  const worker = new Worker(join(packageRoot, 'dist/store/folding/fold-worker.cjs'), { workerData: order })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`the thread ended with ${code}`)))
  })
}
