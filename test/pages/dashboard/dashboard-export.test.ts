import { expect, test } from 'vitest'
import { exportTransactions } from '../../../src/pages/dashboard/transactions/export-transactions.ts'
import { openDashboard, refundRequest } from '../../support/pages/dashboard.ts'
import { linkTo } from '../../support/pages/page.ts'

test('the filtered list is exported as CSV, newest first', async () => {
  const { get, sell, sandbox } = await openDashboard()
  const first = await sell(2399, { referenceOrderId: '-2-ORDER|1', transactionRequestId: 'REQ-1' })
  const second = await sell(9734)

  const { status, text, headers } = await get(linkTo((await get('/')).page, 'Export as CSV'))
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(headers['content-disposition']).toMatch(/^attachment; filename="transactions-\d{4}-\d\d-\d\d\.csv"$/)
  const [head, ...lines] = text.trimEnd().split('\r\n')
  expect(head).toMatch(/^transactionId,transactionRequestId,referenceOrderId,.*,amount,currency,/)
  expect(lines.map((line) => line.split(',')[0])).toEqual([second, first])
  expect(lines[1]).toContain(`${first},REQ-1,'-2-ORDER|1,`)
  expect(lines[1]).toContain(',SALE,SUCCESS,2399,USD,')
  expect((await get('/transactions.csv?status=declined')).text).not.toContain(first)
  expect(sandbox.log.list().map(({ path }) => path)).not.toContain('/transactions.csv')
})

test('the JSON export equals the list of the control interface', async () => {
  const { get, sell, call, data } = await openDashboard()
  const id = await sell(2399)
  await call('refund', refundRequest(id, 100))
  expect(JSON.parse((await get('/transactions.json')).text)).toEqual(await data('transactions'))
  expect(JSON.parse((await get('/transactions.json?q=nothing-like-it')).text)).toEqual({
    transactions: [],
    more: false,
  })
})

test('a sale during an export leaves the file whole', async () => {
  const { sell, sellMany, sandbox, get } = await openDashboard()
  const ids = await sellMany(3)
  await get('/')
  const call = {
    req: { query: () => ({}) },
  } as unknown as Parameters<typeof exportTransactions>[1]
  const { body } = exportTransactions(sandbox, call, 'json')
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  let text = new TextDecoder().decode((await reader.read()).value)
  await sell(1000)
  await get('/')
  for (let next = await reader.read(); !next.done; next = await reader.read())
    text += new TextDecoder().decode(next.value)
  const found = JSON.parse(text).transactions.map(
    ({ transactionId }: { transactionId: string }) => transactionId,
  )
  expect(new Set(found).size).toBe(found.length)
  for (const id of ids) expect(found).toContain(id)
})

test('an invalid filter is refused with the reason, and so is a card number', async () => {
  const { get } = await openDashboard()
  const wrong = await get('/transactions.csv?since=noon')
  expect([wrong.status, wrong.text]).toEqual([
    422,
    'The first time must be a date such as 2026-11-20, or a time such as 2026-11-20T18:02, or how long ago, such as 24h.\n',
  ])
  expect((await get('/transactions.json?q=4485275742308327')).status).toBe(400)
})
