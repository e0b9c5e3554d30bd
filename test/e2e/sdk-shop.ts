import { NexusClient, SunbayBusinessError, TransactionStatus } from '@sunbay/sunbay-nexus-sdk'
import { expect, vi } from 'vitest'
import type { Connection } from '../../src/contract/control/control-answers.ts'
import { startSandboxCommand } from '../support/commands/running-sandbox.ts'
import { newId } from '../support/service/new-id.ts'

/** A client of the Node SDK that logs nothing. */
export const quietClient = (baseUrl: string, apiKey: string): NexusClient =>
  new NexusClient({ apiKey, baseUrl, maxRetries: 1, logger: {} })

/** The business error of a call of the Node SDK; fails the test when there is none. */
export async function sdkRefusal(call: Promise<unknown>): Promise<SunbayBusinessError> {
  const error = await call.then(
    (answer) => new Error(`accepted: ${JSON.stringify(answer)}`),
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(SunbayBusinessError)
  return error as SunbayBusinessError
}

/** A merchant that uses the Node SDK. */
export function sdkShopOn({ url, apiKey, appId, merchantId }: Omit<Connection, 'pid'>) {
  const client = quietClient(url, apiKey)
  const merchant = { appId, merchantId }
  const terminal = { ...merchant, terminalSn: 'TBX-AUTO-001' }
  /** Members that every request at a terminal has. */
  const base = { ...terminal, description: 'a test' }
  /** Members of an online request that opens an order. `parts`: of its amount. */
  const onlineOrder = (orderAmount: number, parts: object = {}) => ({
    ...merchant,
    description: base.description,
    referenceOrderId: `ORDER-${newId('').slice(-20)}`,
    transactionRequestId: newId(),
    amount: { orderAmount, priceCurrency: 'USD', ...parts },
  })
  /** The same for a request at a terminal. */
  const order = (orderAmount: number, terminalSn = base.terminalSn, parts: object = {}) => ({
    ...onlineOrder(orderAmount, parts),
    terminalSn,
  })
  const query = (transactionId: string | undefined) =>
    client.query({ ...merchant, transactionId: String(transactionId) })
  const queryByRequest = (transactionRequestId: string) => client.query({ ...merchant, transactionRequestId })
  /** Queries until the status is final. */
  const final = (transactionId: string | undefined) =>
    vi.waitFor(
      async () => {
        const record = await query(transactionId)
        expect(record.transactionStatus).toBeInstanceOf(TransactionStatus)
        expect([TransactionStatus.INITIAL, TransactionStatus.PROCESSING]).not.toContain(
          record.transactionStatus,
        )
        return record
      },
      { timeout: 60_000 },
    )
  /** A sale that succeeded. `parts`: of its amount; `more`: other members. */
  const paid = async (orderAmount: number, parts: object = {}, more: object = {}) => {
    const opened = await client.sale({ ...order(orderAmount, terminal.terminalSn, parts), ...more })
    const record = await final(opened.transactionId)
    expect(record.transactionStatus).toBe(TransactionStatus.SUCCESS)
    return record
  }
  /** A request about an original, for so much of it. */
  const followUp = (
    { transactionId }: { readonly transactionId?: string },
    orderAmount: number,
    more: object = {},
  ) => ({
    ...base,
    originalTransactionId: String(transactionId),
    transactionRequestId: newId(),
    amount: { orderAmount, priceCurrency: 'USD' },
    ...more,
  })
  return {
    ...{ client, merchant, terminal, base },
    ...{ order, onlineOrder, query, queryByRequest, final, paid, followUp },
  }
}

/** The same on a sandbox of its own. `args`: of `sandbox start`. */
export async function openSdkShop(...args: string[]) {
  const sandbox = await startSandboxCommand(args)
  return { sandbox, ...sdkShopOn(sandbox) }
}
