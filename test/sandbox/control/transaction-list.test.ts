import { describe, expect, test } from 'vitest'
import { following, openService, type Service, sale, WallClock } from '../../support/service/service.ts'

const start = Date.UTC(2026, 10, 20, 12)
const hour = 3_600_000

const list = ({ control }: Service, query: Record<string, string> = {}) =>
  control('GET', `transactions?${new URLSearchParams(query)}`)

const ids = async (service: Service, query: Record<string, string> = {}): Promise<string[]> =>
  (await list(service, query)).data.transactions.map((each: { transactionId: string }) => each.transactionId)

/** A few payments of every kind of end; the clock goes on by an hour before the last. */
async function shop() {
  const wall = new WallClock(start)
  const service = await openService({ wall: wall.read })
  const sell = async (amount: number, more: object = {}) =>
    (await service.call('sale', sale(amount, more))).data.transactionId as string
  const approved = await sell(1000, { referenceOrderId: 'ORDER-7' })
  const declined = await sell(9823)
  const pending = await sell(2000, { terminalSn: 'TBX-ATTENDED-001' })
  const yen = await sell(1000, { priceCurrency: 'JPY' })
  wall.pass(hour)
  const back = following(approved, { amount: 400, priceCurrency: 'USD' })
  const refund: string = (await service.call('refund', back)).data.transactionId
  return { service, approved, declined, pending, yen, refund }
}

