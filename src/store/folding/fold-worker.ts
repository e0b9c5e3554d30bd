import { parentPort } from 'node:worker_threads'
import type { FoldAnswer } from '../fold-thread.ts'
import { carryOutFold } from './carry-out.ts'

/** The thread that folds: it is posted orders, and posts what came of each. */
parentPort?.on('message', (order) => {
  const answer = (told: FoldAnswer) => parentPort?.postMessage(told)
  carryOutFold(order).then(
    (done) => answer({ done }),
    (error: Error) => answer({ error: { ...error, message: error.message } }),
  )
})
