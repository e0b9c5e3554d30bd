import { randomUUID } from 'node:crypto'
import { type OperationName, operations } from '../../../src/contract/operations.ts'
import { createSandbox } from '../../../src/library/create-sandbox.ts'
import { parseJson } from '../../../src/shared/read-or.ts'
import { readArchive } from '../../../src/testing/drift/archive.ts'
import { type ComparedExchange, drift, driftOptions } from '../../../src/testing/drift/drift.ts'
import type { TestSandbox } from '../../../src/testing/helpers/test-sandbox.ts'
import type { AnyJson } from '../../support/any-json.ts'
import { newId } from '../../support/service/new-id.ts'
import { following, sale } from '../../support/service/service.ts'
import { labelHeader } from './changing-proxy.ts'

/** An exchange of a recording: its name in the test, and its entry of an HTTP Archive. */
export interface Entry {
  readonly label: string
  readonly har: AnyJson
}

/** Whom a shop calls, and as whom. */
type Service = Pick<TestSandbox, 'url' | 'apiKey' | 'appId' | 'merchantId'>

/** What a shop does with a new sandbox, which stands for the service. */
export async function recordDay(
  userAgent = 'shop/1.0',
  options: object = {},
  tip?: number,
): Promise<Entry[]> {
  await using service = await createSandbox({ ...driftOptions, terminals: 'open', ...options })
  return await recordDayAt(service, userAgent, tip)
}

/** Calls a service, and records each exchange. */
export function recorderOf(service: Service, userAgent = 'shop/1.0') {
  const entries: Entry[] = []
  let at = 0
  const call = async (label: string, name: OperationName, members: object, others: object = {}) => {
    const { method, path } = operations[name]
    const query = method === 'GET' ? `?${new URLSearchParams(members as Record<string, string>)}` : ''
    const url = `${service.url}${path}${query}`
    const headers = {
      Authorization: `Bearer ${service.apiKey}`,
      'X-Client-Request-Id': randomUUID(),
      'X-Timestamp': String(Date.now()),
      'User-Agent': userAgent,
      ...(method === 'POST' && { 'Content-Type': 'application/json' }),
      ...others,
    }
    const body = method === 'POST' ? JSON.stringify(members) : undefined
    const sent = { ...headers, [labelHeader]: label }
    const response = await fetch(url, { method, headers: sent, ...(body !== undefined && { body }) })
    const text = await response.text()
    at = Math.max(Date.now(), at + 1) // no two at the same time
    entries.push({
      label,
      har: {
        startedDateTime: new Date(at).toISOString(),
        request: {
          method,
          url: url.replace(service.url, 'https://open.example'),
          headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
          ...(body !== undefined && { postData: { mimeType: 'application/json', text: body } }),
        },
        response: {
          status: response.status,
          headers: [...response.headers].map(([name, value]) => ({ name, value })),
          content: { mimeType: 'application/json', text },
        },
      },
    })
    return (parseJson(text) as AnyJson)?.data ?? {}
  }
  return { entries, call }
}

/** What a shop does with a service on some day. `tip`: of a capture of 2200. */
export async function recordDayAt(service: Service, userAgent = 'shop/1.0', tip = 50): Promise<Entry[]> {
  const { entries, call } = recorderOf(service, userAgent)
  const { appId, merchantId } = service
  const first = sale(1000, { appId, merchantId, tipAmount: 100 })
  const paid = await call('sale', 'sale', first)
  await call('query', 'query', { transactionId: paid.transactionId })
  await call('duplicate', 'sale', first)
  await call('wrong', 'sale', sale(-1))
  const refund = await call('refund', 'refund', following(paid.transactionId, { amount: 400 }))
  await call('refund-query', 'query', { transactionId: refund.transactionId })
  await call('refused', 'refund', following(paid.transactionId, { amount: 99_999 }))
  const declined = await call('declined', 'sale', sale(9823, { terminalSn: 'LANE-7' }))
  await call('declined-query', 'query', { transactionId: declined.transactionId })
  const auth = await call('auth', 'auth', sale(2000))
  await call('increment', 'incremental-auth', following(auth.transactionId, { amount: 500 }))
  const capture = await call('capture', 'post-auth', following(auth.transactionId, { amount: 2200 }))
  await call('tip', 'tip-adjust', { originalTransactionId: capture.transactionId, tipAmount: tip })
  await call('capture-query', 'query', { transactionId: capture.transactionId })
  await call('batches', 'batch-query', {})
  const { sessionId } = await call('session', 'create-session', sale(700))
  await call('expire', 'expire-session', { sessionId })
  await call('merchant', 'merchant-query', {})
  await call('close', 'batch-close', { transactionRequestId: newId() })
  await call('closes', 'batch-close-list', {})
  await call('no-timestamp', 'query', { transactionId: paid.transactionId }, { 'X-Timestamp': '17' })
  return entries
}

/** The recording as the text of a file. */
export const archiveText = (entries: readonly Entry[]): string =>
  JSON.stringify({ log: { version: '1.2', entries: entries.map(({ har }) => har) } })

/** Compares a recording with a fresh sandbox. */
export async function compareDay(entries: readonly Entry[]): Promise<ComparedExchange[]> {
  await using fresh = await createSandbox(driftOptions)
  return await drift(readArchive(archiveText(entries))?.exchanges ?? [], fresh)
}

/** Every difference as `label where`, and what was left out. */
export const placesIn = (entries: readonly Entry[], compared: readonly ComparedExchange[]): string[] =>
  compared.flatMap(({ differences }, index) =>
    differences.map(({ where }) => `${entries[index]?.label} ${where}`),
  )
