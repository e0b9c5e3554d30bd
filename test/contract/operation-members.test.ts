import { safeParse } from 'valibot'
import { describe, expect, test } from 'vitest'
import { jsonExamples } from '../../src/cli/operation/operation-flags.ts'
import { unwrap } from '../../src/contract/member-kinds.ts'
import { entriesOf, isJsonMember, memberAt, namesInside } from '../../src/contract/operation-members.ts'
import { operationNames } from '../../src/contract/operations.ts'

const jsonMembers = new Map(
  operationNames.flatMap((name) =>
    Object.entries(entriesOf(name)).filter(([, schema]) => isJsonMember(schema)),
  ),
)

describe('members that are given as JSON', () => {
  test('exactly the members that are objects or lists are given as JSON', () => {
    expect([...jsonMembers.keys()].sort()).toEqual([
      'billingAddress',
      'paymentMethod',
      'productList',
      'shippingAddress',
      'signatureConfig',
      'tipConfig',
    ])
  })

  test.each([...jsonMembers])(
    'the example in the help of %s is valid, and the help lists its names',
    (member, schema) => {
      const example = jsonExamples[member]
      expect(safeParse(schema, example).issues).toBeUndefined()
      const [first = {}] = [example].flat() as object[]
      for (const name of Object.keys(first)) expect(namesInside(schema)).toContain(name)
    },
  )

  test('the words of a member and the names inside it stand in brackets', () => {
    const { tipConfig } = entriesOf('sale')
    expect(tipConfig && namesInside(tipConfig)).toBe(
      'onScreenTip, tipMode (ON_SALE, AFTER_SALE), tipWithTax, useHostConfig, suggestions (feeMode (RATE, AMOUNT), names, values)',
    )
  })
})

describe('the member at a path', () => {
  const typeAt = (...path: string[]) => {
    const schema = memberAt(entriesOf('create-session'), path)
    return schema && unwrap(schema).type
  }

  test.each([
    [['transactionRequestId'], 'string'],
    [['amount', 'orderAmount'], 'number'],
    [['productList', '0', 'name'], 'string'],
    [['productList', '0', 'num'], 'number'],
    [['productList', '12', 'num'], 'number'],
    [['productList', 'x0', 'name'], undefined],
    [['productList', '0x', 'name'], undefined],
    [['productList', '0', 'nothing'], undefined],
    [['0'], undefined],
    [['toString'], undefined],
    [['transactionRequestId', 'inside'], undefined],
  ])('the member at %j is of type %s', (path, type) => {
    expect(typeAt(...path)).toBe(type)
  })
})
