import { onTestFinished } from 'vitest'
import { operations } from '../../../src/contract/operations.ts'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import { type ServerOptions, startSandbox } from '../../../src/server/server.ts'
import { send } from '../commands/running-sandbox.ts'
import { sale, temporaryFolder } from './service.ts'

/** A sandbox on a real port, closed after the test. */
export interface ListeningSandbox {
  readonly url: string
  readonly sandbox: Sandbox
  /** Sends a sale of 10.00 USD, changed by `members`. A refused one has no transaction. */
  sell(members?: object): Promise<{ readonly traceId: string; readonly transactionId: string | undefined }>
  close(): Promise<void>
}

/** Starts a sandbox that listens. */
export async function openListeningSandbox(options: Partial<ServerOptions> = {}): Promise<ListeningSandbox> {
  const { connection, sandbox, close: stop } = await startSandbox({ state: temporaryFolder(), ...options })
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= stop()
    return closing
  }
  onTestFinished(close)
  const sell: ListeningSandbox['sell'] = async (members = {}) => {
    const { envelope } = await send(connection, 'POST', operations.sale.path, { body: sale(1000, members) })
    return { traceId: envelope.traceId, transactionId: envelope.data?.transactionId }
  }
  return { url: connection.url, sandbox, sell, close }
}
