import { describe, expect } from 'vitest'
import { fails } from '../../support/commands/launched.ts'
import { type LaunchedSandbox, startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'

const query = ({ json }: LaunchedSandbox, transactionId: string) => json(`query ${transactionId}`)

describe('commands with no setting but the folder of the sandbox', () => {
  test('api operation-1-1, operation-3-1: a sale is shown to people, or printed as one JSON document', async () => {
    const sandbox = await startSandboxCommand()
    const shown = await sandbox.run('sale --amount 10.00 --tip-amount 1.50 --set attach=table-7')
    expect(shown).toMatchObject({ code: 0, stderr: '' })
    expect(shown.stdout).toContain('SUCCESS')
    expect(shown.stdout).toContain('11.50 USD')
    expect(shown.stdout).toContain('411111******1111')
    const transactionId = /\d{16}/.exec(shown.stdout)?.[0] ?? ''

    const record = await sandbox.json(`query ${transactionId}`)
    expect(record).toMatchObject({
      ...{ transactionId, orderAmount: 1000, tipAmount: 150, priceCurrency: 'USD', attach: 'table-7' },
    })
    expect(await sandbox.json(`query --transaction-request-id ${record.transactionRequestId}`)).toEqual(
      record,
    )
    const people = await sandbox.run(`query ${transactionId}`)
    expect(people.stdout).toBe(shown.stdout)
  })

  test('api operation-1-2, operation-1-4, operation-1-5: an auth can be raised and captured', async () => {
    const sandbox = await startSandboxCommand()
    const auth = await sandbox.json('auth --amount 50.00')
    expect(auth).toMatchObject({ transactionStatus: 'S', transactionType: 'AUTH', batchNo: null })
    const raise = await sandbox.json(`incremental-auth ${auth.transactionId} --amount 20.00`)
    expect(raise).toMatchObject({
      transactionStatus: 'S',
      transactionType: 'INCREMENTAL',
      transactionAmount: 2000,
    })
    const capture = await sandbox.json(
      `post-auth ${auth.transactionId} --amount 70.00 --tip-amount 5.00 --no-push-to-terminal`,
    )
    expect(await query(sandbox, capture.transactionId)).toMatchObject({
      transactionStatus: 'S',
      transactionType: 'POST_AUTH',
      orderAmount: 7000,
      tipAmount: 500,
      transactionAmount: 7500,
      batchNo: 1,
    })
  })

  test('api operation-1-3, operation-1-6, refund-1, refund-3: a forced auth can be refunded in parts, with its tip', async () => {
    const sandbox = await startSandboxCommand()
    const forced = await sandbox.json('forced-auth --amount 25.00 --tip-amount 5.00')
    expect(forced).toMatchObject({ transactionStatus: 'S', transactionType: 'FORCED_AUTH' })
    const part = await sandbox.json(`refund ${forced.transactionId} --amount 10.00`)
    expect(part).toMatchObject({
      transactionStatus: 'S',
      transactionType: 'REFUND',
      transactionAmount: 1000,
      referenceOrderId: forced.referenceOrderId,
    })
    const rest = `refund ${forced.transactionId} --amount 15.00 --tip-amount 5.00`
    expect(await sandbox.json(`${rest} --no-push-to-terminal`)).toMatchObject({
      transactionStatus: 'S',
      orderAmount: 1500,
      tipAmount: 500,
      transactionAmount: 2000,
    })
  })

  test('api ids-1, ids-2: a refund without reference has an order id, a follow-up has no such flag', async () => {
    const sandbox = await startSandboxCommand()
    const refund = 'refund --reference-order-id ORDER-1001 --amount 4.00'
    expect(await sandbox.json(refund)).toMatchObject({
      transactionStatus: 'S',
      transactionType: 'REFUND',
      referenceOrderId: 'ORDER-1001',
      transactionAmount: 400,
    })
    const followUp = 'void 1 --reference-order-id ORDER-1001'
    expect(await sandbox.run(followUp)).toMatchObject({ code: 2, stdout: '' })
    await sandbox.json('sale --amount 10.00')
    const both = 'refund @last:sale --reference-order-id ORDER-1001 --amount 4.00'
    const { code, stdout, stderr } = await sandbox.run(both)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/field +--reference-order-id/)
  })

  test('api operation-1-7, operation-1-9: a payment can be tip-adjusted and then voided', async () => {
    const sandbox = await startSandboxCommand()
    const { transactionId } = await sandbox.json('sale --amount 10.00')
    const shown = await sandbox.run(`tip-adjust ${transactionId} --tip-amount 2.00`)
    expect(shown).toMatchObject({ code: 0, stderr: '' })
    expect(shown.stdout).toContain(transactionId)
    expect(await query(sandbox, transactionId)).toMatchObject({ tipAmount: 200, transactionAmount: 1200 })
    const voided = await sandbox.json(`void ${transactionId}`)
    expect(voided).toMatchObject({
      transactionStatus: 'S',
      transactionType: 'VOID',
      transactionAmount: 1200,
    })
  })

  test('api operation-1-8: abort closes a payment that waits at a terminal', async ({ sandbox }) => {
    const sale = 'sale --amount 10.00 --terminal TBX-ATTENDED-001 --no-wait'
    const { transactionId, transactionStatus } = await sandbox.json(sale)
    expect(transactionStatus).toBe('I')
    const shown = await sandbox.run(`abort ${transactionId} --json`)
    expect(shown).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(shown.stdout)).toEqual({
      originalTransactionId: transactionId,
      transactionStatus: 'C',
    })
    expect((await query(sandbox, transactionId)).transactionStatus).toBe('C')
  })

  test('assumption abort: once the host was asked, abort answers P and exits with 5, and the outcome stands', async () => {
    const sandbox = await startSandboxCommand()
    const sale = 'sale --amount 10.00 --terminal TBX-LATE-001 --no-wait'
    const { transactionId } = await sandbox.json(sale)
    const late = await sandbox.run(`abort ${transactionId} --json`)
    expect(late.code).toBe(5)
    expect(JSON.parse(late.stdout).transactionStatus).toBe('P')
    expect(late.stderr).toContain('Too late')
    await sandbox.json('sandbox clock --advance 61s')
    expect((await query(sandbox, transactionId)).transactionStatus).toBe('S')
  })

  test('objects are given as JSON, and a payment method also as its category alone', async ({ sandbox }) => {
    for (const debit of ['CARD-DEBIT', '{"category":"CARD-DEBIT"}']) {
      const sale = await sandbox.json(`sale --amount 10.00 --set paymentMethod=${debit}`)
      expect(sale.cardNetworkType).toBe('DEBIT')
    }
    const list = await sandbox.run('sale --amount 10.00 --set tipConfig=[]')
    expect(list.code).toBeGreaterThan(0)
    expect(list.stderr).toContain('--set tipConfig')
  })

  test('assumption outcome-order: --outcome asks for an outcome by name', async ({ sandbox }) => {
    const declined = await sandbox.json('sale --amount 10.00 --outcome expired-card', 4)
    expect(declined).toMatchObject({ transactionStatus: 'F', transactionResultCode: '054' })
    await fails(sandbox.run('sale --amount 10.00 --outcome expired-crad'), 2, 'Did you mean expired-card?')
  })
})
