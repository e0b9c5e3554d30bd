import { describe, expect, test } from 'vitest'
import { openService, sale } from '../../support/service/service.ts'

describe('strict: unknown members', () => {
  test.each([[''], [' '], [0], [false], [[]], [{}], [[null]], [{ deep: null }]])(
    'an unknown member is refused with the value %j',
    async (value) => {
      const { call, sandbox } = await openService({ strict: true })
      const answer = await call('sale', sale(1000, { colour: value }))
      expect([answer.code, answer.field]).toEqual(['C17', 'colour'])
      const inside = { amount: { orderAmount: 1000, priceCurrency: 'USD', colour: value } }
      const refused = await call('sale', sale(1000, inside))
      expect([refused.code, refused.field]).toEqual(['C17', 'amount.colour'])
      expect(
        [...sandbox.engine.state.ledgers.values()].every((ledger) => ledger.transactions.size === 0),
      ).toBe(true)
    },
  )

  test('an unknown member without a value is refused on a GET', async () => {
    const { call } = await openService({ strict: true })
    const json = { 'Content-Type': 'application/json' }
    const answer = await call('query', { transactionId: '1', colour: '' }, json)
    expect([answer.code, answer.field]).toEqual(['C17', 'colour'])
  })

  test('an unknown member is refused in the control interface, which is always strict', async () => {
    const { control } = await openService()
    const answer = await control('PATCH', 'terminals/TBX-AUTO-001', { colour: '' })
    expect([answer.code, answer.field]).toEqual(['C17', 'colour'])
  })

  test('an empty referenceOrderId counts as left out, not as an unknown member', async () => {
    const { call } = await openService({ strict: true })
    expect((await call('sale', sale(1000, { referenceOrderId: '' }))).code).toBe('0')
  })
})
