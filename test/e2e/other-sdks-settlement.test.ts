import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type LaunchedSandbox, startSandboxCommand } from '../support/commands/running-sandbox.ts'
import { type Sdk, sdks } from '../support/sdk/sdks.ts'
import { newId } from '../support/service/new-id.ts'
import { isoWithOffset } from '../support/service/time-formats.ts'

const terminalSn = 'TBX-AUTO-001'
const amounts = ['netAmount', 'tipAmount', 'surchargeAmount', 'taxAmount']

/** Members of an entry of the batch query, and of the answer to a batch close: what the strictest SDK knows. */
const queried = ['batchNo', 'startTime', 'channelCode', 'priceCurrency', 'totalCount', ...amounts]
const closed = ['batchNo', 'terminalSn', 'batchTime', 'transactionCount', 'priceCurrency', ...amounts]
const integers = new Set([...amounts, 'totalCount', 'transactionCount'])

/** Go and PHP raise an error over a batchNo that is a number, Java loses what is beyond 32 bits. */
function expectTypes(entry: Record<string, unknown>): void {
  for (const [member, value] of Object.entries(entry)) {
    if (integers.has(member)) expect(value).toSatisfy((it: number) => Number.isInteger(it) && it < 2 ** 31)
    else expect([member, typeof value]).toEqual([member, 'string'])
    if (member.endsWith('Time')) expect(value).toMatch(isoWithOffset)
  }
}

/** A client that speaks as the SDK does. */
function clientOf(sandbox: LaunchedSandbox, sdk: Sdk) {
  const { appId, merchantId } = sandbox
  const send = async (method: string, path: string, members: Record<string, unknown>) => {
    const id = randomUUID()
    const headers = { ...sdk.headers, 'X-Client-Request-Id': sdk.undashed ? id.replaceAll('-', '') : id }
    const all = { appId, merchantId, ...members }
    const answer =
      method === 'GET'
        ? await sandbox.send('GET', `${path}?${new URLSearchParams(all as Record<string, string>)}`, {
            headers,
          })
        : await sandbox.send('POST', path, { headers, body: all })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json')
    for (const text of ['code', 'msg', 'traceId']) expect(answer.envelope[text]).toBeTypeOf('string')
    return answer.envelope
  }
  return {
    send,
    batchQuery: () => send(sdk.batchQuery, '/v1/settlement/batch-query', { terminalSn }),
    batchClose: (members: object) =>
      send('POST', '/v1/settlement/batch-close', {
        terminalSn,
        transactionRequestId: newId(),
        description: `by ${sdk.name}`,
        ...(sdk.strict && { channelCode: null, attach: null }),
        ...members,
      }),
  }
}

/** A sandbox with a batch of cards and one of EBT. */
async function filled(): Promise<LaunchedSandbox> {
  const sandbox = await startSandboxCommand()
  await sandbox.json(['sale', '--amount', '10.00', '--tip-amount', '1.50'])
  await sandbox.json(['sale', '--amount', '3.00', '--set', 'cardNetworkType=EBT'])
  return sandbox
}

describe.each(sdks)('the public $name SDK', (sdk) => {
  test(`api operation-4-1: a batch-query by ${sdk.batchQuery} lists the open batches`, async () => {
    const { batchQuery } = clientOf(await filled(), sdk)
    const { code, data } = await batchQuery()
    expect([code, Object.keys(data)]).toEqual(['0', ['batchList']])
    expect(data.batchList).toMatchObject([
      { batchNo: '1', channelCode: 'SBX-CARD', netAmount: 1150, tipAmount: 150 },
      { batchNo: '2', channelCode: 'SBX-EBT', netAmount: 300 },
    ])
    for (const entry of data.batchList) {
      expect(Object.keys(entry).sort()).toEqual([...queried].sort())
      expectTypes(entry)
    }
  })

  test('api operation-4-2: a batch-close for each channel closes its batch', async () => {
    const { batchQuery, batchClose } = clientOf(await filled(), sdk)
    const { batchList } = (await batchQuery()).data
    for (const { channelCode, batchNo, netAmount } of batchList) {
      const { code, data } = await batchClose({ channelCode })
      expect([code, data.batchNo, data.netAmount]).toEqual(['0', batchNo, netAmount])
      expect(Object.keys(data).sort()).toEqual([...closed].sort())
      expectTypes(data)
    }
    expect((await batchQuery()).data).toEqual({ batchList: [] })
  })

  test('api operation-4-2: a batch-close closes all channels, and is refused when none is left', async () => {
    const { batchClose } = clientOf(await filled(), sdk)
    const { batchList, ...first } = (await batchClose({})).data
    expect(Object.keys(first).sort()).toEqual([...closed].sort())
    expectTypes(first)
    if (sdk.strict) expect(batchList).toBeUndefined()
    else expect(batchList).toMatchObject([{ batchNo: '2', channelCode: 'SBX-EBT', netAmount: 300 }])
    for (const entry of batchList ?? []) expectTypes(entry)
    const { code, data, ...rest } = await batchClose({})
    expect([code, data]).toEqual(['SBX_BATCH_EMPTY', undefined])
    if (sdk.strict) expect(Object.keys(rest).sort()).toEqual(['msg', 'traceId'])
  })
})

describe.each(sdks.filter(({ looksUp }) => looksUp))('the public $name SDK', (sdk) => {
  test('closed batches, merchant and terminals have only texts and integers that the SDK reads', async () => {
    const sandbox = await filled()
    const { send, batchClose } = clientOf(sandbox, sdk)
    await batchClose({})
    const list = await send('GET', '/v1/settlement/batch-close-list', { terminalSn })
    expect(list.data.batchCloseList).toMatchObject([{ batchNo: '1' }, { batchNo: '2' }])
    for (const entry of list.data.batchCloseList) expectTypes(entry)
    const merchant = (await send('GET', '/v1/merchant/query', {})).data
    const { midList, ...texts } = merchant
    for (const value of [...Object.values(texts), ...midList.flatMap(Object.values)])
      expect(value).toBeTypeOf('string')
    expect(['Y', 'N']).toContain(merchant.status)
    const { data } = await send('GET', '/v1/merchant/terminals/query', {})
    expect(data.terminals.map(({ sn }: { sn: string }) => sn)).toEqual(sandbox.terminals)
    for (const { tidList, ...rest } of data.terminals)
      for (const value of [...Object.values(rest), ...tidList.flatMap(Object.values)])
        expect(value).toBeTypeOf('string')
  })
})
