import { expect } from 'vitest'
import { fails } from '../../support/commands/launched.ts'
import { startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'

test('a whole number of dollars is refused, and each spelling of it is taken', async ({
  sandbox: { json, run },
}) => {
  await fails(run('sale --amount 10'), 2, 'Write 10.00, or --minor 10')
  expect((await json('sale --amount 10.00')).transactionAmount).toBe(1000)
  const { transactionId, transactionAmount } = await json('sale --minor 10')
  expect(transactionAmount).toBe(10)
  expect((await json(`refund ${transactionId} --minor 4`)).transactionAmount).toBe(4)
})

test('a follow-up reads its amount in the currency of the original', async () => {
  const { json, run } = await startSandboxCommand()
  const { transactionId } = await json('sale --amount 10.000 --price-currency KWD')
  await fails(run(`refund ${transactionId} --amount 4`), 2, 'could be 4.000 or 0.004 KWD')
  const refund = await json(`refund ${transactionId} --amount 4.000`)
  expect(refund).toMatchObject({ transactionAmount: 4000, priceCurrency: 'KWD', transactionStatus: 'S' })
})
