import { expect } from 'vitest'
import { test } from '../../src/vitest.ts'

test('a sale, its webhook settled, its receipt', async ({ sandbox }) => {
  const { transactionId } = await sandbox.client.sale({ amount: 1000, priceCurrency: 'USD' })
  const story = await sandbox.payments.waitFor(transactionId)
  expect(story.status).toBe('SUCCESS')
  await sandbox.webhooks.settled()
  expect((await sandbox.terminal().receipt()).transactionId).toBe(transactionId)
  expect((await sandbox.requests.last())?.operation).toBe('sale')
})

test('as new', async ({ sandbox }) => {
  expect(await sandbox.payments.list()).toEqual([])
  const m = await sandbox.newMerchant()
  const { transactionId } = await m.client.sale({ amount: 1000, priceCurrency: 'USD' })
  expect((await sandbox.payments.waitFor(transactionId)).merchantId).toBe(m.merchantId)
})
