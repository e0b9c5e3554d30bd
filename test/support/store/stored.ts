import type { PastStory } from '../../../src/contract/control/control-answers.ts'
import { operations } from '../../../src/contract/operations.ts'
import { story } from '../../../src/sandbox/views/views.ts'
import type { Sandbox } from '../../../src/server/sandbox/sandbox.ts'
import { type Ask, askIn, dataOf } from '../service/ask.ts'

/** The terminal whose batches are closed. */
export const tillSn = 'TBX-AUTO-001'

/** A closed batch as an answer names it. */
export interface ClosedBatch {
  readonly batchNo: string
  readonly count: number
  readonly net: number
}

/** What a sandbox has stored, for whoever checks it. */
export interface Stored {
  /** The transaction that the request with this transactionRequestId opened. */
  story(requestId: string): Promise<PastStory | undefined>
  /** Closed batches of the till. */
  closes(): Promise<readonly ClosedBatch[]>
  /** Transactions in all. */
  count(): Promise<number>
  /** The seed of the last fault, which the load sets to a number that counts up. */
  setting(): Promise<number>
}

/** The same by asking. */
export function storedOver(ask: Ask): Stored {
  /** A look-up may be sent again: the server may have ended an idle connection at the same moment. */
  const lookUp = async (path: string, again = 3): ReturnType<Ask> => {
    const answer = await ask('GET', path)
    return answer === null && again > 0 ? lookUp(path, again - 1) : answer
  }
  const get = async (path: string) => dataOf(await lookUp(path), path)
  return {
    story: async (requestId) => {
      const path = `${operations.query.path}?transactionRequestId=${requestId}`
      const answer = await lookUp(path)
      if (answer?.code === 'SBX_TXN_UNKNOWN') return undefined
      return get(`/_sandbox/transactions/${dataOf(answer, path).transactionId}`)
    },
    closes: async () => {
      const { batchCloseList } = await get(`${operations['batch-close-list'].path}?terminalSn=${tillSn}`)
      // biome-ignore lint/suspicious/noExplicitAny: an answer as it comes
      return batchCloseList.map(({ batchNo, totalCount, netAmount }: any) => ({
        batchNo,
        count: totalCount,
        net: netAmount,
      }))
    },
    count: async () => (await get('/_sandbox/state')).transactions,
    setting: async () => (await get('/_sandbox/faults')).faults.at(-1)?.seed ?? 1,
  }
}

/** The same of a sandbox of this process, without a request for each transaction. */
export function storedIn(sandbox: Sandbox): Stored {
  const { ledgers } = sandbox.engine.state
  return {
    ...storedOver(askIn(sandbox)),
    story: async (requestId) => {
      for (const { transactions } of ledgers.values()) {
        const transaction = transactions.withTransactionRequestId(requestId)
        if (transaction !== undefined) return story(sandbox, transaction.id)
      }
      return undefined
    },
  }
}
