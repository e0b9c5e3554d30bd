import { randomUUID } from 'node:crypto'
import { expect, vi } from 'vitest'
import type { AnyJson } from '../support/any-json.ts'
import type { LaunchedSandbox, SandboxAnswer } from '../support/commands/running-sandbox.ts'
import type { Sdk } from '../support/sdk/sdks.ts'
import { newId } from '../support/service/new-id.ts'
import { isoWithOffset } from '../support/service/time-formats.ts'

/** Requests as an SDK sends them, and answers as it can read them. */

export const originalMembers = ['originalTransactionId', 'originalTransactionRequestId']
const openedMembers = ['transactionId', 'referenceOrderId', 'transactionRequestId', 'transactionStatus']

const recordStrings = [
  ...openedMembers,
  'transactionType',
  'createTime',
  'completeTime',
  'maskedPan',
  'cardNetworkType',
  'paymentMethodId',
  'subPaymentMethodId',
  'batchNo',
  'voucherNo',
  'stan',
  'rrn',
  'authCode',
  'entryMode',
  'authenticationMethod',
  'transactionResultCode',
  'transactionResultMsg',
  'terminalSn',
  'description',
  'attach',
]

/** The members that the strictest SDK knows, by operation. */
const knownMembers: Readonly<Record<string, readonly string[]>> = {
  sale: openedMembers,
  auth: openedMembers,
  'forced-auth': openedMembers,
  'incremental-auth': openedMembers,
  'post-auth': [...openedMembers, ...originalMembers],
  refund: [...openedMembers, ...originalMembers],
  void: ['transactionId', 'transactionRequestId', 'transactionStatus', ...originalMembers],
  abort: ['transactionStatus', ...originalMembers],
  'tip-adjust': [...originalMembers, 'tipAmount'],
  query: [...recordStrings, 'amount'],
  'create-session': [
    'checkoutUrl',
    'expiresAt',
    'sessionId',
    'appId',
    'merchantId',
    'transactionRequestId',
    'referenceOrderId',
    'description',
    'amount',
    'productList',
    'collectBillingAddress',
    'collectShippingAddress',
    'merchantReturnUrl',
    'notifyUrl',
  ],
  'direct-payment': ['transactionId', 'referenceOrderId', 'transactionRequestId', 'redirectUrl'],
  'batch-query': ['batchList'],
}

const textMembers = new Set([
  ...recordStrings,
  ...originalMembers,
  'relatedTransactionStatus',
  'transactionBatchStatus',
])

/** .NET loses the whole answer over a value that it does not know. */
const values: Readonly<Record<string, readonly string[]>> = {
  transactionStatus: ['I', 'P', 'S', 'F', 'C'],
  transactionType: ['SALE', 'AUTH', 'FORCED_AUTH', 'INCREMENTAL', 'POST_AUTH', 'REFUND', 'VOID'],
  cardNetworkType: ['CREDIT', 'DEBIT', 'EBT', 'EGC', 'UNKNOWN'],
  entryMode: ['MANUAL', 'SWIPE', 'FALLBACK_SWIPE', 'CONTACT', 'CONTACTLESS'],
  authenticationMethod: ['NOT_AUTHENTICATED', 'PIN', 'OFFLINE_PIN', 'BY_PASS', 'SIGNATURE'],
  relatedTransactionStatus: ['VOIDED', 'INCREMENTAL', 'REFUNDED', 'CAPTURE', 'PART_REFUNDED'],
  transactionBatchStatus: ['N', 'U', 'C'],
}

const batchAmounts = ['netAmount', 'tipAmount', 'surchargeAmount', 'taxAmount']
const batchIntegers = new Set([...batchAmounts, 'totalCount', 'transactionCount'])

/** Members of an entry of the batch query, and of the answer to a batch close: what the strictest SDK knows. */
const batchMembers = {
  'batch-query': ['batchNo', 'startTime', 'channelCode', 'priceCurrency', 'totalCount', ...batchAmounts],
  'batch-close': ['batchNo', 'terminalSn', 'batchTime', 'transactionCount', 'priceCurrency', ...batchAmounts],
}

/** Go and PHP raise an error over a batchNo that is a number, Java loses what is beyond 32 bits. */
function expectBatch(batch: Record<string, unknown>): void {
  for (const [member, value] of Object.entries(batch)) {
    if (batchIntegers.has(member))
      expect(value).toSatisfy((it: number) => Number.isInteger(it) && it < 2 ** 31)
    else expect([member, typeof value]).toEqual([member, 'string'])
    if (member.endsWith('Time')) expect(value).toMatch(isoWithOffset)
  }
}

/** Fails unless every batch in the answer has these members, where they are known, and the types that SDKs read. */
function expectBatches(operation: string, { batchList, batchCloseList, ...closed }: AnyJson): void {
  const batches = operation === 'batch-close' ? [closed] : (batchList ?? batchCloseList)
  const members = batchMembers[operation as keyof typeof batchMembers]
  for (const batch of batches) {
    if (members !== undefined) expect(Object.keys(batch).sort()).toEqual(members.toSorted())
    expectBatch(batch)
  }
  if (operation === 'batch-close') for (const further of batchList ?? []) expectBatch(further)
}

