import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import { sendRequest } from '../commands/running-sandbox.ts'
import { openRawSandbox } from './raw.ts'
import { salePath } from './requests.ts'
import { sale } from './service.ts'

/** A sandbox on a real port, closed after the test. */
export interface ListeningSandbox {
  readonly url: string
  readonly sandbox: Sandbox
  /** Sends a sale of 10.00 USD, changed by `members`. A refused one has no transaction. */
  sell(members?: object): Promise<{ readonly traceId: string; readonly transactionId: string | undefined }>
  close(): Promise<void>
}

/** Starts a sandbox that listens. */
export async function openListeningSandbox(): Promise<ListeningSandbox> {
  const { connection, sandbox, close } = await openRawSandbox()
  const sell: ListeningSandbox['sell'] = async (members = {}) => {
    const { envelope } = await sendRequest(connection, 'POST', salePath, { body: sale(1000, members) })
    return { traceId: envelope.traceId, transactionId: envelope.data?.transactionId }
  }
  return { url: connection.url, sandbox, sell, close }
}
