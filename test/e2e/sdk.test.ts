import {
  AuthenticationMethod,
  CardNetworkType,
  EntryMode,
  RelatedTransactionStatus,
  SunbayNetworkError,
  TransactionBatchStatus,
  TransactionStatus,
  TransactionType,
} from '@sunbay/sunbay-nexus-sdk'
import { describe, expect, test } from 'vitest'
import { sdkRefusal } from '../support/sdk/sdk-refusal.ts'
import { openSdkShop, quietClient } from '../support/sdk/sdk-shop.ts'
import { newId } from '../support/service/new-id.ts'
import { localTime } from '../support/service/time-formats.ts'

describe('the public Node SDK', () => {
  test('api operation-1-1: a sale succeeds, and its record has every member', async () => {
    const { client, order, final } = await openSdkShop()
    const request = {
      ...order(1000),
      amount: {
        orderAmount: 1000,
        priceCurrency: 'USD',
        tipAmount: 150,
        taxAmount: 80,
        surchargeAmount: 20,
        cashbackAmount: 500,
      },
      attach: '{"table": 7}',
    }
    const opened = await client.sale(request)
    expect(opened.isSuccess?.()).toBe(true)
    expect(opened.code).toBe('0')
    expect(opened.traceId).toMatch(/./)
    expect(opened.transactionId).toMatch(/^\d{16}$/)
    expect(opened.transactionRequestId).toBe(request.transactionRequestId)
    expect(opened.referenceOrderId).toBe(request.referenceOrderId)
    expect(opened.transactionStatus).toBe(TransactionStatus.INITIAL)

    const record = await final(opened.transactionId)
    expect(record.transactionStatus).toBe(TransactionStatus.SUCCESS)
    expect(record.transactionType).toBe(TransactionType.SALE)
    expect(record.transactionId).toBe(opened.transactionId)
    expect(record.transactionRequestId).toBe(request.transactionRequestId)
    expect(record.referenceOrderId).toBe(request.referenceOrderId)
    expect(record.amount).toMatchObject({ ...request.amount, transAmount: 1750 })
    expect(record.createTime).toMatch(localTime)
    expect(record.completeTime).toMatch(localTime)
    expect(record.maskedPan).toBe('411111******1111')
    expect(record.paymentMethodId).toBe('VISA')
    expect(record.cardNetworkType).toBe(CardNetworkType.CREDIT)
    expect(record.entryMode).toBe(EntryMode.CONTACTLESS)
    expect(record.authenticationMethod).toBe(AuthenticationMethod.NOT_AUTHENTICATED)
    expect(record.batchNo).toBe('1')
    expect(record.voucherNo).toMatch(/^\d{6}$/)
    expect(record.stan).toMatch(/^\d{6}$/)
    expect(record.rrn).toMatch(/^\d{12}$/)
    expect(record.authCode).toMatch(/^[0-9A-Z]{6}$/)
    expect(record.transactionResultCode).toBe('000')
    expect(record.transactionResultMsg).toBe('Approved')
    expect(record.terminalSn).toBe('TBX-AUTO-001')
    expect(record.description).toBe('a test')
    expect(record.attach).toBe('{"table": 7}')
    expect(record.transactionBatchStatus).toBe(TransactionBatchStatus.U)
    expect(record.relatedTransactionStatus).toBeUndefined()
  })

  test('api operation-3-1: a query by transactionRequestId finds the same transaction', async () => {
    const { paid, queryByRequest } = await openSdkShop()
    const sale = await paid(1000)
    const found = await queryByRequest(String(sale.transactionRequestId))
    expect(found.transactionId).toBe(sale.transactionId)
  })

  test('api statuses: a declined sale is FAIL, and a sale cancelled on the device is CLOSED', async () => {
    const { client, order, final } = await openSdkShop()
    const declined = await final((await client.sale(order(9823))).transactionId)
    expect(declined.transactionStatus).toBe(TransactionStatus.FAIL)
    expect(declined.transactionResultCode).toBe('005')
    expect(declined.transactionResultMsg).toBe('Do not honor')
    expect(declined.batchNo).toBeUndefined()
    expect(declined.authCode).toBeUndefined()
    const cancelled = await final((await client.sale(order(1000, 'TBX-CANCEL-001'))).transactionId)
    expect(cancelled.transactionStatus).toBe(TransactionStatus.CLOSED)
  })

  test('api operation-1-1: the terminal adds the tip that tipConfig asks for', async () => {
    const { client, order, final } = await openSdkShop()
    const opened = await client.sale({
      ...order(1000, 'TBX-TIP20-001'),
      tipConfig: {
        onScreenTip: true,
        tipMode: 'ON_SALE',
        tipWithTax: false,
        suggestions: { names: ['some', 'more'], feeMode: 'RATE', values: [10, 20] },
      },
    })
    const { amount } = await final(opened.transactionId)
    expect(amount).toMatchObject({ orderAmount: 1000, tipAmount: 200, transAmount: 1200 })
  })

  test('api operation-1-2, operation-1-4, operation-1-5: an auth is raised by incremental-auth and captured by post-auth', async () => {
    const { client, base, order, final, query } = await openSdkShop()
    const request = order(5000)
    const auth = await final((await client.auth(request)).transactionId)
    expect(auth.transactionStatus).toBe(TransactionStatus.SUCCESS)
    expect(auth.transactionType).toBe(TransactionType.AUTH)
    expect(auth.transactionBatchStatus).toBe(TransactionBatchStatus.N)
    expect(auth.batchNo).toBeUndefined()
    const original = { ...base, originalTransactionId: String(auth.transactionId) }

    const raised = await client.incrementalAuth({
      ...original,
      transactionRequestId: newId(),
      amount: { orderAmount: 1500, priceCurrency: 'USD' },
      pushToTerminal: false,
    })
    expect(raised.transactionStatus).toBe(TransactionStatus.SUCCESS)
    expect((await query(raised.transactionId)).transactionType).toBe(TransactionType.INCREMENTAL)
    expect((await query(auth.transactionId)).relatedTransactionStatus).toBe(
      RelatedTransactionStatus.INCREMENTAL,
    )

    const tooMuch = { orderAmount: 6501, priceCurrency: 'USD' }
    const refused = await sdkRefusal(
      client.postAuth({ ...original, transactionRequestId: newId(), amount: tooMuch }),
    )
    expect(refused.code).toBe('SBX_OVER_CAPTURE')

    const captured = await client.postAuth({
      ...original,
      transactionRequestId: newId(),
      amount: { orderAmount: 6500, tipAmount: 500, priceCurrency: 'USD' },
    })
    expect(captured.transactionStatus).toBe(TransactionStatus.INITIAL)
    const capture = await final(captured.transactionId)
    expect(capture.transactionStatus).toBe(TransactionStatus.SUCCESS)
    expect(capture.transactionType).toBe(TransactionType.POST_AUTH)
    expect(capture.amount).toMatchObject({ orderAmount: 6500, tipAmount: 500, transAmount: 7000 })
    expect(capture.batchNo).toBe('1')
    const after = await query(auth.transactionId)
    expect(after.relatedTransactionStatus).toBe(RelatedTransactionStatus.CAPTURE)
    expect(after.transactionStatus).toBe(TransactionStatus.SUCCESS)
  })

  test('api operation-1-3: a forced-auth succeeds', async () => {
    const { client, order, final } = await openSdkShop()
    const record = await final((await client.forcedAuth(order(2500))).transactionId)
    expect(record.transactionStatus).toBe(TransactionStatus.SUCCESS)
    expect(record.transactionType).toBe(TransactionType.FORCED_AUTH)
    expect(record.amount?.transAmount).toBe(2500)
    expect(record.batchNo).toBe('1')
  })

  test('api operation-1-6, refund-1: a sale is refunded with reference in two parts', async () => {
    const { client, base, final, query, paid } = await openSdkShop()
    const sale = await paid(1000)
    const refund = (orderAmount: number, pushToTerminal: boolean) =>
      client.refund({
        ...base,
        originalTransactionId: String(sale.transactionId),
        transactionRequestId: newId(),
        amount: { orderAmount, priceCurrency: 'USD' },
        pushToTerminal,
      })
    const cloud = await refund(400, false)
    expect(cloud.transactionStatus).toBe(TransactionStatus.SUCCESS)
    expect(cloud.originalTransactionId).toBe(sale.transactionId)
    expect(cloud.referenceOrderId).toBe(sale.referenceOrderId)
    const record = await query(cloud.transactionId)
    expect(record.transactionType).toBe(TransactionType.REFUND)
    expect(record.amount?.transAmount).toBe(400)
    expect(record.batchNo).toBe('1')
    expect((await query(sale.transactionId)).relatedTransactionStatus).toBe(
      RelatedTransactionStatus.PART_REFUNDED,
    )

    const pushed = await refund(600, true)
    expect(pushed.transactionStatus).toBe(TransactionStatus.INITIAL)
    expect((await final(pushed.transactionId)).transactionStatus).toBe(TransactionStatus.SUCCESS)
    const after = await query(sale.transactionId)
    expect(after.relatedTransactionStatus).toBe(RelatedTransactionStatus.REFUNDED)
    expect(after.transactionStatus).toBe(TransactionStatus.SUCCESS)
  })

  test('api ids-1: a refund without reference succeeds', async () => {
    const { client, order, final } = await openSdkShop()
    const request = order(700)
    const opened = await client.refund(request)
    expect(opened.referenceOrderId).toBe(request.referenceOrderId)
    expect(opened.originalTransactionId).toBeUndefined()
    const record = await final(opened.transactionId)
    expect(record.transactionStatus).toBe(TransactionStatus.SUCCESS)
    expect(record.transactionType).toBe(TransactionType.REFUND)
    expect(record.referenceOrderId).toBe(request.referenceOrderId)
    expect(record.amount?.transAmount).toBe(700)
  })

  test('api operation-1-7: a void names its original by transactionRequestId', async () => {
    const { client, base, final, query, paid } = await openSdkShop()
    const sale = await paid(1000)
    const opened = await client.voidTransaction({
      ...base,
      originalTransactionRequestId: String(sale.transactionRequestId),
      transactionRequestId: newId(),
    })
    expect(opened.originalTransactionRequestId).toBe(sale.transactionRequestId)
    const record = await final(opened.transactionId)
    expect(record.transactionStatus).toBe(TransactionStatus.SUCCESS)
    expect(record.transactionType).toBe(TransactionType.VOID)
    const after = await query(sale.transactionId)
    expect(after.relatedTransactionStatus).toBe(RelatedTransactionStatus.VOIDED)
    expect(after.transactionStatus).toBe(TransactionStatus.SUCCESS)
  })

  test('api operation-1-8: an unpaid transaction can be aborted, and a final one cannot', async () => {
    const { client, base, order, final } = await openSdkShop()
    const opened = await client.sale(order(1000, 'TBX-ATTENDED-001'))
    const original = {
      ...base,
      terminalSn: 'TBX-ATTENDED-001',
      originalTransactionId: String(opened.transactionId),
    }
    const aborted = await client.abort(original)
    expect(aborted.transactionStatus).toBe(TransactionStatus.CLOSED)
    expect(aborted.originalTransactionId).toBe(opened.transactionId)
    expect((await final(opened.transactionId)).transactionStatus).toBe(TransactionStatus.CLOSED)
    expect((await sdkRefusal(client.abort(original))).message).toBe('Transaction status not allowed')
  })

  test('api operation-1-9: a tip-adjust replaces the tip and opens no transaction', async () => {
    const { client, sandbox, base, query, paid } = await openSdkShop()
    const sale = await paid(1000, { tipAmount: 100 })
    const answer = await client.tipAdjust({
      ...base,
      originalTransactionId: String(sale.transactionId),
      tipAmount: 250,
    })
    expect(answer.tipAmount).toBe(250)
    expect(answer.originalTransactionId).toBe(sale.transactionId)
    expect((await query(sale.transactionId)).amount).toMatchObject({
      orderAmount: 1000,
      tipAmount: 250,
      transAmount: 1250,
    })
    const { envelope } = await sandbox.send('GET', '/_sandbox/state')
    expect(envelope.data.transactions).toBe(1)
  })
})

