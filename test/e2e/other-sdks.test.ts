import { describe, expect, test } from 'vitest'
import { startSandboxCommand } from '../support/commands/running-sandbox.ts'
import { clientOf, nullMembers } from '../support/sdk/sdk-client.ts'
import { sdks } from '../support/sdk/sdks.ts'
import { newId } from '../support/service/new-id.ts'

describe.each(sdks)('the public $name SDK', (sdk) => {
  test('api operation-1-1: the form of tipConfig that the SDK sends is read', async () => {
    const { done, order, money } = clientOf(await startSandboxCommand(), sdk)
    const { suggestions } = sdk
    const tipConfig = { onScreenTip: true, tipMode: 'ON_SALE', tipWithTax: false, suggestions }
    const amount = sdk.tipConfig === 'inside' ? money(1000, { tipConfig }) : { ...money(1000), tipConfig }
    const sale = await done('sale', { ...order(), ...amount, terminalSn: 'TBX-TIP20-001' })
    expect(sale.amount).toMatchObject({ orderAmount: 1000, tipAmount: 200, transAmount: 1200 })
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
})
