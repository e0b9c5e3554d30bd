import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createSandbox } from '../../../src/library/create-sandbox.ts'
import { readArchive } from '../../../src/testing/drift/archive.ts'
import { drift, driftOptions } from '../../../src/testing/drift/drift.ts'
import { findingsIn } from '../../../src/testing/drift/findings.ts'

/** An answer to each operation, in the form that the Node SDK and the public documents of the service give it. */
const documented = readArchive(readFileSync(new URL('documented.har', import.meta.url), 'utf8'))

/** Where the sandbox answers otherwise, and why. */
const named = {
  'the documents have several texts, and no SDK reads it': ['answers msg'],
  'it names the member that is wrong': ['C17 msg'],
  'the specification shows times without an offset': [
    ...['query data.createTime', 'query data.completeTime'],
    ...['online-refund data.createTime', 'online-refund data.completeTime'],
    ...['merchant-query data.createTime', 'merchant-terminals data.terminals[0].createTime'],
  ],
  'the name in the specification, beside that of the SDKs': ['query data.amount.transactionAmount'],
  'an amount has the same members in each answer': [
    ...['online-refund data.amount.transAmount', 'online-refund data.amount.transactionAmount'],
    'online-refund data.amount.cashbackAmount',
  ],
  'a declined payment has no code of an approval, and is in no batch': [
    ...['query data.batchNo', 'query data.authCode'],
  ],
  'the words of a host, which the fixtures change': ['query data.transactionResultMsg'],
}

test('the documented answers of the service agree, or are named', async () => {
  await using sandbox = await createSandbox(driftOptions)
  const compared = await drift(documented?.exchanges ?? [], sandbox)
  expect(compared.map(({ leftOut }) => leftOut)).toEqual(Array(24).fill(null))
  const found = findingsIn(compared).map(({ of, where }) => `${of} ${where}`)
  expect(found.sort()).toEqual(Object.values(named).flat().sort())
})