describe('the list of transactions', () => {
  test('the list has every transaction, newest first, with the members that people need', async () => {
    const { service, approved, declined, pending, yen, refund } = await shop()
    const { transactions, more } = (await list(service)).data
    expect(more).toBe(false)
    expect(await ids(service)).toEqual([refund, yen, pending, declined, approved])
    expect(transactions[0]).toMatchObject({
      ...{ type: 'REFUND', status: 'SUCCESS', amount: 400, currency: 'USD', referenceOrderId: 'ORDER-7' },
      ...{ originalTransactionId: approved, card: 'VISA 411111******1111', waiting: null },
      createdAt: new Date(start + hour).toISOString(),
    })
    const waiting = { for: 'person', terminalSn: 'TBX-ATTENDED-001' }
    expect(transactions[2]).toMatchObject({ status: 'PROCESSING', waiting, completedAt: null })
  })

  test('the list can be of those that allow a follow-up now', async () => {
    const { service, approved, pending, yen, refund } = await shop()
    expect(await ids(service, { allows: 'refund' })).toEqual([yen, approved])
    expect(await ids(service, { allows: 'void' })).toEqual([refund, yen])
    expect(await ids(service, { allows: 'abort' })).toEqual([pending])
    expect(await ids(service, { allows: 'online-refund' })).toEqual([])
    expect((await list(service, { allows: 'query' })).code).toBe('C17')
  })

  test('a transaction after a request is in the next list, and a reset empties the list', async () => {
    const { service, refund, yen } = await shop()
    expect(await ids(service, { limit: '2' })).toEqual([refund, yen])
    const latest = (await service.call('sale', sale(1500))).data.transactionId
    expect(await ids(service, { limit: '2' })).toEqual([latest, refund])
    await service.control('POST', 'reset', {})
    expect(await ids(service)).toEqual([])
    const first = (await service.call('sale', sale(1500))).data.transactionId
    expect(await ids(service)).toEqual([first])
  })

  test.each([
    [{ status: 'approved' }, ['refund', 'yen', 'approved']],
    [{ status: 'SUCCESS' }, ['refund', 'yen', 'approved']],
    [{ status: 's' }, ['refund', 'yen', 'approved']],
    [{ status: 'declined' }, ['declined']],
    [{ status: 'pending' }, ['pending']],
    [{ status: 'pending,F' }, ['pending', 'declined']],
    [{ status: 'closed' }, []],
    [{ type: 'refund' }, ['refund']],
    [{ type: 'SALE', status: 'approved' }, ['yen', 'approved']],
    [{ terminal: 'TBX-ATTENDED-001' }, ['pending']],
    [{ terminal: 'online' }, []],
    [{ order: 'ORDER-7' }, ['refund', 'approved']],
    [{ since: '2026-11-20T12:30:00Z' }, ['refund']],
    [{ since: '2026-11-20T13:30:00+00:30' }, ['refund']],
    [{ amount: '1000' }, ['yen', 'approved']],
    [{ amount: '10.00' }, ['approved']],
    [{ amount: '10.00..20.00' }, ['pending', 'approved']],
    [{ amount: '90.00..' }, ['yen', 'declined']],
    [{ amount: '..4.00' }, ['refund']],
    [{ merchant: 'M900001' }, null],
  ] as const)('the filter %j finds its transactions', async (query, names) => {
    const { service, ...all } = await shop()
    if (names === null) {
      const { code, msg } = await list(service, query)
      expect([code, msg]).toEqual(['SBX_UNREGISTERED', 'Merchant M900001 is not registered'])
    } else expect(await ids(service, query)).toEqual(names.map((name) => all[name]))
  })

  test('the list stops at the limit, and says that there are more', async () => {
    const { service, refund, yen } = await shop()
    const { transactions, more } = (await list(service, { limit: '2' })).data
    expect(more).toBe(true)
    expect(transactions.map((each: { transactionId: string }) => each.transactionId)).toEqual([refund, yen])
    expect((await list(service, { limit: '5' })).data.more).toBe(false)
  })

  test.each([
    [{ status: 'great' }, 'status', 'approved, declined, closed, pending'],
    [{ type: 'gift' }, 'type', 'forced-auth'],
    [{ amount: '10,00' }, 'amount', '10.00..20.00'],
    [{ since: 'yesterday' }, 'since', 'ISO 8601'],
    [{ limit: '0' }, 'limit', 'must be 1 to 10000'],
    [{ limit: '10001' }, 'limit', 'must be 1 to 10000'],
    [{ limit: '100000' }, 'limit', 'must be 1 to 10000'],
    [{ terminal: 'TBX-ATTENDED-01' }, 'terminalSn', ''],
  ])('the filter %j is refused', async (query, field, message) => {
    const { service } = await shop()
    const answer = await list(service, query as unknown as Record<string, string>)
    expect(answer.code).not.toBe('0')
    expect(answer.field).toBe(field)
    expect(answer.msg + answer.detail).toContain(message)
  })

  test('all merchants together have one list, and each merchant has its own', async () => {
    const service = await openService({ terminals: 'open' })
    const owners = [...service.sandbox.engine.state.ledgers.keys()]
    const [first = ''] = owners
    const other = 'MX-2'
    const sell = async (amount: number, more = {}) =>
      (await service.call('sale', sale(amount, more))).data.transactionId
    const mine = await sell(100)
    const theirs = await sell(200, { merchantId: other, terminalSn: 'T-2' })
    const last = await sell(300)
    expect(await ids(service)).toEqual([last, theirs, mine])
    expect(await ids(service, { merchant: other })).toEqual([theirs])
    expect(await ids(service, { merchant: first, limit: '1' })).toEqual([last])
  })
})

test('sessions are listed newest first, by state, with the page of each', async () => {
  const service = await openService()
  const open = async (amount: number) =>
    (await service.call('create-session', sale(amount))).data.sessionId as string
  const [one, two] = [await open(1000), await open(2490)]
  await service.control('POST', `sessions/${one}/pay`, { card: 'visa-contactless' })
  const { sessions } = (await service.control('GET', 'sessions')).data
  expect(sessions).toMatchObject([
    { sessionId: two, state: 'open', amount: 2490, currency: 'USD' },
    { sessionId: one, state: 'paid', amount: 1000 },
  ])
  expect(sessions[0].checkoutUrl).toMatch(new RegExp(`^http://[^/]+/checkout/${two}$`))
  expect((await service.control('GET', 'sessions?state=paid')).data.sessions).toHaveLength(1)
  expect((await service.control('GET', 'sessions?limit=1')).data).toMatchObject({ more: true })
})
