import { describe, expect, test } from 'vitest'
import { plainInstructions, terminalInstructions } from '../../../src/domain/rules/terminal/instructions.ts'

const of = (input: object, tip = 0, outcome: string | null = null) =>
  terminalInstructions({ amount: 1000, ...input } as Parameters<typeof terminalInstructions>[0], tip, outcome)

describe('the instructions of a request for the terminal', () => {
  const onScreen = { useHostConfig: false, entryLocation: 'ON_SCREEN' }

  test.each<[object, object | null]>([
    [{}, null],
    [{ paymentMethod: {} }, null],
    [{ printReceipt: 'NONE' }, null],
    [{ printReceipt: 'BOTH' }, { print: true }],
    [{ paymentMethod: { category: 'QR-MPM', id: 'WECHAT' } }, { category: 'QR-MPM', method: 'WECHAT' }],
    [{ cardNetworkType: 'DEBIT' }, { cardNetworkType: 'DEBIT' }],
    [{ tipConfig: {} }, { tip: { withTax: false } }],
    [{ tipConfig: { tipWithTax: true } }, { tip: { withTax: true } }],
    [{ tipConfig: { onScreenTip: false } }, null],
    [{ tipConfig: { tipMode: 'AFTER_SALE' } }, null],
    [{ tipConfig: { tipMode: 'ON_SALE' } }, { tip: { withTax: false } }],
    [{ tipConfig: { suggestions: [] } }, { tip: { withTax: false } }],
    [{ tipConfig: { suggestions: {} } }, { tip: { withTax: false } }],
    [{ amount: { orderAmount: 1, tipConfig: {} } }, { tip: { withTax: false } }],
    [{ amount: { orderAmount: 1, tipConfig: {} }, tipConfig: { onScreenTip: false } }, null],
    [{ amount: { orderAmount: 1 } }, null],
    [{ amount: null }, null],
    [{ signatureEntryLocation: 'ON_SCREEN' }, { signatureFrom: 0 }],
    [{ signatureEntryLocation: 'NONE' }, { signature: 'NONE' }],
    [{ signatureConfig: { ...onScreen, threshold: 5 } }, { signatureFrom: 5 }],
    [{ signatureConfig: onScreen }, { signatureFrom: 0 }],
    [{ signatureConfig: { entryLocation: 'ON_SCREEN', threshold: 5 } }, null],
    [{ signatureConfig: { useHostConfig: true, entryLocation: 'ON_SCREEN' } }, null],
    [{ signatureConfig: { useHostConfig: false, entryLocation: 'ON_RECEIPT' } }, { signature: 'ON_RECEIPT' }],
    [{ signatureConfig: { useHostConfig: true, entryLocation: 'NONE' } }, null],
  ])('the request %j gives the instructions %j', (input, instructions) =>
    expect(of(input)).toEqual(instructions),
  )

  test.each<[object | object[], object[]]>([
    [{ values: [15, 18] }, [{ percent: 15 }, { percent: 18 }]],
    [{ feeMode: 'RATE', values: [15], names: ['Fair'] }, [{ percent: 15, name: 'Fair' }]],
    [{ feeMode: 'AMOUNT', values: [150], names: [''] }, [{ amount: 150 }]],
    [
      [
        { feeMode: 'AMOUNT', values: [100] },
        { values: [20], names: ['Good'] },
      ],
      [{ amount: 100 }, { percent: 20, name: 'Good' }],
    ],
  ])('assumption terminal-screens: the suggestions %j become choices', (suggestions, choices) => {
    expect(of({ tipConfig: { suggestions } })).toEqual({ tip: { withTax: false, choices } })
  })

  test('a request that both sends a tip and asks for one is refused', () => {
    const refusal = expect.objectContaining({ code: 'C17', field: 'tipConfig' })
    expect(() => of({ tipConfig: {} }, 1)).toThrow(refusal)
    expect(of({ tipConfig: { onScreenTip: false } }, 1)).toBeNull()
    expect(of({ cardNetworkType: 'DEBIT' }, 1)).toEqual({ cardNetworkType: 'DEBIT' })
  })

  test('every request may ask for an outcome and a receipt', () => {
    expect(plainInstructions(null, 'approve')).toEqual({ outcome: 'approve' })
    expect(plainInstructions('AUTO', null)).toEqual({ print: true })
    expect(plainInstructions('AUTO', 'approve')).toEqual({ print: true, outcome: 'approve' })
    expect([plainInstructions(undefined, null), plainInstructions('NONE', null)]).toEqual([null, null])
  })
})