/** Fails unless the SDK can read the answer. */
function expectReadable(
  { strict }: Sdk,
  operation: string,
  { status, headers, envelope }: SandboxAnswer,
): void {
  expect(status).toBe(200)
  expect(headers['content-type']).toMatch(/^application\/json/)
  expect(headers['content-encoding']).toBeUndefined()
  const { code, msg, traceId, data } = envelope
  for (const text of [code, msg, traceId]) expect(text).toBeTypeOf('string')
  expect(traceId.length).toBeLessThanOrEqual(64)
  expect(code.length).toBeLessThanOrEqual(16)
  if (code !== '0') {
    expect(data).toBeUndefined()
    if (strict) expect(Object.keys(envelope).sort()).toEqual(['code', 'msg', 'traceId'])
    return
  }
  expect(data).toBeTypeOf('object')
  for (const [member, value] of Object.entries(data)) {
    if (strict && knownMembers[operation] !== undefined) expect(knownMembers[operation]).toContain(member)
    if (textMembers.has(member)) expect([member, typeof value]).toEqual([member, 'string'])
    if (values[member] !== undefined) expect(values[member]).toContain(value)
  }
  if (operation === 'query') expectAmount(data.amount)
  if (operation.startsWith('batch-')) expectBatches(operation, data)
}

/** Java loses the whole answer over a number beyond 32 bits, PHP raises an error over an empty object. */
function expectAmount({ priceCurrency, ...amounts }: Record<string, unknown>): void {
  expect(priceCurrency).toBeTypeOf('string')
  for (const name of [
    'transAmount',
    'orderAmount',
    'taxAmount',
    'surchargeAmount',
    'tipAmount',
    'cashbackAmount',
  ])
    expect(amounts[name]).toSatisfy((value: number) => Number.isInteger(value) && value < 2 ** 31)
}

/** What is left out is null for the one SDK that says so. */
export const nullMembers = ({ strict }: Sdk, ...members: string[]) =>
  strict ? Object.fromEntries(members.map((member) => [member, null])) : {}

const amountMembers = ['tipAmount', 'taxAmount', 'surchargeAmount', 'cashbackAmount']

/** A client that speaks as the SDK does. */
export function clientOf(sandbox: Pick<LaunchedSandbox, 'appId' | 'merchantId' | 'send'>, sdk: Sdk) {
  const { appId, merchantId } = sandbox
  const send = async (operation: string, method: string, path: string, text?: string) => {
    const id = randomUUID()
    const headers = { ...sdk.headers, 'X-Client-Request-Id': sdk.undashed ? id.replaceAll('-', '') : id }
    const answer = await sandbox.send(method, path, { headers, ...(text !== undefined && { text }) })
    expectReadable(sdk, operation, answer)
    return answer.envelope
  }
  const post = async (operation: string, members: object) => {
    const body = { appId, merchantId, terminalSn: 'TBX-AUTO-001', ...members }
    // Java writes its percentages as doubles: 15.0
    const text = JSON.stringify(body).replace(/"(\d+\.0)"/g, '$1')
    return send(operation, 'POST', `/v1/semi-integration/transaction/${operation}`, text)
  }
  const query = (transactionId: string) =>
    send('query', 'GET', `/v1/transaction/query?${new URLSearchParams({ appId, merchantId, transactionId })}`)
  const common = () => ({
    transactionRequestId: newId(),
    description: `by ${sdk.name}`,
    ...nullMembers(sdk, 'attach', 'notifyUrl'),
    ...(sdk.strict && { printReceipt: 'NONE' }),
  })
  const order = () => ({
    ...common(),
    referenceOrderId: `ORDER-${newId('').slice(-20)}`,
    ...nullMembers(sdk, 'paymentMethod', 'cardNetworkType', 'timeExpire', 'signatureEntryLocation'),
  })
  const money = (orderAmount: number, more: object = {}) => ({
    amount: {
      orderAmount,
      priceCurrency: 'USD',
      ...nullMembers(sdk, ...amountMembers, ...(sdk.tipConfig === 'inside' ? ['tipConfig'] : [])),
      ...more,
    },
  })
  const on = (originalTransactionId: string) => ({
    ...common(),
    originalTransactionId,
    ...nullMembers(sdk, 'originalTransactionRequestId'),
  })
  const push = sdk.alwaysPushes ? { pushToTerminal: true } : {}
  const final = (transactionId: string) =>
    vi.waitFor(
      async () => {
        const { data } = await query(transactionId)
        expect(['S', 'F', 'C']).toContain(data.transactionStatus)
        return data
      },
      { timeout: 60_000 },
    )
  /** Sends, waits for the final status, and returns the record. */
  const done = async (operation: string, members: object) => {
    const { code, msg, data } = await post(operation, members)
    expect([code, msg]).toEqual(['0', 'success'])
    return final(data.transactionId)
  }
  return { send, post, query, order, money, on, push, final, done }
}
