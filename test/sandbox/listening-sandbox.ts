import { sendRequest } from '../support/commands/running-sandbox.ts'
import { openRawSandbox } from '../support/service/raw.ts'
import { salePath } from '../support/service/requests.ts'
import { sale } from '../support/service/service.ts'

/** A sandbox on a real port, closed after the test. */
export type ListeningSandbox = Awaited<ReturnType<typeof openListeningSandbox>>

/** Starts a sandbox that listens. */
export async function openListeningSandbox() {
  const { connection, sandbox, close } = await openRawSandbox()
  /** Sends a sale of 10.00 USD, changed by `members`. A refused one has no transaction. */
  const sell = async (members: object = {}) => {
    const { envelope } = await sendRequest(connection, 'POST', salePath, { body: sale(1000, members) })
    return {
      traceId: envelope.traceId as string,
      transactionId: envelope.data?.transactionId as string | undefined,
    }
  }
  return { url: connection.url, sandbox, sell, close }
}
