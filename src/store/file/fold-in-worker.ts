import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { packageRoot } from '../../package-root.ts'
import type { FoldOrder } from './fold.ts'
import type { SealedFile } from './format/manifest.ts'

/** Folds sealed journals into a new snapshot, in a thread of its own. Errors: those of `fold`. */
export function foldInWorker(order: FoldOrder): Promise<SealedFile> {
  const worker = new Worker(join(packageRoot, 'dist/store/file/fold-worker.js'), { workerData: order })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`the thread ended with ${code}`)))
  })
}
