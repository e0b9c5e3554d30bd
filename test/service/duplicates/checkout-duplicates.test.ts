import { describe, expect, test } from 'vitest'
import type { OperationName } from '../../../src/contract/operations.ts'
import { newId } from '../../support/service/new-id.ts'
import { newRequestIdHeader, requestIdHeader } from '../../support/service/requests.ts'
import {
  crashCopy,
  isReplayed,
  openService,
  plainLedgersOf,
  plainStateOf,
  type Service,
  sale,
  temporaryFolder,
} from '../../support/service/service.ts'
import {
  asking,
  onlineRefundOf,
  openSession,
  paidOnline,
  payAsShopper,
  payloadOf,
  sessionViewOf,
  walletSale,
} from '../../support/service/shop.ts'

/** A request of each operation that opens a transaction online. */
const requests: Readonly<Partial<Record<OperationName, (service: Service) => Promise<object>>>> = {
  'create-session': async () => sale(1000),
  'direct-payment': async () => walletSale(1000),
  'online-refund': async (service) => onlineRefundOf(await paidOnline(service)),
}
const rows = Object.entries(requests) as [OperationName, (service: Service) => Promise<object>][]

const countOf = ({ sandbox }: Service) => sandbox.engine.state.ledgers.get('M1000000001')?.transactions.size
const idOf = (service: Service, request: object) => {
  const { transactionRequestId } = request as { transactionRequestId: string }
  return service.sandbox.engine.state.ledgers
    .get('M1000000001')
    ?.transactions.withTransactionRequestId(transactionRequestId)?.id
}

describe.each(rows)('duplicates: reject, %s', (name, make) => {
  test('api ids-4: a reused transactionRequestId is refused with the id of the transaction it opened', async () => {
    const service = await openService()
    const request = await make(service)
    expect((await service.call(name, request)).code).toBe('0')
    const before = plainLedgersOf(service.sandbox)
    const again = await service.call(name, request)
    expect([again.code, again.field]).toEqual(['SBX_DUP_TXN_ID', 'transactionRequestId'])
    expect(again.detail).toContain(idOf(service, request))
    expect(plainLedgersOf(service.sandbox)).toEqual(before)
  })

  test('api authentication-3: a repeated X-Client-Request-Id is refused, even after a crash', async () => {
    const state = temporaryFolder()
    const service = await openService({ state })
    const [request, headers] = [await make(service), newRequestIdHeader()]
    expect((await service.call(name, request, headers)).code).toBe('0')
    for (const each of [service, await openService({ state: crashCopy(state) })]) {
      const again = await each.call(name, request, headers)
      expect([again.status, again.code, again.field]).toEqual([409, 'SBX_DUP_REQUEST', requestIdHeader])
      expect(again.detail).toContain(idOf(service, request))
    }
  })

  test('api ids-4: exactly one of several equal requests at the same moment is accepted', async () => {
    const service = await openService()
    for (let round = 0; round < 20; round++) {
      const request = await make(service)
      const before = countOf(service) ?? 0
      const answers = await Promise.all(Array.from({ length: 10 }, () => service.call(name, request)))
      expect(answers.filter(({ code }) => code === '0')).toHaveLength(1)
      expect(answers.filter(({ code }) => code === 'SBX_DUP_TXN_ID')).toHaveLength(9)
      expect(countOf(service)).toBe(before + 1)
    }
  })
})

describe.each(rows)('duplicates: replay, %s', (name, make) => {
  const open = (state = temporaryFolder()) => openService({ state, duplicates: 'replay' })

  test('a request that repeats either id gets the first answer, marked as replayed', async () => {
    const service = await open()
    const [request, headers] = [await make(service), newRequestIdHeader()]
    const first = await service.call(name, request, headers)
    const before = plainStateOf(service.sandbox)
    const byHeader = await service.call(name, request, headers)
    expect(plainStateOf(service.sandbox)).toEqual(before)
    const byMember = await service.call(name, request)
    expect([first, byHeader, byMember].map(isReplayed)).toEqual([false, true, true])
    for (const again of [byHeader, byMember]) expect([again.code, again.data]).toEqual(['0', first.data])
    expect(countOf(service)).toBe(name === 'online-refund' ? 2 : 1)
  })

  test('a repeated request gets the first answer even after a crash or a restart', async () => {
    const state = temporaryFolder()
    const service = await open(state)
    const [request, headers] = [await make(service), newRequestIdHeader()]
    const first = await service.call(name, request, headers)
    const crashed = await open(crashCopy(state))
    await service.close()
    for (const again of [crashed, await open(state)]) {
      expect((await again.call(name, request, headers)).data).toEqual(first.data)
      expect((await again.call(name, request)).data).toEqual(first.data)
    }
  })

  test('api ids-4: another body with either id is refused', async () => {
    const service = await open()
    const [request, headers] = [await make(service), newRequestIdHeader()]
    expect((await service.call(name, request, headers)).code).toBe('0')
    const other = { ...request, attach: 'another' }
    expect((await service.call(name, other)).code).toBe('SBX_DUP_OTHER')
    const fresh = { ...other, transactionRequestId: newId() }
    expect((await service.call(name, fresh, headers)).code).toBe('SBX_DUP_OTHER')
  })

  test('equal requests at the same moment all get the same answer', async () => {
    const service = await open()
    const request = await make(service)
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.call(name, request)))
    expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1)
    expect(answers.filter(isReplayed)).toHaveLength(19)
  })

  test('a repeated request gets the first answer even when the transaction has changed since', async () => {
    const service = await open()
    const [request, headers] = [await make(service), newRequestIdHeader()]
    const first = await service.call(name, request, { ...headers, ...asking('late-approval') })
    if (name === 'create-session') await payAsShopper(service, first.data.sessionId)
    await service.control('POST', 'clock', { action: 'advance', milliseconds: 3_600_000 })
    const again = await service.call(name, request, { ...headers, ...asking('late-approval') })
    expect([isReplayed(again), again.data]).toEqual([true, first.data])
  })
})

