import { expect, test } from 'vitest'
import { fails } from '../../support/commands/launched.ts'
import { startSandboxCommand } from '../../support/commands/running-sandbox.ts'

test('a whole number of dollars is refused with both spellings, and each of them is taken', async () => {
  const { json, run } = await startSandboxCommand()
  await fails(
    run('sale --amount 10'),
    2,
    '--amount 10 could be 10.00 or 0.10 USD',
    'Write 10.00, or --minor 10',
  )
  expect((await json('list')).transactions).toEqual([])
  expect((await json('sale --amount 10.00')).transactionAmount).toBe(1000)
  const { transactionId, transactionAmount } = await json('sale --minor 10')
  expect(transactionAmount).toBe(10)
  expect((await json(`refund ${transactionId} --minor 4`)).transactionAmount).toBe(4)
})

test.each([
  ['sale --minor 10 --amount 10.00', '--amount and --minor exclude each other'],
  ['sale --minor 10.5', '--minor 10.5 is not a whole number'],
  ['sale --minor -1', '--minor -1 is less than 0'],
  ['sale --amount 10.00 --tip-amount 2', 'Write 2.00\n'],
  ['sale --amount 10.00 --set tipConfig=15,18', 'Write 15.00, or --set tipConfig=15,18% for percentages'],
  ['checkout create --item Coffee:4x2', 'Write 4.00'],
  ['sale --amount 1.00 --price-currency usd', 'Did you mean USD?'],
  ['list --amount 1000', 'Write 1000.00'],
  ['list --amount 10.00..20', 'Write 20.00'],
  ['sandbox fault empty --amount 7', 'Write 7.00'],
])('%j is refused: %s', async (args, why) => {
  const { run } = await startSandboxCommand()
  await fails(run(args), 2, why)
})

test('a follow-up reads its amount in the currency of the original', async () => {
  const { json, run } = await startSandboxCommand()
  const { transactionId } = await json('sale --amount 10.000 --price-currency KWD')
  await fails(run(`refund ${transactionId} --amount 4`), 2, 'could be 4.000 or 0.004 KWD')
  const refund = await json(`refund ${transactionId} --amount 4.000`)
  expect(refund).toMatchObject({ transactionAmount: 4000, priceCurrency: 'KWD', transactionStatus: 'S' })
})
