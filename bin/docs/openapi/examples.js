// An example request of each operation. `members`: of the query or the body; `names`: of the path. `after`: what is
// called before it, by the example of that operation, or with members of its own. `from`: members and names that an
// earlier answer has, by operation and JSON pointer; the values here only show what they look like.

const transactionId = '10000000000000000001'
const order = { amount: 4250, priceCurrency: 'USD' }
const original = (operation) => ({ originalTransactionId: [operation, '/data/transactionId'] })
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

/** Examples of the service. */
const service = {
  sale: { members: { transactionRequestId: 'sale-1001', referenceOrderId: 'ORDER-1001', ...order } },
  auth: { members: { transactionRequestId: 'auth-1001', referenceOrderId: 'ORDER-1002', ...order } },
  'forced-auth': {
    members: { transactionRequestId: 'forced-1001', referenceOrderId: 'ORDER-1003', ...order },
  },
  'incremental-auth': {
    after: ['auth'],
    from: original('auth'),
    members: {
      originalTransactionId: transactionId,
      transactionRequestId: 'increment-1001',
      amount: 1500,
      priceCurrency: 'USD',
    },
  },
  'post-auth': {
    after: ['auth'],
    from: original('auth'),
    members: { originalTransactionId: transactionId, transactionRequestId: 'capture-1001', ...order },
  },
  refund: {
    after: ['sale'],
    from: original('sale'),
    members: {
      originalTransactionId: transactionId,
      transactionRequestId: 'refund-1001',
      amount: 1000,
      priceCurrency: 'USD',
    },
  },
  void: {
    after: ['sale'],
    from: original('sale'),
    members: { originalTransactionId: transactionId, transactionRequestId: 'void-1001' },
  },
  abort: {
    after: [atTerminal],
    from: original('sale'),
    members: { originalTransactionId: transactionId, terminalSn: attended },
  },
  'tip-adjust': {
    after: ['sale'],
    from: original('sale'),
    members: { originalTransactionId: transactionId, tipAmount: 500 },
  },
  'create-session': {
    members: {
      transactionRequestId: 'session-1001',
      referenceOrderId: 'ORDER-1004',
      ...order,
      description: 'Two tickets',
    },
  },
  'direct-payment': {
    members: {
      transactionRequestId: 'wallet-1001',
      referenceOrderId: 'ORDER-1005',
      ...order,
      paymentMethod: 'GOOGLE_PAY',
      cardEncryptedData: '{"protocolVersion":"ECv2","signature":"MEUCIQ","signedMessage":"{}"}',
    },
  },
  'expire-session': {
    after: ['create-session'],
    from: { sessionId: ['create-session', '/data/sessionId'] },
    members: { sessionId: 'cs_10000000000000000001' },
  },
  'online-refund': {
    after: ['direct-payment'],
    from: original('direct-payment'),
    members: {
      originalTransactionId: transactionId,
      transactionRequestId: 'online-refund-1001',
      amount: 1000,
      priceCurrency: 'USD',
    },
  },
  query: {
    after: ['sale'],
    from: { transactionId: ['sale', '/data/transactionId'] },
    members: { transactionId },
  },
  'batch-query': { after: ['sale'], members: { terminalSn: 'TBX-AUTO-001' } },
  'batch-close': {
    after: ['sale'],
    members: { transactionRequestId: 'close-1001', terminalSn: 'TBX-AUTO-001' },
  },
  'batch-close-list': { after: ['sale', 'batch-close'], members: { terminalSn: 'TBX-AUTO-001' } },
  'merchant-query': { members: { merchantId: 'M1000000001' } },
  'merchant-terminals': { members: { merchantId: 'M1000000001' } },
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
  'set-webhook-faults': { members: { duplicate: 0.2, delayMs: [0, 2000], seed: 7 } },
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

/** The example of an operation by name. */
export const examples = { ...service, ...control }
