// An example request of each operation. `members`: of the query or the body; `names`: of the path. `after`: what is
// called before it, by the example of that operation, or with members of its own. `from`: members and names that an
// earlier answer has, by operation and JSON pointer; the values here only show what they look like.
import { requestSchema } from './requests.js'

const transactionId = '10000000000000000001'
const order = { amount: 4250, priceCurrency: 'USD' }
const callback = 'http://127.0.0.1:4242/webhooks'
const attended = 'TBX-ATTENDED-001'
const notified = {
  operation: 'sale',
  members: { transactionRequestId: 'told-1001', ...order, notifyUrl: callback },
}
const atTerminal = {
  operation: 'sale',
  members: { transactionRequestId: 'attended-1001', ...order, terminalSn: attended },
}
const firstDelivery = ['webhooks', '/data/deliveries/0/id']
const notificationId = '0f7c3a52-9d1e-8000-8000-8ac7230489e8'

/** What comes before an operation that does not act on a sale, and members that its example has beside the needed ones. */
const service = {
  'incremental-auth': { after: ['auth'] },
  'post-auth': { after: ['auth'] },
  abort: { after: [atTerminal] },
  'online-refund': { after: ['direct-payment'], also: ['amount'] },
  'batch-query': { after: ['sale'], also: ['terminalSn'] },
  'batch-close': { after: ['sale'] },
  'batch-close-list': { after: ['sale', 'batch-close'], also: ['terminalSn'] },
  'merchant-query': { also: ['merchantId'] },
  'merchant-terminals': { also: ['merchantId'] },
}

const values = {
  originalTransactionId: transactionId,
  transactionId,
  sessionId: 'cs_10000000000000000001',
  referenceOrderId: 'ORDER-1001',
  priceCurrency: 'USD',
  tipAmount: 500,
  merchantId: 'M1000000001',
  cardEncryptedData: '{"protocolVersion":"ECv2","signature":"MEUCIQ","signedMessage":"{}"}',
}

/** The example of an operation of the service: what it acts on, or its order, and the members that it must have. */
function serviceExample({ name, argument, input: { entries } }, begins) {
  const acted = argument === 'sessionId' ? 'create-session' : 'sale'
  const { after = argument === undefined ? [] : [acted], also = [] } = service[name] ?? {}
  const shown = [
    argument,
    ...also,
    begins ? 'referenceOrderId' : '',
    'amount' in entries ? 'priceCurrency' : '',
  ]
  const members = Object.keys(entries).filter(
    (member) => shown.includes(member) || entries[member].type !== 'nullish',
  )
  const own = {
    ...values,
    transactionRequestId: `${name}-1001`,
    amount: begins ? order.amount : 1000,
    terminalSn: 'TBX-AUTO-001',
  }
  const earlier = after.at(-1)?.operation ?? after.at(-1)
  const pointer = argument === 'sessionId' ? '/data/sessionId' : '/data/transactionId'
  return {
    after,
    ...(argument !== undefined && { from: { [argument]: [earlier, pointer] } }),
    members: Object.fromEntries(
      members.map((member) => [member, own[member] ?? anyOf(entries[member], member)]),
    ),
  }
}

/** A value of a member by its schema. */
function anyOf(field, member) {
  const { enum: [word] = [], type, minimum } = requestSchema(field)
  const value = word ?? { integer: minimum, boolean: true }[type]
  if (value === undefined) throw new Error(`bin/docs/openapi/examples.js has no value of ${member}`)
  return value
}

/** An act at the terminal where a sale waits. */
const act = (members, ...after) => ({ after: [atTerminal, ...after], names: { sn: attended }, members })
const ofSale = {
  after: ['sale'],
  names: { id: transactionId },
  from: { id: ['sale', '/data/transactionId'] },
}
const ofSession = {
  after: ['create-session'],
  names: { id: 'cs_10000000000000000001' },
  from: { id: ['create-session', '/data/sessionId'] },
}
const ofWebhook = {
  after: [notified, 'webhooks'],
  names: { id: notificationId },
  from: { id: firstDelivery },
}
const ofSpace = { after: ['create-space'], names: { space: 'ci-1' } }
const ofSnapshot = { after: ['save-snapshot'], names: { name: 'before-the-sale' } }

