import { expect, test } from 'vitest'
import { runsLeadingTo } from '../../../src/sandbox/coverage/run.ts'
import type { LoggedRequest } from '../../../src/sandbox/request-log/request-log.ts'

const ledger = {
  transactions: { get: () => undefined, withTransactionRequestId: () => undefined },
  outbox: { deliveries: new Map() },
  settings: { merchantId: 'M1' },
}
const state = { ledgers: new Map([['M1', ledger]]) } as unknown as Parameters<typeof runsLeadingTo>[0]

const entry = (traceId: string, at: number, durationMs: number) =>
  ({
    ...{
      traceId,
      at,
      started: at - durationMs,
      durationMs,
      operation: 'query',
      method: 'GET',
      target: '/v1/transaction/query',
    },
    ...{ headers: '', body: '', answer: '', repeats: null, isCutOff: false },
  }) as unknown as LoggedRequest

const orderOf = (...entries: readonly LoggedRequest[]) =>
  runsLeadingTo(state, entries, new Map()).flatMap(({ requests }) =>
    requests.map(({ entry }) => entry.traceId),
  )

test('requests are in the order in which they began', () => {
  expect(orderOf(entry('quick', 1_100, 10), entry('late', 1_600, 600), entry('last', 1_700, 20))).toEqual([
    'late',
    'quick',
    'last',
  ])
})

test.each([[[{ toString: null }]], [{ toString: 1, valueOf: 1 }], [7], [null]])(
  'a merchantId of %j names no merchant, and fails nothing',
  (merchantId) => {
    const body = JSON.stringify({ merchantId, transactionId: merchantId, transactionRequestId: merchantId })
    expect(orderOf({ ...entry('odd', 1_000, 1), method: 'POST', body })).toEqual(['odd'])
  },
)
