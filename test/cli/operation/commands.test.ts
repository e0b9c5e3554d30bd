import { expect } from 'vitest'
import { fails } from '../../support/commands/launched.ts'
import { type LaunchedSandbox, startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'

const query = ({ json }: LaunchedSandbox, transactionId: string) => json(`query ${transactionId}`)

test('api operation-1-1, operation-3-1: a sale is shown to people, or printed as one JSON document', async () => {
  const sandbox = await startSandboxCommand()
  const texts = ['SUCCESS', '11.50 USD', '411111******1111']
  const shown = await sandbox.prints('sale --amount 10.00 --tip-amount 1.50 --set attach=table-7', ...texts)
  const transactionId = /\d{16}/.exec(shown)?.[0] ?? ''

  const record = await query(sandbox, transactionId)
  const facts = { orderAmount: 1000, tipAmount: 150, priceCurrency: 'USD', attach: 'table-7' }
  expect(record).toMatchObject({ transactionId, ...facts })
  expect(await sandbox.json(`query --transaction-request-id ${record.transactionRequestId}`)).toEqual(record)
  expect((await sandbox.run(`query ${transactionId}`)).stdout).toBe(shown)
})

test('an --outcome that a sandbox like production ignores is told, and one that is obeyed is not', async () => {
  const line = 'sale --amount 5.00 --outcome lost-card --json'
  const production = await startSandboxCommand('--like-production')
  const { code, stderr } = await production.run(line)
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^! --outcome lost-card was ignored: .* default/)])
  const usual = await startSandboxCommand()
  expect(await usual.run(line)).toMatchObject({ code: 4, stderr: '' })
})

test('api operation-1-2, operation-1-3, operation-1-4, operation-1-5, operation-1-6, operation-1-7, operation-1-9: follow-ups find their original by @last', async () => {
  const sandbox = await startSandboxCommand()
  const paid = (transactionType: string, more: object) => ({
    transactionStatus: 'S',
    transactionType,
    ...more,
  })
  for (const [line, record] of [
    ['auth --amount 50.00', paid('AUTH', { batchNo: null })],
    ['incremental-auth @last --amount 20.00', paid('INCREMENTAL', { transactionAmount: 2000 })],
    [
      'post-auth @last:auth --amount 70.00 --tip-amount 5.00 --no-push-to-terminal',
      paid('POST_AUTH', { orderAmount: 7000, tipAmount: 500, transactionAmount: 7500, batchNo: 1 }),
    ],
    ['forced-auth --amount 25.00 --tip-amount 5.00', paid('FORCED_AUTH', { transactionAmount: 3000 })],
    ['refund @last:forced-auth --amount 10.00', paid('REFUND', { transactionAmount: 1000 })],
    [
      'refund @last:forced-auth --amount 15.00 --tip-amount 5.00 --no-push-to-terminal',
      paid('REFUND', { orderAmount: 1500, tipAmount: 500, transactionAmount: 2000 }),
    ],
    ['sale --amount 10.00', paid('SALE', { transactionAmount: 1000 })],
    ['tip-adjust @last:sale --tip-amount 2.00', { tipAmount: 200 }],
    ['query @last:sale', paid('SALE', { tipAmount: 200, transactionAmount: 1200 })],
    ['void @last:sale', paid('VOID', { transactionAmount: 1200 })],
    ['terminal receipt @last:auth', { merchant: expect.any(Array) }],
  ] as const)
    expect([line, await sandbox.json(line)]).toMatchObject([line, record])
})

test('api ids-1, ids-2: a refund without reference has an order id, a follow-up has no such flag', async ({
  sandbox: { json, run },
}) => {
  expect(await json('refund --reference-order-id ORDER-1001 --amount 4.00')).toMatchObject({
    ...{ transactionStatus: 'S', transactionType: 'REFUND', referenceOrderId: 'ORDER-1001' },
    transactionAmount: 400,
  })
  await fails(run('void 1 --reference-order-id ORDER-1001'), 2, '--reference-order-id')
  await json('sale --amount 10.00')
  const both = run('refund @last:sale --reference-order-id ORDER-1001 --amount 4.00')
  await fails(both, 2, 'field --reference-order-id')
})

test('api operation-1-8: abort closes a payment that waits at a terminal', async ({ sandbox }) => {
  const sale = 'sale --amount 10.00 --terminal TBX-ATTENDED-001 --no-wait'
  const { transactionId, transactionStatus } = await sandbox.json(sale)
  expect(transactionStatus).toBe('I')
  const answer = { originalTransactionId: transactionId, transactionStatus: 'C' }
  expect(await sandbox.json(`abort ${transactionId}`)).toEqual(answer)
  expect((await query(sandbox, transactionId)).transactionStatus).toBe('C')
})

test('assumption abort-and-expiry: once the host was asked, abort answers P and exits with 5, and the outcome stands', async () => {
  const sandbox = await startSandboxCommand()
  const sale = 'sale --amount 10.00 --terminal TBX-LATE-001 --no-wait'
  const { transactionId } = await sandbox.json(sale)
  const late = await sandbox.fails(`abort ${transactionId} --json`, 5, 'Too late')
  expect(JSON.parse(late.stdout).transactionStatus).toBe('P')
  await sandbox.json('sandbox clock --advance 61s')
  expect((await query(sandbox, transactionId)).transactionStatus).toBe('S')
})

test('assumption outcome-order: --outcome asks for an outcome by name; objects are given as JSON, a payment method also as its category', async () => {
  const sandbox = await startSandboxCommand()
  for (const debit of ['CARD-DEBIT', '{"category":"CARD-DEBIT"}']) {
    const sale = await sandbox.json(`sale --amount 10.00 --set paymentMethod=${debit}`)
    expect(sale.cardNetworkType).toBe('DEBIT')
  }
  await sandbox.fails('sale --amount 10.00 --set tipConfig=[]', 2, '--set tipConfig')
  const declined = await sandbox.json('sale --amount 10.00 --outcome expired-card', 4)
  expect(declined).toMatchObject({ transactionStatus: 'F', transactionResultCode: '054' })
})

const followUps = ['refund', 'post-auth', 'incremental-auth', 'checkout refund']

test.for([
  ...followUps.map((name) => [name, '--amount 1.00'] as const),
  ['tip-adjust', '--tip-amount 1.00'] as const,
])(
  'where the original of %s is not found for its currency, the error names what was typed',
  async ([name, amount], { sandbox }) => {
    const flag = '--original-transaction-request-id'
    const { stdout } = await sandbox.fails(`${name} ${flag} nosuch-1 ${amount} --json`, 1, `field ${flag}`)
    const { field, typed } = JSON.parse(stdout).error
    expect([field, typed]).toEqual(['originalTransactionRequestId', flag])
    await sandbox.fails(`${name} ${flag} %% ${amount}`, 2, `✗ ${flag} %% must be 1 to 64`)
    await sandbox.fails(`${name} nosuch-1 ${amount}`, 1, 'field <transaction-id>')
  },
)
