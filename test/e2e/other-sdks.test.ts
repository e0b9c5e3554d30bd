import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { startSandboxCommand } from '../support/commands/running-sandbox.ts'
import { clientOf, nullMembers, originalMembers } from '../support/sdk/sdk-client.ts'
import { sdks } from '../support/sdk/sdks.ts'
import { newId } from '../support/service/new-id.ts'

describe.each(sdks)('the public $name SDK', (sdk) => {
  test('api operation-1-1, operation-3-1: a sale succeeds with all members of its record, and another is declined', async () => {
    const { done, order, money } = clientOf(await startSandboxCommand(), sdk)
    const request = { ...order(), ...money(1000, { taxAmount: 80 }), attach: '{"table": 7}' }
    const sale = await done('sale', request)
    expect(sale).toMatchObject({
      transactionStatus: 'S',
      transactionType: 'SALE',
      transactionRequestId: request.transactionRequestId,
      referenceOrderId: request.referenceOrderId,
      batchNo: '1',
      description: `by ${sdk.name}`,
      attach: '{"table": 7}',
      amount: { priceCurrency: 'USD', orderAmount: 1000, taxAmount: 80, tipAmount: 0, transAmount: 1080 },
    })
    for (const member of ['stan', 'voucherNo', 'rrn', 'authCode', 'createTime', 'completeTime', 'maskedPan'])
      expect(sale[member]).toMatch(/./)
    const declined = await done('sale', { ...order(), ...money(9734) })
    expect(declined).toMatchObject({ transactionStatus: 'F', transactionResultCode: '051' })
  })

  test('api operation-1-1: the form of tipConfig that the SDK sends is read', async () => {
    const { done, order, money } = clientOf(await startSandboxCommand(), sdk)
    const { suggestions } = sdk
    const tipConfig = { onScreenTip: true, tipMode: 'ON_SALE', tipWithTax: false, suggestions }
    const amount = sdk.tipConfig === 'inside' ? money(1000, { tipConfig }) : { ...money(1000), tipConfig }
    const sale = await done('sale', { ...order(), ...amount, terminalSn: 'TBX-TIP20-001' })
    expect(sale.amount).toMatchObject({ orderAmount: 1000, tipAmount: 200, transAmount: 1200 })
  })

  test('api operation-1-6, refund-2: refunds with and without reference succeed, and one too large is refused', async () => {
    const { done, post, order, money, on, push } = clientOf(await startSandboxCommand(), sdk)
    const { transactionId } = await done('sale', { ...order(), ...money(1000) })
    const noOrder = nullMembers(sdk, 'referenceOrderId', 'paymentMethod', 'cardNetworkType', 'timeExpire')
    const refund = (amount: number) => ({ ...on(transactionId), ...noOrder, ...money(amount), ...push })
    expect(await done('refund', refund(400))).toMatchObject({
      transactionStatus: 'S',
      transactionType: 'REFUND',
      amount: { transAmount: 400 },
    })
    const refused = await post('refund', refund(601))
    expect(refused.code).toBe('SBX_OVER_REFUND')
    expect(refused.msg).toBe('Refund amount exceeds original transaction amount')
    const free = { ...order(), ...money(300), ...nullMembers(sdk, ...originalMembers), ...push }
    expect(await done('refund', free)).toMatchObject({ transactionStatus: 'S', transactionType: 'REFUND' })
  })

  test('api operation-4-2: a batch-close without a channel closes all batches, and a strict SDK hears of one', async () => {
    const sandbox = await startSandboxCommand()
    await sandbox.json('sale --amount 10.00 --tip-amount 1.50')
    await sandbox.json('sale --amount 3.00 --set cardNetworkType=EBT')
    const { send } = clientOf(sandbox, sdk)
    const members = {
      terminalSn: 'TBX-AUTO-001',
      transactionRequestId: newId(),
      description: `by ${sdk.name}`,
    }
    const body = JSON.stringify({ ...members, ...nullMembers(sdk, 'channelCode', 'attach') })
    const { batchList, ...first } = (await send('batch-close', 'POST', '/v1/settlement/batch-close', body))
      .data
    expect(first).toMatchObject({ batchNo: '1', netAmount: 1150, tipAmount: 150 })
    if (sdk.strict) expect(batchList).toBeUndefined()
    else expect(batchList).toMatchObject([{ batchNo: '2', channelCode: 'SBX-EBT', netAmount: 300 }])
  })

  test('api authentication-3: a GET may repeat its id and timestamp, as its retries do, and a POST may not', async () => {
    const sandbox = await startSandboxCommand()
    const headers = {
      ...sdk.headers,
      'X-Client-Request-Id': sdk.undashed ? randomUUID().replaceAll('-', '') : randomUUID(),
      'X-Timestamp': String(Date.now()),
    }
    for (let attempt = 0; attempt < 3; attempt++) {
      const answer = await sandbox.send('GET', '/v1/transaction/query?transactionId=1', { headers })
      expect(answer.status).toBe(200)
    }
    const path = '/v1/semi-integration/transaction/sale'
    const body = () => ({ transactionRequestId: newId(), amount: { orderAmount: 1, priceCurrency: 'USD' } })
    expect((await sandbox.send('POST', path, { headers, body: body() })).envelope.code).toBe('0')
    const repeated = await sandbox.send('POST', path, { headers, body: body() })
    expect(repeated.status).toBe(409)
    expect(repeated.envelope.code).toBe('SBX_DUP_REQUEST')
  })
})

describe('requests of other public clients', () => {
  const path = '/v1/semi-integration/transaction'

  test('api ids-2: a referenceOrderId on a follow-up is refused', async () => {
    const sandbox = await startSandboxCommand()
    const { transactionId } = await sandbox.json('sale --amount 10.00')
    const members = { originalTransactionId: transactionId, referenceOrderId: 'ORDER-1001' }
    for (const operation of ['void', 'refund', 'tip-adjust', 'abort', 'incremental-auth', 'post-auth']) {
      const body = {
        ...members,
        transactionRequestId: newId(),
        amount: 100,
        priceCurrency: 'USD',
        tipAmount: 1,
      }
      const { envelope } = await sandbox.send('POST', `${path}/${operation}`, { body })
      expect([operation, envelope.code, envelope.field]).toEqual([operation, 'C17', 'referenceOrderId'])
    }
  })

  test('assumption request-id-form: the id of the web demo is accepted, and is a duplicate when repeated', async () => {
    const sandbox = await startSandboxCommand()
    const body = { transactionRequestId: newId(), amount: 1000, priceCurrency: 'USD' }
    const headers = { 'X-Client-Request-Id': `CID_${Date.now()}_1` }
    const answer = await sandbox.send('POST', `${path}/sale`, { body, headers })
    expect([answer.status, answer.envelope.code]).toEqual([200, '0'])
    expect((await sandbox.send('POST', `${path}/sale`, { body, headers })).envelope.code).toBe(
      'SBX_DUP_REQUEST',
    )
  })
})
