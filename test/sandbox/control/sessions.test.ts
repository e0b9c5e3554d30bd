import { describe, expect, test } from 'vitest'
import { createIdentifiers } from '../../../src/sandbox/engine/identifiers.ts'
import { refuseCardData } from '../../../src/sandbox/http/card-data.ts'
import { newId } from '../../support/service/new-id.ts'
import { following, openService, type Service, transactionsIn } from '../../support/service/service.ts'
import { giveUp, openSession, paidOnline, payAsShopper, sessionViewOf } from '../../support/service/shop.ts'

test('500 session ids have at least 128 bits, are unique, and never look like card data', () => {
  const { sessionId } = createIdentifiers(Date.now)
  const ids = Array.from({ length: 500 }, sessionId)
  expect(new Set(ids).size).toBe(ids.length)
  const seen = Array.from({ length: 40 }, () => new Set<string>())
  for (const id of ids) {
    expect(id).toMatch(/^cs_[0-9a-f]{40}$/)
    for (const [index, digits] of seen.entries()) digits.add(id[index + 3] ?? '')
    refuseCardData(id)
    refuseCardData(`/_sandbox/sessions/${id}/pay`)
    refuseCardData(JSON.stringify({ sessionId: id, transactionRequestId: newId() }))
  }
  expect(seen.every(({ size }) => size === 16)).toBe(true)
})

describe('the controls of a session', () => {
  const payRefusal = async (service: Service, sessionId: string, members: object) => {
    const { code, field } = await service.control('POST', `sessions/${sessionId}/pay`, members)
    return `${code} ${field}`
  }
  test('the controls show, pay and cancel a session', async () => {
    const service = await openService()
    const { sessionId, transactionRequestId } = await openSession(service)
    const declined = await payAsShopper(service, sessionId, 'visa-declined')
    expect(declined.data).toMatchObject({ state: 'open', tries: 1, declined: { code: '005' } })
    expect(await sessionViewOf(service, sessionId)).toEqual(declined.data)
    const cancelled = { state: 'cancelled', transactionRequestId }
    expect((await giveUp(service, sessionId)).data).toMatchObject(cancelled)
    const late = await openSession(service, 'late-approval')
    expect((await payAsShopper(service, late.sessionId)).data.state).toBe('processing')
    await service.control('POST', 'clock', { action: 'advance', milliseconds: 60_000 })
    expect((await sessionViewOf(service, late.sessionId)).state).toBe('paid')
  })

  test('the controls take only the test cards that pay online', async () => {
    const service = await openService()
    const { sessionId } = await openSession(service)
    const card = 'visa-debit'
    for (const wrong of ['ebt-snap', 'wechat-qr', 'visa', '__proto__', '', 7, null])
      expect(await payRefusal(service, sessionId, { card: wrong })).toBe('C17 card')
    expect(await payRefusal(service, sessionId, {})).toBe('C17 card')
    expect(await payRefusal(service, sessionId, { card, cvv: '123' })).toBe('SBX_CARD_DATA cvv')
    expect(await payRefusal(service, 'cs_0', { card })).toBe('SBX_SESSION_NONE sessionId')
    expect((await sessionViewOf(service, sessionId)).state).toBe('open')
  })
})

describe('concurrent requests for a session', () => {
  test('exactly one of two shoppers pays a session, over 10 rounds', async () => {
    const service = await openService()
    for (let round = 0; round < 10; round++) {
      const { sessionId } = await openSession(service)
      const cards = ['visa-contactless', 'amex-chip']
      const answers = await Promise.all(cards.map((card) => payAsShopper(service, sessionId, card)))
      expect(answers.map(({ code }) => code).sort()).toEqual(['0', 'SBX_SESSION_OVER'])
      expect(answers.find(({ code }) => code === '0')?.data.state).toBe('paid')
    }
    const all = transactionsIn(service.sandbox)
    expect(all).toHaveLength(10)
    expect(all.every(({ status }) => status === 'SUCCESS')).toBe(true)
  })

  test('exactly one wins when a shopper pays, another cancels and the merchant closes at once', async () => {
    const service = await openService()
    for (let round = 0; round < 10; round++) {
      const { sessionId } = await openSession(service)
      const all = [
        () => payAsShopper(service, sessionId),
        () => giveUp(service, sessionId),
        () => service.call('expire-session', { sessionId }),
      ]
      const rotated = [...all.slice(round % 3), ...all.slice(0, round % 3)]
      const codes = (await Promise.all(rotated.map((act) => act()))).map(({ code }) => code)
      expect(codes.sort()).toEqual(['0', 'SBX_SESSION_OVER', 'SBX_SESSION_OVER'])
      expect(['paid', 'cancelled', 'expired']).toContain((await sessionViewOf(service, sessionId)).state)
    }
  })

  test('api refund-2: only one of several concurrent refunds of all that is left is accepted', async () => {
    const service = await openService()
    for (let round = 0; round < 6; round++) {
      const id = await paidOnline(service)
      const refunds = Array.from({ length: 10 }, () => service.call('online-refund', following(id)))
      const codes = (await Promise.all(refunds)).map(({ code }) => code)
      expect(codes.filter((code) => code === '0')).toHaveLength(1)
      expect(codes.filter((code) => code === 'SBX_REFUNDED')).toHaveLength(9)
    }
  })
})
