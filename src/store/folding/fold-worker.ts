import { parentPort } from 'node:worker_threads'
import type { FoldAnswer } from '../fold-thread.ts'
import { carryOutFold } from './carry-out.ts'

/** The folding thread: it receives orders, and posts their results. */
parentPort?.on('message', (order) => {
  const answer = (message: FoldAnswer) => parentPort?.postMessage(message)
  carryOutFold(order).then(
    (done) => answer({ done }),
    (error: Error) => answer({ error: { ...error, message: error.message } }),
  )
})
