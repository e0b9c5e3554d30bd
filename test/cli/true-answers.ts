import type { DeliveryView } from '../../src/contract/control/webhooks.ts'
import { operations } from '../../src/contract/operations.ts'
import { toldConnection } from '../support/network/told-connection.ts'
import { openService, sale } from '../support/service/service.ts'

const id = '1795159696581000'
const at = '2026-11-20T12:38:29Z'
const session = {
  ...{ sessionId: 's', merchantId: 'M', state: 'open', transactionId: id, transactionRequestId: 'R' },
  ...{ referenceOrderId: 'O', tries: 1, amount: 1, currency: 'USD', checkoutUrl: 'http://h/' },
  ...{ declined: { code: '051', message: 'no' }, createdAt: at, expiresAt: at },
}
const attempt = {
  ...{ at, url: 'http://h/', requestHeaders: { a: 'b' }, requestBody: '{}', status: 500 },
  ...{ responseHeaders: { c: 'd' }, responseBody: 'no', durationMs: 1, error: null, fault: 'drop' },
}
/** A delivery that failed. */
export const failedDelivery: DeliveryView = {
  ...{ transactionType: 'SALE', amount: 1000, currency: 'USD', listener: false },
  ...{ id: '1', kind: 'payment', event: null, merchantId: 'M', transactionId: id, transactionStatus: 'S' },
  ...{ url: 'http://h/', state: 'failed', held: false, attempts: 1, totalAttempts: 1 },
  ...{ last: 'gone', fault: 'drop', createdAt: at, nextAt: null },
}

/** A notification as an event stream has it. */
export const notification = { ...failedDelivery, terminalSn: 'T', headers: {}, body: '{}' }
const secret = { appId: 'A', secret: 'whsec', previous: null, signature: 'hmac', signatureEncoding: 'hex' }

/** Controls whose answers are taken as the sandbox gives them. */
const shown = [...['health', 'state', 'clock', 'outcomes', 'cards', 'transactions'], ...['keys', 'merchants']]

/** What a sandbox answers to everything, by operation and control: its own answers where they are at hand. */
export async function trueAnswers(): Promise<Readonly<Record<string, unknown>>> {
  const { call, control } = await openService()
  const { data: opened } = await call('sale', sale(1000))
  const dataAt = async (path: string) => (await control('GET', path)).data
  const terminals = await dataAt('terminals')
  const screen = await dataAt('terminals/TBX-ATTENDED-001/screen')
  const act = { ...screen, ended: screen.last }
  await control('POST', 'faults', { kind: 'empty', operation: 'sale', terminalSn: 'T', merchantId: 'M' })
  const faults = await dataAt('faults')
  const schedule = await dataAt('webhook-schedule')
  const requests = await dataAt('requests')
  const [refused] = requests.requests
  const request = await dataAt(`requests/${refused.traceId}`)
  const refusal = { message: 'm', field: 'f', detail: 'd', remedy: 'r', others: [] }
  const record = (await call('query', { transactionId: opened.transactionId })).data
  const batch = { batchNo: '1', terminalSn: 'T', batchTime: 'now' }
  const settled = { ...batch, transactionCount: 1, priceCurrency: 'USD' }
  return {
    ...Object.fromEntries(Object.keys(operations).map((name) => [name, opened])),
    abort: { transactionStatus: 'I', originalTransactionId: id },
    'tip-adjust': { tipAmount: 1, a: 'b' },
    'create-session': { checkoutUrl: 'http://h/', sessionId: 's', expiresAt: 'x', transactionRequestId: 'R' },
    'expire-session': { sessionId: 's', transactionId: id },
    query: record,
    'batch-query': (await call('batch-query', {})).data,
    'batch-close': { ...settled, netAmount: 1, batchList: [{ ...settled, channelCode: 'C' }] },
    'batch-close-list': {
      batchCloseList: [{ ...settled, mid: 'm', tid: 't', channelCode: 'C', totalCount: 1 }],
    },
    'merchant-query': (await call('merchant-query', {})).data,
    'merchant-terminals': { ...(await call('merchant-terminals', {})).data, nextToken: undefined },
    connection: {
      ...toldConnection,
      ...{ notifyUrl: 'http://n/', forwardTo: 'http://f/', baseUrl: 'http://b', token: 't' },
    },
    ...Object.fromEntries(await Promise.all(shown.map(async (name) => [name, await dataAt(name)]))),
    'set-clock': await dataAt('clock'),
    ...{ terminals, screen, reset: {} },
    'remove-terminal': { terminalSn: 'T', status: 'removed' },
    sessions: { sessions: [session], more: true },
    ...Object.fromEntries(
      ['add-terminal', 'set-terminal', 'queue-outcome'].map((name) => [
        name,
        { ...terminals.terminals[0], card: 'c', outcome: 'o', queue: [{ outcome: 'o', times: 2 }] },
      ]),
    ),
    ...Object.fromEntries(
      ['present-card', 'choose-tip', 'enter-pin', 'sign', 'cancel-at-terminal'].map((name) => [name, act]),
    ),
    receipt: await dataAt(`transactions/${opened.transactionId}/receipt`),
    transaction: await dataAt(`transactions/${opened.transactionId}`),
    ...{ session, 'pay-session': session, 'cancel-session': session },
    webhooks: { deliveries: [failedDelivery] },
    webhook: {
      deliveries: [{ ...failedDelivery, tries: [attempt, { ...attempt, status: null, error: 'gone' }] }],
    },
    ...{ 'resend-webhooks': { resent: ['1'] }, 'send-webhook': attempt, 'send-webhook-body': attempt },
    'hold-webhooks': { hold: true, held: 2 },
    'release-webhooks': { hold: true, held: 1, released: [failedDelivery] },
    ...{ 'webhook-schedule': schedule, 'set-webhook-schedule': { ...schedule, order: 'concurrent' } },
    ...{ 'webhook-secret': secret, 'rotate-webhook-secret': secret },
    'regenerate-key': { apiKey: 'a-key', appId: 'A', oldKeyValidUntil: 'x' },
    ...{ 'allow-list': { appId: 'A', addresses: ['a'] }, 'set-allow-list': { addresses: ['a'] } },
    'add-merchant': {
      merchantId: 'M',
      name: 'n',
      appId: 'A',
      isNewApplication: true,
      apiKey: 'k',
      webhookSecret: 'w',
      terminals: ['T'],
    },
    ...{ faults, 'clear-faults': faults, 'remove-fault': faults, 'add-fault': faults.faults[0] },
    requests: { requests: [...requests.requests, { ...refused, refusal }] },
    request: { ...request, refusal },
  }
}
