import { expect, test } from 'vitest'
import { agentAt } from '../support/mcp/mcp-client.ts'
import { openDashboard } from '../support/pages/dashboard.ts'
import { openReceiver } from '../support/webhooks/webhook-receiver.ts'

/** What an agent does over MCP, written down: each step uses only what the step before it answered. */

test('an agent finds why a payment failed', async () => {
  const { url, sell } = await openDashboard()
  await sell(2500)
  const failed = await sell(1000, {}, { 'X-Sandbox-Outcome': 'insufficient-funds' })
  const agent = await agentAt(url)
  const { transactions } = await agent.ask('list_payments', { status: 'declined' })
  expect(transactions).toMatchObject([
    { transactionId: failed, status: 'FAIL', amount: 1000, resultCode: '051' },
  ])
  const found = await agent.ask('get_payment', { transactionId: transactions[0].transactionId })
  expect(found).toMatchObject({ status: 'FAIL', allows: [] })
  expect(found.why).toMatch(
    /^The host declined it: 051 \D+\. The outcome is insufficient-funds, which its request asked for/,
  )
})

test('an agent refunds a part, and verifies its webhook', async () => {
  const receiver = await openReceiver()
  const { url } = await openDashboard({ notifyUrl: receiver.url })
  const agent = await agentAt(url)
  const { terminals } = await agent.ask('get_status')
  const { terminalSn } = terminals.find(({ mode }: { mode: string }) => mode === 'auto')
  const sale = { operation: 'sale', members: { amount: 2500, priceCurrency: 'USD', terminalSn } }
  const { transactionId } = (await agent.ask('run_operation', sale)).answer
  const paid = await agent.ask('get_payment', { transactionId, waitSeconds: 30 })
  expect(paid).toMatchObject({ status: 'SUCCESS', allows: expect.arrayContaining(['refund']) })

  const { passages } = await agent.ask('search_docs', { query: 'refund a payment in part' })
  const passage = { path: '/docs/refund', text: expect.stringContaining('originalTransactionId') }
  expect(passages[0]).toMatchObject(passage)
  const refund = { operation: 'refund', members: { originalTransactionId: transactionId, amount: 400 } }
  const { answer } = await agent.ask('run_operation', refund)
  const refunded = await agent.ask('get_payment', { transactionId: answer.transactionId, waitSeconds: 30 })
  expect(refunded).toMatchObject({ status: 'SUCCESS', record: { transactionAmount: 400 } })
  expect(await agent.ask('get_payment', { transactionId })).toMatchObject({ refundedAmount: 400 })
  const tooMuch = { ...refund, members: { ...refund.members, amount: 2200 } }
  expect(await agent.refusal('run_operation', tooMuch)).toMatch(/21\.00 USD left \(SBX_OVER_REFUND\)/)

  const arrived = (await receiver.got(2)).find(({ json }) => json.transactionId === answer.transactionId)
  const { deliveries } = await agent.ask('list_webhooks', { transactionId: answer.transactionId })
  expect(deliveries).toMatchObject([{ id: arrived?.id, state: 'delivered', last: 200 }])
  expect(await agent.ask('verify_webhook', { id: deliveries[0].id })).toEqual({ valid: true })
  const received = { headers: arrived?.headers, body: arrived?.body }
  expect(await agent.ask('verify_webhook', received)).toEqual({ valid: true })
  const why = 'the body was parsed and written again, or differs by a newline at its end'
  const changed = await agent.ask('verify_webhook', { ...received, body: `${arrived?.body}\n` })
  expect(changed).toMatchObject({ valid: false, why })
})
