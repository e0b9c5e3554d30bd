import { expect } from 'vitest'
import { momentOrAhead, rangeFrom } from '../../../src/cli/input/typed-values.ts'
import { originalQuery } from '../../../src/cli/operation/operation-request.ts'
import { fails } from '../../support/commands/launched.ts'
import { startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'

test.each<[string[], string, string]>([
  [['sale', '--amount', '0'], 'amount.orderAmount', '--amount'],
  [['sale', '--amount', '5.00', '--client-request-id', 'x y'], 'X-Client-Request-Id', '--client-request-id'],
  [['sandbox', 'clock', '--set', 'tomorrow'], 'time', '--set'],
  [['batch', 'close', '--yes', '--terminal', 'TBX-SLOW-001'], 'terminalSn', '--terminal'],
  [['sale', '--amount', '1.00', '--terminal', 'NONE'], 'terminalSn', '--terminal'],
  [['webhook', 'send', '7'], 'transactionId', '<transaction-id>'],
  [['checkout', 'pay', 'x'], 'sessionId', '<session-id>'],
  [
    ['checkout', 'create', '--amount', '1.00', '--set', 'productList=[{"num":1}]'],
    'productList',
    '--set productList[0].name',
  ],
  [['terminal', 'tip', 'TBX-ATTENDED-001', '--amount', '1.00'], 'transactionId', '<serial>'],
  [['terminal', 'sign', 'TBX-ATTENDED-001', '--transaction', '1'], 'transactionId', '--transaction'],
  [['space', 'show', 'nope'], 'space', '<name>'],
])('the refusal of %j names %s as %s', async (args, field, typed) => {
  const sandbox = await startSandboxCommand()
  const { code, stdout, stderr } = await sandbox.run([...args, '--json'])
  const { error } = JSON.parse(stdout)
  expect(code).toBe(['C17', 'SBX_REQ_ID_FORM'].includes(error.code) ? 2 : 1)
  expect(error).toMatchObject({ typed, field: expect.stringContaining(field.split('.')[0] as string) })
  expect(stderr.split('\n').map((line) => line.trim().split(/ +/).join(' '))).toContain(`field ${typed}`)
  if (error.code !== 'C17') return
  expect(error.message.startsWith(`${typed} `)).toBe(true)
  if (!error.remedy.startsWith('The least amount is')) expect(error.remedy).toContain(typed)
})

test('a whole number is refused, and each spelling of it is taken; a follow-up reads its amount in the currency of the original', async ({
  sandbox: { json, run },
}) => {
  await fails(run('sale --amount 10'), 2, 'Write 10.00, or --minor 10')
  expect((await json('sale --amount 10.00')).transactionAmount).toBe(1000)
  const { transactionId, transactionAmount } = await json('sale --minor 10')
  expect(transactionAmount).toBe(10)
  expect((await json(`refund ${transactionId} --minor 4`)).transactionAmount).toBe(4)
  const { transactionId: inDinars } = await json('sale --amount 10.000 --price-currency KWD')
  await fails(run(`refund ${inDinars} --amount 4`), 2, 'could be 4.000 or 0.004 KWD')
  const refund = await json(`refund ${inDinars} --amount 4.000`)
  expect(refund).toMatchObject({ transactionAmount: 4000, priceCurrency: 'KWD', transactionStatus: 'S' })
})

test.each([
  [{ originalTransactionId: '1', originalTransactionRequestId: 'r' }, { transactionId: '1' }],
  [{ originalTransactionId: null, originalTransactionRequestId: 'r' }, { transactionRequestId: 'r' }],
  [{ originalTransactionRequestId: 'r' }, { transactionRequestId: 'r' }],
  [{ originalTransactionId: null, originalTransactionRequestId: null }, {}],
  [{}, {}],
])('the original %j is looked up by %j: the transaction id wins, and null is absent', (members, query) => {
  expect(originalQuery(members)).toEqual(query)
})

test('a duration from a clock that says no time is refused, ahead and ago', async () => {
  const now = async () => 'noon'
  const problem = "Cannot read the time of the sandbox clock 'noon'"
  await expect(momentOrAhead('10m', 'from', now)).rejects.toThrow(problem)
  await expect(rangeFrom({ since: '2h' }, now)).rejects.toThrow(problem)
})