describe('errors of the public Node SDK', () => {
  test('api errors: the five refund messages arrive word for word, each with code and traceId', async () => {
    const { client, sandbox, base, order, paid } = await openSdkShop()
    const refund = async (originalTransactionId: string | undefined, orderAmount: number) => {
      const error = await sdkRefusal(
        client.refund({
          ...base,
          originalTransactionId: String(originalTransactionId),
          transactionRequestId: newId(),
          amount: { orderAmount, priceCurrency: 'USD' },
          pushToTerminal: false,
        }),
      )
      expect(error.code).toMatch(/^SBX_[A-Z_]{1,12}$/)
      expect(error.traceId).toMatch(/./)
      return error.message
    }
    const sale = await paid(1000)
    expect(await refund(sale.transactionId, 1001)).toBe('Refund amount exceeds original transaction amount')
    const full = await paid(500)
    await client.refund({
      ...base,
      originalTransactionId: String(full.transactionId),
      transactionRequestId: newId(),
      amount: { orderAmount: 500, priceCurrency: 'USD' },
      pushToTerminal: false,
    })
    expect(await refund(full.transactionId, 1)).toBe('Transaction already fully refunded')
    const late = await client.sale(order(1000, 'TBX-LATE-001'))
    expect(await refund(late.transactionId, 1000)).toBe('Transaction status not allowed')
    const free = order(999_999_999)
    expect((await sdkRefusal(client.refund(free))).message).toBe('Insufficient merchant balance')
    const advance = { action: 'advance', milliseconds: 181 * 86_400_000 }
    expect((await sandbox.send('POST', '/_sandbox/clock', { body: advance })).status).toBe(200)
    expect(await refund(sale.transactionId, 1000)).toBe('Refund period expired')
  })

  test('api ids-4: a reused transactionRequestId is refused', async () => {
    const { client, order, paid } = await openSdkShop()
    const sale = await paid(1000)
    const again = { ...order(1000), transactionRequestId: String(sale.transactionRequestId) }
    const error = await sdkRefusal(client.sale(again))
    expect(error.code).toBe('SBX_DUP_TXN_ID')
    expect(error.message).toBe('The transactionRequestId was used before')
  })

  test('api operation-3-1: an unknown transaction is a business error', async () => {
    const { query } = await openSdkShop()
    const error = await sdkRefusal(query('1234567890123456'))
    expect(error.code).toBe('SBX_TXN_UNKNOWN')
    expect(error.traceId).toMatch(/./)
  })

  test('api authentication-7: a wrong key is a network error with HTTP 401', async () => {
    const { sandbox, order, merchant } = await openSdkShop()
    const stranger = quietClient(sandbox.url, 'tbx_sandbox_wrong')
    for (const call of [
      () => stranger.sale(order(1000)),
      () => stranger.query({ ...merchant, transactionId: '1234567890123456' }),
    ]) {
      const error = await call().then(
        () => new Error('accepted'),
        (reason: unknown) => reason,
      )
      expect(error).toBeInstanceOf(SunbayNetworkError)
      expect((error as Error).message).toContain('HTTP 401')
      expect((error as Error).message).toContain('SBX_KEY_UNKNOWN')
    }
  })

  test('assumption envelope: with --http-status rest a refusal is a network error', async () => {
    const { query } = await openSdkShop('--set', 'httpStatus=rest')
    await expect(query('1234567890123456')).rejects.toBeInstanceOf(SunbayNetworkError)
  })
})
