import { readFileSync } from 'node:fs'
import { safeParse } from 'valibot'
import { describe, expect, test } from 'vitest'
import { jsonExamples } from '../../src/cli/operation/operation-flags.ts'
import { unwrap } from '../../src/contract/member-kinds.ts'
import {
  beginsOrder,
  flagName,
  hasFlag,
  isJsonMember,
  isRefund,
  mayBeginOrder,
  memberAt,
  memberSchemas,
  moneyMembers,
  namesInside,
} from '../../src/contract/operation-members.ts'
import {
  followUpNames,
  isAmending,
  isLookUp,
  isOnline,
  isSettlement,
  type Operation,
  type OperationName,
  operationNames,
  operationPaths,
  operations,
} from '../../src/contract/operations.ts'
import { isSecretMember } from '../../src/contract/presentation/secret-names.ts'

const jsonMembers = new Map(
  operationNames.flatMap((name) =>
    Object.entries(memberSchemas(name)).filter(([, schema]) => isJsonMember(schema)),
  ),
)

describe('members that are given as JSON', () => {
  test('exactly the members that are objects or lists are given as JSON', () => {
    const names = 'billingAddress paymentMethod productList shippingAddress signatureConfig tipConfig'
    expect([...jsonMembers.keys()].sort().join(' ')).toBe(names)
  })

  test.each([...jsonMembers])('the help of %s has a valid example and lists its names', (member, schema) => {
    const example = jsonExamples[member]
    expect(safeParse(schema, example).issues).toBeUndefined()
    const [first = {}] = [example].flat() as object[]
    for (const name of Object.keys(first)) expect(namesInside(schema)).toContain(name)
  })

  test('the words of a member and the names inside it stand in brackets', () => {
    const { tipConfig } = memberSchemas('sale')
    expect(tipConfig && namesInside(tipConfig)).toBe(
      'onScreenTip, tipMode (ON_SALE, AFTER_SALE), tipWithTax, useHostConfig, suggestions (feeMode (RATE, AMOUNT), names, values)',
    )
  })
})

describe('the operations by what they do', () => {
  const row = (name: OperationName): Operation => operations[name]

  test.each<[string, (name: OperationName) => boolean, string]>([
    ['look something up', isLookUp, 'query batch-query batch-close-list merchant-query merchant-terminals'],
    [
      'are online',
      (each) => isOnline(row(each)),
      'create-session direct-payment expire-session online-refund',
    ],
    ['are about batches', (name) => isSettlement(row(name)), 'batch-query batch-close batch-close-list'],
    ['begin an order', beginsOrder, 'sale auth forced-auth create-session direct-payment'],
    ['act on an original or begin an order', mayBeginOrder, 'refund'],
    ['give money back', isRefund, 'refund online-refund'],
    ['amend a transaction', isAmending, 'abort tip-adjust'],
    [
      'follow up',
      (name) => followUpNames.some((each) => each === name),
      'incremental-auth post-auth refund void abort tip-adjust expire-session online-refund',
    ],
  ])('those that %s', (_, is, names) => expect(operationNames.filter(is).join(' ')).toBe(names))

  test('every operation has a path of the payment API', () => {
    expect([...operationPaths].every((path) => path.startsWith('/v1/'))).toBe(true)
    expect(operationPaths.size).toBe(operationNames.length)
  })

  test('the payload of a wallet is the only secret member', () => {
    const names = operationNames.flatMap((name) => Object.keys(memberSchemas(name)))
    expect(names.filter(isSecretMember)).toEqual(['cardEncryptedData'])
  })
})

describe('the flags of a command', () => {
  const { commands } = JSON.parse(readFileSync(new URL('../../oclif.manifest.json', import.meta.url), 'utf8'))

  test.each(operationNames)('%s has a flag for each member but its argument and those of --set', (name) => {
    const { command, argument } = operations[name] as Operation
    const { flags } = commands[command.replaceAll(' ', ':')]
    const members = Object.keys(memberSchemas(name)).filter(
      (member) => ![argument, 'nextToken'].includes(member),
    )
    expect(members.filter((member) => hasFlag(name, member) !== flagName(member) in flags)).toEqual([])
  })

  test('an amount of money is given in major units', () => {
    const parts = ['tipAmount', 'taxAmount', 'surchargeAmount', 'cashbackAmount']
    expect([...moneyMembers].sort()).toEqual(['amount', ...parts].sort())
  })
})

const typeAt = (...path: string[]) => {
  const schema = memberAt(memberSchemas('create-session'), path)
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
])('the member at %j is of type %s', (path, type) => expect(typeAt(...path)).toBe(type))
