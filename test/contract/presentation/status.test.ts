import { expect, test } from 'vitest'
import { displayGroup } from '../../../src/contract/presentation/status.ts'

test.each([
  ['SUCCESS', undefined, 'success'],
  ['SUCCESS', 'PART_REFUNDED', 'success'],
  ['SUCCESS', 'CAPTURE', 'success'],
  ['SUCCESS', 'REFUNDED', 'closed'],
  ['SUCCESS', 'VOIDED', 'closed'],
  ['PROCESSING', undefined, 'open'],
  ['FAIL', undefined, 'fail'],
] as const)('%s with %s looks like %s', (status, relatedTransactionStatus, group) => {
  expect(displayGroup({ status, relatedTransactionStatus })).toBe(group)
})
