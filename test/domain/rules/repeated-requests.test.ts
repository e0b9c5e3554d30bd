import { describe, expect, test } from 'vitest'
import type { Refusal } from '../../../src/contract/errors.ts'
import { limits } from '../../../src/contract/headers.ts'
import { builtIn } from '../../../src/domain/fixtures.ts'
import { findRepeated, findReused, requestUnder } from '../../../src/domain/rules/duplicates.ts'
import { createState, type RequestMark, rememberRequest } from '../../../src/domain/state.ts'
import { newSession } from '../../support/domain/checkout.ts'
import { closing, on, request, saleOf, Till, tillWith } from '../../support/domain/ledger.ts'

const window = limits.clientRequestIdWindow
const first: RequestMark = { key: 'APP ID-1', at: 1_000_000, fingerprint: 'one' }

/** A state that knows the request, and the same request so much later. */
const known = (more: Partial<RequestMark> = {}) => {
  const state = createState(builtIn)
  rememberRequest(state, { ...first, ...more })
  return state
}
const later = (by: number): RequestMark => ({ ...first, at: first.at + by })

const refusalOf = (act: () => unknown): Refusal => {
  try {
    act()
  } catch (error) {
    return error as Refusal
  }
  throw new Error('it was not refused')
}

describe('api limit-duplicates: an X-Client-Request-Id within 10 minutes', () => {
  test.each([
    [0, true],
    [window, true],
    [window + 1, false],
  ])('%i ms later the first request is found: %s', (by, isFound) => {
    expect(requestUnder(known(), later(by)) !== undefined).toBe(isFound)
  })

  test('another request id finds no earlier request', () => {
    expect(requestUnder(known(), { ...later(1), key: 'APP ID-2' })).toBeUndefined()
    expect(findRepeated(known(), 'reject', { ...later(1), key: 'APP ID-2' })).toBeUndefined()
  })

  test.each<[string, Partial<RequestMark>, string]>([
    ['is refused', {}, 'the first request was accepted'],
    ['names its transaction', { transactionId: '7' }, 'acted on transaction 7'],
    ['names its refusal', { refusal: { code: 'C17' } }, 'was refused with C17'],
  ])('a repeated request id %s', (_, more, detail) => {
    const refused = refusalOf(() => findRepeated(known(more), 'reject', later(1)))
    expect([refused.code, refused.field]).toEqual(['SBX_DUP_REQUEST', 'X-Client-Request-Id'])
    expect(refused.detail).toContain(detail)
  })

  test('replay answers with the first request, or with its refusal; another request is refused', () => {
    const found = (more: Partial<RequestMark>, again = later(1)) => findRepeated(known(more), 'replay', again)
    expect(found({ transactionId: '7' })?.transactionId).toBe('7')
    const refusal = { code: 'C17', field: 'amount', detail: 'is required' } as const
    expect(refusalOf(() => found({ refusal }))).toMatchObject({ ...refusal, replayed: true })
    const refused = refusalOf(() => found({}, { ...later(1), fingerprint: 'other' }))
    expect([refused.code, refused.field]).toEqual(['SBX_DUP_OTHER', 'X-Client-Request-Id'])
    expect(refused.detail).toContain('was accepted')
  })

  test.each([
    [window, ['ID-1', 'ID-2']],
    [window + 1, ['ID-2']],
    [-1 - window, ['ID-2']],
    [-window, ['ID-1', 'ID-2']],
  ])('marks that left the window are forgotten: %i ms later', (by, left) => {
    const state = known()
    rememberRequest(state, { ...later(by), key: 'APP ID-2' })
    expect([...state.requests.keys()]).toEqual(left.map((id) => `APP ${id}`))
  })

  test('a mark that is remembered again moves to the end', () => {
    const state = known()
    rememberRequest(state, { ...later(1), key: 'APP ID-2' })
    rememberRequest(state, { ...later(2), transactionId: '9' })
    const left = [...state.requests.values()].map(({ key, transactionId }) => `${key} ${transactionId}`)
    expect(left).toEqual(['APP ID-2 undefined', 'APP ID-1 9'])
  })
})

const withFingerprint = (sent: object, fingerprint: string) =>
  ({ ...sent, fingerprint }) as Parameters<typeof findReused>[1]

