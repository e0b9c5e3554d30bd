import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createObserver } from '../../../src/testing/attack/observe.ts'
import { makeCaller } from '../../../src/testing/helpers/caller.ts'
import { openTestSandbox } from '../../support/service/test-sandbox.ts'

test('what a server asks when it starts belongs to no step', async () => {
  const { url: baseUrl, apiKey, client } = await openTestSandbox()
  await client.batchQuery({})
  const observe = await createObserver(makeCaller({ baseUrl, apiKey }))
  await client.sale({ transactionRequestId: randomUUID(), amount: 1000, priceCurrency: 'USD' })
  const { requests } = await observe({ action: 'command', value: 'sell', path: ['steps', 0] })
  expect(requests.map(({ operation }) => operation)).toEqual(['sale'])
})