/** Examples of the control interface. What is not here takes nothing, and needs nothing before it. */
const control = {
  'add-terminal': { members: { terminalSn: 'TBX-COUNTER-002', mode: 'attended', label: 'Counter 2' } },
  'unpair-terminal': { names: { sn: 'TBX-AUTO-001' } },
  'pair-terminal': {
    after: ['unpair-terminal'],
    from: { code: ['unpair-terminal', '/data/pairingCode'] },
    members: { code: 'ABCD-1234', merchantId: 'M1000000001' },
  },
  'set-terminal': { names: { sn: 'TBX-AUTO-001' }, members: { mode: 'attended', label: 'Counter 1' } },
  'remove-terminal': { names: { sn: 'TBX-SLOW-001' } },
  'queue-outcome': { names: { sn: 'TBX-AUTO-001' }, members: { outcome: 'insufficient-funds', times: 2 } },
  screen: { names: { sn: attended } },
  'terminal-events': { names: { sn: attended } },
  'present-card': act({ card: 'visa-contactless', entry: 'tap' }),
  'choose-tip': {
    after: [
      { operation: 'sale', members: { ...atTerminal.members, tipConfig: { onScreenTip: true } } },
      { operation: 'present-card', names: { sn: attended }, members: { card: 'visa-contactless' } },
    ],
    names: { sn: attended },
    members: { tipAmount: 500 },
  },
  'enter-pin': act(
    { correct: true },
    {
      operation: 'present-card',
      names: { sn: attended },
      members: { card: 'visa-chip-pin' },
    },
  ),
  sign: act(
    {},
    { operation: 'present-card', names: { sn: attended }, members: { card: 'mastercard-chip-signature' } },
  ),
  'cancel-at-terminal': act({}),
  receipt: ofSale,
  transactions: { after: ['sale'], members: { status: 'approved', limit: '20' } },
  transaction: { ...ofSale, members: { attempts: 'true' } },
  sessions: { after: ['create-session'], members: { limit: '20' } },
  session: ofSession,
  'pay-session': { ...ofSession, members: { card: 'visa-contactless' } },
  'cancel-session': ofSession,
  webhooks: { after: [notified], members: { limit: '20' } },
  webhook: ofWebhook,
  'resend-webhooks': { after: [notified], members: { all: true } },
  'send-webhook': {
    after: [notified],
    from: { transactionId: ['sale', '/data/transactionId'] },
    members: { transactionId, set: { transactionStatus: 'F' }, to: callback },
  },
  'send-webhook-body': { ...ofWebhook, members: { body: '{"transactionStatus": "F"}', to: callback } },
  'wait-for-webhooks': { after: [notified], members: { delivered: true, timeoutMs: 5000 } },
  'hold-webhooks': { members: { hold: true } },
  'set-webhook-schedule': { members: { order: 'concurrent', concurrency: 8 } },
  listen: { members: { listener: 'my-machine', url: callback } },
  'report-attempt': {
    members: {
      handed: '7d2f7b4e-0f5c-4c3c-8a0d-5a1d2f0e9b11',
      status: 200,
      responseHeaders: {},
      responseBody: '',
      durationMs: 12,
    },
  },
  'add-fault': { members: { kind: 'http-503', operation: 'sale', times: 2 } },
  faults: { after: ['add-fault'] },
  'remove-fault': { after: ['add-fault'], names: { id: '1' }, from: { id: ['add-fault', '/data/id'] } },
  requests: { after: ['sale'], members: { operation: 'sale', limit: '20' } },
  'request-events': { members: { operation: 'sale' } },
  request: {
    after: ['sale'],
    names: { traceId: '0af7651916cd43dd8448eb211c80319c' },
    from: { traceId: ['sale', '/traceId'] },
  },
  'request-why': {
    after: ['sale'],
    names: { traceId: '0af7651916cd43dd8448eb211c80319c' },
    from: { traceId: ['sale', '/traceId'] },
  },
  why: { members: { about: 'SBX_OVER_REFUND' } },
  'set-clock': { members: { action: 'advance', milliseconds: 86_400_000 } },
  'regenerate-key': { members: { graceMs: 3_600_000 } },
  'set-allow-list': { members: { addresses: ['127.0.0.1', '10.0.0.0/8'] } },
  'rotate-webhook-secret': { members: { graceMs: 3_600_000 } },
  'add-merchant': { members: { merchantId: 'M1000000002', name: 'Second shop' } },
  'save-snapshot': { names: { name: 'before-the-sale' }, members: { replace: true } },
  snapshots: { after: ['save-snapshot'] },
  'restore-snapshot': ofSnapshot,
  'remove-snapshot': ofSnapshot,
  'diff-snapshot': { ...ofSnapshot, after: ['save-snapshot', 'sale'] },
  import: { after: ['sale', 'export'], members: { replace: 'true' }, from: { body: ['export', ''] } },
  'create-space': { members: { name: 'ci-1', ttlMs: 3_600_000 } },
  spaces: { after: ['create-space'] },
  space: ofSpace,
  'remove-space': ofSpace,
  'create-token': { members: { name: 'lee', scope: 'viewer', ttlMs: 2_592_000_000 } },
  tokens: { after: ['create-token'] },
  'revoke-token': { after: ['create-token'], names: { name: 'lee' } },
  audit: { after: ['create-token'], members: { limit: '20' } },
  reset: { members: { everything: false } },
}

/** The example of an operation, by its row. */
export const exampleOf = (row, beginsOrder) =>
  row.isControl ? (control[row.name] ?? {}) : serviceExample(row, beginsOrder(row.name))
