// What the load clients send.

/** Headers of a request; each has its own id. */
export const headersOf = ({ apiKey }) => ({
  Authorization: `Bearer ${apiKey}`,
  'X-Client-Request-Id': crypto.randomUUID(),
  'X-Timestamp': String(Date.now()),
})

const post = (path, members) => ({ method: 'POST', path, body: JSON.stringify(members) })

const payment = (id) => ({
  referenceOrderId: `ORDER-${id.slice(0, 8)}`,
  transactionRequestId: id,
  amount: { orderAmount: 1_000, priceCurrency: 'USD' },
  description: 'Coffee and cake',
})

/** A request of each load; `id` is one that no other request has. */
export const loads = {
  sale: ({ id }) =>
    post('/v1/semi-integration/transaction/sale', { ...payment(id), terminalSn: 'TBX-AUTO-001' }),
  query: ({ transactionId }) => ({
    method: 'GET',
    path: `/v1/transaction/query?transactionId=${transactionId}`,
  }),
  session: ({ id }) =>
    post('/v1/checkout/create-session', {
      ...payment(id),
      merchantReturnUrl: 'http://127.0.0.1/done',
    }),
  batch: () => ({ method: 'GET', path: '/v1/settlement/batch-query?terminalSn=TBX-AUTO-001' }),
}
