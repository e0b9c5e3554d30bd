import {
  type BatchCloseResponse,
  type BatchQueryItem,
  TransactionBatchStatus,
} from '@sunbay/sunbay-nexus-sdk'
import { describe, expect, test } from 'vitest'
import { keepAlive } from '../support/commands/running-sandbox.ts'
import { sdkRefusal } from '../support/sdk/sdk-refusal.ts'
import { openSdkShop } from '../support/sdk/sdk-shop.ts'
import { newId } from '../support/service/new-id.ts'
import { isoWithOffset, localTime } from '../support/service/time-formats.ts'

describe('the public Node SDK', () => {
  test('api operation-4-1: a batch-query returns every member of its entries', async () => {
    const { client, terminal, paid } = await openSdkShop()
    expect((await client.batchQuery(terminal)).batchList).toEqual([])
    await paid(1000, { tipAmount: 150, taxAmount: 80, surchargeAmount: 20 })
    await paid(500, { priceCurrency: 'EUR' })
    const answer = await client.batchQuery(terminal)
    expect([answer.isSuccess?.(), answer.code]).toEqual([true, '0'])
    const [dollars, euros] = answer.batchList as [BatchQueryItem, BatchQueryItem]
    expect(dollars).toEqual({
      batchNo: '1',
      startTime: expect.stringMatching(isoWithOffset),
      channelCode: 'SBX-CARD',
      priceCurrency: 'USD',
      totalCount: 1,
      netAmount: 1250,
      tipAmount: 150,
      surchargeAmount: 20,
      taxAmount: 80,
    })
    expect(euros).toMatchObject({ batchNo: '2', priceCurrency: 'EUR', totalCount: 1, netAmount: 500 })
  })

  test('api operation-4-2: a batch-close for each channel of the query closes its batches', async () => {
    const { client, terminal, paid, closeBatches, query } = await openSdkShop()
    const sale = await paid(1000, { tipAmount: 150, taxAmount: 80, surchargeAmount: 20 })
    await paid(300, {}, { cardNetworkType: 'EBT' })
    const { batchList = [] } = await client.batchQuery(terminal)
    const channels = [...new Set(batchList.map(({ channelCode }) => String(channelCode)))]
    const closed: BatchCloseResponse[] = []
    for (const channelCode of channels) closed.push(await closeBatches(channelCode))
    const [cards, ebt] = closed
    expect({ ...cards }).toMatchObject({
      code: '0',
      batchNo: '1',
      terminalSn: 'TBX-AUTO-001',
      batchTime: expect.stringMatching(isoWithOffset),
      transactionCount: 1,
      priceCurrency: 'USD',
      netAmount: 1250,
      tipAmount: 150,
      surchargeAmount: 20,
      taxAmount: 80,
    })
    expect(ebt).toMatchObject({ batchNo: '2', netAmount: 300 })
    expect((await client.batchQuery(terminal)).batchList).toEqual([])
    expect((await query(sale.transactionId)).transactionBatchStatus).toBe(TransactionBatchStatus.C)
  })

  test('api service-5: the merchant look-up returns every member', async () => {
    const { client, merchant } = await openSdkShop()
    const found = await client.merchantQuery(merchant)
    expect(found).toMatchObject({
      merchantId: merchant.merchantId,
      dbaName: 'Tillbox Coffee',
      mcc: '5814',
      country: 'USA',
      stateName: 'California',
      cityName: 'San Francisco',
      street: '1 Market Street',
      detailAddress: 'Suite 100',
      zipCode: '94105',
      status: 'Y',
      createTime: expect.stringMatching(localTime),
    })
    expect(found.midList).toContainEqual({
      channelCode: 'SBX-CARD',
      channelName: 'Sandbox Cards',
      mid: expect.stringMatching(/^\d{15}$/),
    })
    const other = { ...merchant, merchantId: 'M2000000001' }
    expect((await sdkRefusal(client.merchantQuery(other))).code).toBe('SBX_OTHER_OWNER')
  })

  test('api service-5: the terminal look-up returns the terminals page by page', async () => {
    const { client, merchant, sandbox } = await openSdkShop('--set', 'terminals=open')
    const one = await client.merchantTerminalsQuery(merchant)
    expect([one.merchantId, one.nextToken]).toEqual([merchant.merchantId, undefined])
    expect(one.terminals?.map(({ sn }) => sn)).toEqual(sandbox.terminals)
    expect(one.terminals?.[0]).toEqual({
      terminalId: expect.stringMatching(/./),
      sn: 'TBX-AUTO-001',
      vendor: expect.stringMatching(/./),
      model: expect.stringMatching(/./),
      createTime: expect.stringMatching(localTime),
      tidList: expect.arrayContaining([
        { channelCode: 'SBX-QR', channelName: 'Sandbox QR', tid: expect.stringMatching(/^\d{8}$/) },
      ]),
    })
    const agent = keepAlive(8)
    const body = (terminalSn: string) => ({
      transactionRequestId: newId(),
      amount: 1,
      priceCurrency: 'USD',
      terminalSn,
    })
    const path = '/v1/semi-integration/transaction/sale'
    const registered = Array.from({ length: 100 }, (_, index) => `COUNTER-${index}`)
    await Promise.all(registered.map((sn) => sandbox.send('POST', path, { body: body(sn), agent })))
    const first = await client.merchantTerminalsQuery(merchant)
    const last = await client.merchantTerminalsQuery({ ...merchant, nextToken: String(first.nextToken) })
    expect([first.terminals?.length, last.nextToken]).toEqual([100, undefined])
    const all = [...(first.terminals ?? []), ...(last.terminals ?? [])].map(({ sn }) => sn)
    expect(all.sort()).toEqual([...sandbox.terminals, ...registered].sort())
  })
})
