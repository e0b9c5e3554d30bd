import { describe, expect, test } from 'vitest'
import { newId } from '../../support/service/new-id.ts'
import { newRequestIdHeader } from '../../support/service/requests.ts'
import { isReplayed, openService, sale } from '../../support/service/service.ts'
import { openSession, payloadOf, sessionViewOf, walletSale } from '../../support/service/shop.ts'

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
})
