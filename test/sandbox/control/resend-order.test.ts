import { expect, test } from 'vitest'
import { askJson } from '../../support/network/ask-json.ts'
import { openTestSandbox } from '../../support/service/test-sandbox.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

test('resent notifications go in the order of their events, across all endpoints', async () => {
  const endpoint = await openReceiver()
  const sandbox = await openTestSandbox({ notifyUrl: endpoint.url })
  const other = await sandbox.newMerchant()
  for (const client of [sandbox.client, other.client, sandbox.client, other.client]) {
    const before = endpoint.arrivals.length
    await client.sale({ amount: 1000, priceCurrency: 'USD' })
    await endpoint.got(before + 1)
  }
  await sandbox.webhooks.delivered()
  const transactionIds = endpoint.arrivals.map(({ body }) => JSON.parse(body).transactionId)
  const again = { all: true, to: `${endpoint.origin}/again` }
  const { resent } = (await askJson(`${sandbox.url}/_sandbox/webhooks/resend`, 'POST', again)).data
  const byId = new Map((await sandbox.webhooks.list()).map(({ id, transactionId }) => [id, transactionId]))
  expect(resent.map((id: string) => byId.get(id))).toEqual(transactionIds)
})