describe('api ids-4, ids-5: one transactionRequestId for one request', () => {
  /** A till where each kind of request used an id, and the transactions that they were about. */
  function used() {
    const [till, sale, attended] = tillWith(
      saleOf(1000, { transactionRequestId: 'SALE-1' }),
      saleOf(1000, { terminalSn: 'TBX-ATTENDED-001' }),
    )
    till.do(on('tip-adjust', sale, { transactionRequestId: 'TIP-1', tipAmount: 100 }))
    till.do(on('abort', attended, { transactionRequestId: 'ABORT-1' }))
    till.do(closing({ transactionRequestId: 'CLOSE-1' }))
    return { till, ids: { sale: sale.id, attended: attended.id } }
  }

  const saleWithId = (transactionRequestId: string, isSame = true) =>
    withFingerprint(saleOf(1, { transactionRequestId }), isSame ? 'same' : 'other')

  test.each([
    ['SALE-1', 'sale', 'opened transaction <id>, which is SUCCESS'],
    ['TIP-1', 'sale', 'was used by tip-adjust of transaction <id>'],
    ['ABORT-1', 'attended', 'was used by abort of transaction <id>'],
    ['CLOSE-1', 'sale', 'closed a batch'],
  ] as const)('the id %s is refused for a new transaction', (id, about, did) => {
    const { till, ids } = used()
    expect(till.refusal(saleOf(1, { transactionRequestId: id }))).toMatchObject({
      code: 'SBX_DUP_TXN_ID',
      field: 'transactionRequestId',
      detail: `${id} ${did.replace('<id>', ids[about])}`,
    })
  })

  test.each([
    ['approve', true],
    ['late-approval', true],
    ['do-not-honor', false],
  ])('the remedy says that the payment exists where it may be paid: %s, %s', (outcome, mayBePaid) => {
    const till = new Till()
    till.open(saleOf(1000, { transactionRequestId: 'SALE-1' }, outcome))
    const { remedy } = till.refusal(saleOf(1, { transactionRequestId: 'SALE-1' }))
    expect(remedy.startsWith('It exists: `tillbox query ')).toBe(mayBePaid)
  })

  test('the remedy does not say that a closed payment exists', () => {
    const till = new Till()
    const waiting = { terminalSn: 'TBX-ATTENDED-001', transactionRequestId: 'SALE-1' }
    till.do(on('abort', till.open(saleOf(1000, waiting))))
    expect(till.refusal(saleOf(1, waiting)).remedy).not.toContain('It exists')
  })

  test.each([
    ['SALE-1', 'sale'],
    ['TIP-1', 'sale'],
    ['ABORT-1', 'attended'],
    ['CLOSE-1', null],
  ] as const)('the request with the id %s may be replayed', (id, about) => {
    const { till, ids } = used()
    const found = findReused(till.ledger, saleWithId(id))
    expect(found).toStrictEqual(about === null ? {} : { transactionId: ids[about] })
  })

  test('a new id finds no earlier request', () => {
    expect(findReused(used().till.ledger, saleWithId('NEW-1'))).toBeUndefined()
  })

  test.each(['SALE-1', 'TIP-1', 'CLOSE-1'])('the id %s of a different request is refused', (id) => {
    const refused = refusalOf(() => findReused(used().till.ledger, saleWithId(id, false)))
    expect([refused.code, refused.field]).toEqual(['SBX_DUP_OTHER', 'transactionRequestId'])
    expect(refused.message).toBe('The transactionRequestId was used before with another request')
    expect(refused.detail).toMatch(new RegExp(`^${id} .+ with another request$`))
  })

  test('a request without an id of its own uses none up', () => {
    const plain = new Till()
    const paid = plain.open(saleOf(1000))
    expect(plain.do(on('tip-adjust', paid, { tipAmount: 1 }))).toHaveLength(1)
    expect(plain.do(on('tip-adjust', paid, { tipAmount: 2, transactionRequestId: null }))).toHaveLength(1)
    expect(plain.ledger.usedIds.size).toBe(0)
  })

  test('expire-session names an earlier request by its id, and does not use an id up', () => {
    const online = new Till()
    const session = online.open(newSession(1000))
    const { transactionRequestId } = session
    const expire = request('expire-session', { transactionRequestId })
    expect(findReused(online.ledger, withFingerprint(expire, 'other'))).toBeUndefined()
    online.do(expire)
    expect(session.status).toBe('CLOSED')
  })
})
