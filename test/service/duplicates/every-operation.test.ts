import { describe, expect, test } from 'vitest'
import { type OperationName, operationNames, operations } from '../../../src/contract/operations.ts'
import { times } from '../../support/runner/counts.ts'
import { newId } from '../../support/service/new-id.ts'
import { batchClose, newRequestIdHeader, requestIdHeader } from '../../support/service/requests.ts'
import {
  advanceClock,
  crashCopy,
  isReplayed,
  openService,
  plainLedgersOf,
  plainStateOf,
  type Service,
  sale,
  temporaryFolder,
} from '../../support/service/service.ts'
import { asking, onlineRefundOf, paidOnline, walletSale } from '../../support/service/shop.ts'

type RequestWithId = object & { readonly transactionRequestId: string }

/** A follow-up of a new payment. */
async function on({ call }: Service, name: 'sale' | 'auth', more: object, members: object = {}) {
  const { transactionId } = (await call(name, sale(1000, members))).data
  return { originalTransactionId: transactionId, transactionRequestId: newId(), ...more }
}

/** A request of each operation that has an id of its own, which is accepted. */
const requests: Readonly<Partial<Record<OperationName, (service: Service) => Promise<object>>>> = {
  sale: async () => sale(1000),
  auth: async () => sale(1000),
  'forced-auth': async () => sale(1000),
  'incremental-auth': (service) => on(service, 'auth', { amount: 500 }),
  'post-auth': (service) => on(service, 'auth', { amount: 500 }),
  refund: (service) => on(service, 'sale', { amount: 1000 }),
  void: (service) => on(service, 'sale', {}),
  abort: (service) => on(service, 'sale', {}, { terminalSn: 'TBX-ATTENDED-001' }),
  'tip-adjust': (service) => on(service, 'sale', { tipAmount: 50 }),
  'create-session': async () => sale(1000),
  'direct-payment': async () => walletSale(1000),
  'online-refund': async (service) => onlineRefundOf(await paidOnline(service)),
  'batch-close': async ({ call }) => {
    await call('sale', sale(1000))
    return batchClose()
  },
}
const rows = Object.entries(requests).map(
  ([name, make]) => [name as OperationName, make as (service: Service) => Promise<RequestWithId>] as const,
)

/** The sandbox after a crash, and after a stop. */
async function restarts(service: Service, state: string, duplicates: 'reject' | 'replay') {
  const crashed = await openService({ state: crashCopy(state), duplicates })
  await service.close()
  return [crashed, await openService({ state, duplicates })]
}

test('these are all operations with a transactionRequestId, but for the one that names a session by it', () => {
  const withId = operationNames.filter((name) => {
    const { method, input } = operations[name]
    return method === 'POST' && 'transactionRequestId' in input.entries && name !== 'expire-session'
  })
  expect(Object.keys(requests).sort()).toEqual(withId.sort())
})

describe.each(rows)('the ids of %s', (name, make) => {
  test('api ids-4, authentication-3: duplicates reject: each id is used up, also after a crash or a restart', async () => {
    const state = temporaryFolder()
    const service = await openService({ state })
    const [request, headers] = [await make(service), newRequestIdHeader()]
    expect((await service.call(name, request, headers)).code).toBe('0')
    for (const each of await restarts(service, state, 'reject')) {
      const before = plainLedgersOf(each.sandbox)
      const byMember = await each.call(name, request)
      expect([byMember.status, byMember.code, byMember.field]).toEqual([
        ...[200, 'SBX_DUP_TXN_ID', 'transactionRequestId'],
      ])
      const byHeader = await each.call(name, request, headers)
      expect([byHeader.status, byHeader.code, byHeader.field]).toEqual([
        ...[409, 'SBX_DUP_REQUEST', requestIdHeader],
      ])
      expect(byHeader.detail).toMatch(
        name === 'batch-close' ? /was accepted$/ : /acted on transaction \d{16}$/,
      )
      const { transactionRequestId } = request
      expect((await each.call('auth', sale(1, { transactionRequestId }))).code).toBe('SBX_DUP_TXN_ID')
      expect(plainLedgersOf(each.sandbox)).toEqual(before)
    }
  })

  test('api ids-4: duplicates replay: a request that repeats either id gets the first answer, and another body is refused', async () => {
    const state = temporaryFolder()
    const service = await openService({ state, duplicates: 'replay' })
    const late = asking('late-approval')
    const [request, headers] = [await make(service), { ...newRequestIdHeader(), ...late }]
    const first = await service.call(name, request, headers)
    expect([first.code, isReplayed(first)]).toEqual(['0', false])
    for (const each of await restarts(service, state, 'replay')) {
      await advanceClock(each, 3_600_000) // the host has answered, and a session is over
      const before = plainStateOf(each.sandbox)
      const byHeader = await each.call(name, request, headers)
      expect(plainStateOf(each.sandbox)).toEqual(before)
      const ledgers = plainLedgersOf(each.sandbox)
      for (const again of [byHeader, await each.call(name, request, late)])
        expect([again.status, again.code, again.data, isReplayed(again)]).toEqual([
          200,
          '0',
          first.data,
          true,
        ])
      const other = { ...request, attach: 'another' }
      const refused = [
        await each.call(name, { ...other, transactionRequestId: newId() }, headers),
        await each.call(name, other, late),
        await each.call(
          name === 'sale' ? 'auth' : 'sale',
          sale(1, { transactionRequestId: request.transactionRequestId }),
        ),
      ]
      expect(refused.map(({ code, field }) => `${code} ${field}`)).toEqual([
        `SBX_DUP_OTHER ${requestIdHeader}`,
        ...Array(2).fill('SBX_DUP_OTHER transactionRequestId'),
      ])
      expect(refused.map(isReplayed)).toEqual([false, false, false])
      expect(plainLedgersOf(each.sandbox)).toEqual(ledgers)
    }
  })

  test.each(['reject', 'replay'] as const)(
    'api ids-4: duplicates %s: one of 20 equal requests at the same moment is carried out',
    async (duplicates) => {
      const service = await openService({ duplicates })
      for (let round = 0; round < times(2, 40); round++) {
        const request = await make(service)
        const answers = await Promise.all(Array.from({ length: 20 }, () => service.call(name, request)))
        const first = answers.filter((answer) => answer.code === '0' && !isReplayed(answer))
        expect(first).toHaveLength(1)
        for (const { code, data } of answers.filter((answer) => answer !== first[0]))
          expect([code, data]).toEqual(
            duplicates === 'replay' ? ['0', first[0]?.data] : ['SBX_DUP_TXN_ID', undefined],
          )
      }
    },
  )
})