describe('expire-session', () => {
  test('the transactionRequestId of expire-session names a session and is not used up', async () => {
    for (const duplicates of ['reject', 'replay'] as const) {
      const service = await openService({ duplicates })
      const { transactionRequestId, sessionId } = await openSession(service)
      const { code, data } = await service.call('expire-session', { transactionRequestId })
      expect([code, data.sessionId, data.transactionRequestId]).toEqual([
        '0',
        sessionId,
        transactionRequestId,
      ])
      const again = await service.call('expire-session', { transactionRequestId })
      expect([again.code, isReplayed(again)]).toEqual(['SBX_SESSION_OVER', false])
      const free = newId()
      const unknown = await service.call('expire-session', { transactionRequestId: free })
      expect(unknown.code).toBe('SBX_SESSION_NONE')
      expect((await service.call('sale', sale(1, { transactionRequestId: free }))).code).toBe('0')
    }
  })

  test('api authentication-3: the refusal of a repeated X-Client-Request-Id names the transaction of the session', async () => {
    const service = await openService()
    const { sessionId } = await openSession(service)
    const headers = newRequestIdHeader()
    const { data } = await service.call('expire-session', { sessionId }, headers)
    const again = await service.call('expire-session', { sessionId }, headers)
    expect(again.code).toBe('SBX_DUP_REQUEST')
    expect(again.detail).toContain(data.transactionId)
  })

  test('duplicates replay: a repeated X-Client-Request-Id gets the first answer', async () => {
    const service = await openService({ duplicates: 'replay' })
    const { sessionId, transactionRequestId } = await openSession(service)
    const [named, headers] = [{ sessionId, transactionRequestId }, newRequestIdHeader()]
    const first = await service.call('expire-session', named, headers)
    await service.control('POST', 'clock', { action: 'advance', milliseconds: 60_000 })
    const again = await service.call('expire-session', named, headers)
    expect([isReplayed(again), again.data]).toEqual([true, first.data])
    expect((await sessionViewOf(service, sessionId)).state).toBe('expired')
  })

  test('exactly one of several equal requests at the same moment expires the session', async () => {
    const service = await openService()
    const { sessionId } = await openSession(service)
    const answers = await Promise.all([1, 2, 3, 4].map(() => service.call('expire-session', { sessionId })))
    expect(answers.filter(({ code }) => code === '0')).toHaveLength(1)
    expect(answers.filter(({ code }) => code === 'SBX_SESSION_OVER')).toHaveLength(3)
  })
})

describe('api ids-4: the transactionRequestId of payments and sessions', () => {
  test('an invalid payload uses up the X-Client-Request-Id but not the transactionRequestId', async () => {
    const service = await openService()
    const [transactionRequestId, headers] = [newId(), newRequestIdHeader()]
    const payload = payloadOf('GOOGLE_PAY', 'visa-debit', Date.now() - 30 * 86_400_000)
    const refused = { transactionRequestId, cardEncryptedData: payload }
    expect((await service.call('direct-payment', walletSale(1, refused), headers)).code).toBe('SBX_WALLET')
    const good = walletSale(1, { transactionRequestId })
    expect((await service.call('direct-payment', good, headers)).code).toBe('SBX_DUP_REQUEST')
    expect((await service.call('direct-payment', good)).code).toBe('0')
  })

  test('a transactionRequestId that opened a session is refused for every other operation', async () => {
    const service = await openService()
    const transactionRequestId = newId()
    expect((await service.call('create-session', sale(1, { transactionRequestId }))).code).toBe('0')
    const again = { transactionRequestId }
    for (const [name, request] of [
      ['direct-payment', walletSale(1, again)],
      ['sale', sale(1, again)],
      ['create-session', sale(1, again)],
    ] as const)
      expect([name, (await service.call(name, request)).code]).toEqual([name, 'SBX_DUP_TXN_ID'])
  })
})
