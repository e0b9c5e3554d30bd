import { expect, test } from 'vitest'
import { queryOf } from '../../../src/cli/operation/operation-request.ts'

test.each([
  [{ originalTransactionId: '1', originalTransactionRequestId: 'r' }, { transactionId: '1' }],
  [{ originalTransactionId: null, originalTransactionRequestId: 'r' }, { transactionRequestId: 'r' }],
  [{ originalTransactionRequestId: 'r' }, { transactionRequestId: 'r' }],
  [{ originalTransactionId: null, originalTransactionRequestId: null }, {}],
  [{}, {}],
])('the original %j is looked up by %j: the transaction id wins, and null is absent', (members, query) => {
  expect(queryOf(members)).toEqual(query)
})
