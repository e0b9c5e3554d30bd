// What the load clients send. In a path, a header or a body `{unique}` stands for a text that no other request of the run
// has, `{index}` for the number of the request, `{uuid}`, `{amount}` for one of 6,000 amounts, and
// `{slot}` for one of 500 numbers.

/** Requests of the payment API by name of the load, sent in turns; `server` is of startServer. */
export const loads = {
  sale: () => [sale()],
  mixed: () => [sale('TBX-DECLINE-001'), ...Array.from({ length: 9 }, () => sale())],
  query: ({ transactionId }) => [get(`/v1/transaction/query?transactionId=${transactionId}`)],
  batch: () => [get('/v1/settlement/batch-query?terminalSn=TBX-AUTO-001')],
  session: () => [
    post('/v1/checkout/create-session', {
      ...payment('session-'),
      merchantReturnUrl: 'http://127.0.0.1/done',
    }),
  ],
}

/** Headers of the payment API; the server's wall clock may be another one. */
export const headersFor = ({ apiKey, wallOffset = 0 }) => ({
  Authorization: `Bearer ${apiKey}`,
  'X-Client-Request-Id': '{uuid}',
  'X-Timestamp': String(Date.now() + wallOffset),
})

const get = (path) => ({ method: 'GET', path })

const post = (path, body) => ({ method: 'POST', path, body: withNumbers(JSON.stringify(body)) })

const sale = (terminalSn = 'TBX-AUTO-001') =>
  post('/v1/semi-integration/transaction/sale', { ...payment(''), terminalSn })

const payment = (prefix) => ({
  referenceOrderId: 'ORDER-{index}',
  transactionRequestId: `${prefix}{unique}`,
  amount: { orderAmount: '{amount}', priceCurrency: 'USD' },
  description: 'Coffee and cake',
})

/** An amount is a number, not a text. */
const withNumbers = (text) => text.replaceAll('"{amount}"', '{amount}')
