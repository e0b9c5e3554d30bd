import { safeParse } from 'valibot'
import { describe, expect, test } from 'vitest'
import { jsonExamples } from '../../src/cli/operation/json-flags.ts'
import { unwrap } from '../../src/contract/member-kinds.ts'
import { entriesOf, isJsonMember, memberAt, namesInside } from '../../src/contract/operation-members.ts'
import { operationNames } from '../../src/contract/operations.ts'

const jsonMembers = new Map(
  operationNames.flatMap((name) =>
    Object.entries(entriesOf(name)).filter(([, schema]) => isJsonMember(schema)),
  ),
)

describe('members that are given as JSON', () => {
  test('are those that are objects and lists', () => {
    expect([...jsonMembers.keys()].sort()).toEqual([
      'billingAddress',
      'paymentMethod',
      'productList',
      'shippingAddress',
      'signatureConfig',
      'tipConfig',
    ])
  })

  test.each([...jsonMembers])('%s: its help shows a value that is right, and its names', (member, schema) => {
    const example = jsonExamples[member]
    expect(safeParse(schema, example).issues).toBeUndefined()
    const [first = {}] = [example].flat() as object[]
    for (const name of Object.keys(first)) expect(namesInside(schema)).toContain(name)
  })

  test('words of a member, and what is inside of one, stand in brackets', () => {
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
  ])('%j is %s', (path, type) => {
    expect(typeAt(...path)).toBe(type)
  })
})
