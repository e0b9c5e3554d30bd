import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { operations } from '../../../src/contract/operations.ts'
import { newId } from '../../support/service/new-id.ts'
import { requestIdHeader } from '../../support/service/requests.ts'
import {
  crashCopy,
  openService,
  plainLedgersOf,
  plainStateOf,
  type Service,
  sale,
  secondKey,
  temporaryFolder,
  WallClock,
} from '../../support/service/service.ts'

const json = { 'Content-Type': 'application/json' }
const pan = '4111111111111111'

/** Bodies of a sale that are refused after the headers, at every step, and with which code. */
const refused: readonly (readonly [string, string, string | Uint8Array<ArrayBuffer>])[] = [
  ['no JSON', 'SBX_BAD_JSON', '{"amount":'],
  ['an empty body', 'SBX_BAD_JSON', ''],
  ['JSON that is not an object', 'SBX_BAD_JSON', '[]'],
  ['no UTF-8', 'SBX_BAD_JSON', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ['card data', 'SBX_CARD_DATA', JSON.stringify(sale(1, { attach: pan }))],
  ['no transactionRequestId', 'C17', JSON.stringify(sale(1, { transactionRequestId: undefined }))],
  ['a wrong member', 'C17', JSON.stringify(sale(1, { amount: -1 }))],
  ['an amount of nothing', 'C17', JSON.stringify(sale(0))],
  [
    'a merchant of another application',
    'SBX_OTHER_OWNER',
    JSON.stringify(sale(1, { merchantId: 'M2000000001' })),
  ],
  ['an unknown merchant', 'SBX_UNREGISTERED', JSON.stringify(sale(1, { merchantId: 'M-NEW' }))],
  ['a busy terminal', 'SBX_TERM_BUSY', JSON.stringify(sale(1, { terminalSn: 'TBX-BUSY-001' }))],
]

const post = (service: Service, body: string | Uint8Array<ArrayBuffer>, id: string, more: object = {}) =>
  service.send('POST', operations.sale.path, { headers: { ...json, [requestIdHeader]: id, ...more }, body })

describe('assumption duplicates: the X-Client-Request-Id of a refused POST', () => {
  test.each(refused)(
    'a POST with %s (%s) is refused, changes nothing else and uses up its X-Client-Request-Id',
    async (_, code, body) => {
      const service = await openService()
      const id = randomUUID()
      const before = plainLedgersOf(service.sandbox)
      expect((await post(service, body, id)).code).toBe(code)
      expect(plainLedgersOf(service.sandbox)).toEqual(before)
      const again = await post(service, JSON.stringify(sale(1)), id)
      expect([again.status, again.code, again.field]).toEqual([409, 'SBX_DUP_REQUEST', requestIdHeader])
      expect(again.detail).toContain(code)
    },
  )

  test.each(refused)(
    'a POST with %s (%s) has used up its id even after a crash or a restart',
    async (_, code, body) => {
      const state = temporaryFolder()
      const service = await openService({ state })
      const id = randomUUID()
      expect((await post(service, body, id)).code).toBe(code)
      const crashed = await openService({ state: crashCopy(state) })
      await service.close()
      for (const each of [crashed, await openService({ state })]) {
        expect((await post(each, JSON.stringify(sale(1)), id)).code).toBe('SBX_DUP_REQUEST')
        expect((await post(each, JSON.stringify(sale(1)), randomUUID())).code).toBe('0')
      }
    },
  )

  test.each(refused)(
    'the same POST with %s (%s) gets the same refusal with replay',
    async (_, code, body) => {
      const service = await openService({ duplicates: 'replay' })
      const id = randomUUID()
      const first = await post(service, body, id)
      const before = plainStateOf(service.sandbox)
      const again = await post(service, body, id)
      const refusalFacts = ({ status, code, msg, field, detail, remedy }: typeof first) => [
        status,
        code,
        msg,
        field,
        detail,
        remedy,
      ]
      expect([first.code, refusalFacts(again)]).toEqual([code, refusalFacts(first)])
      expect((await post(service, JSON.stringify(sale(1)), id)).code).toBe('SBX_DUP_OTHER')
      expect(plainStateOf(service.sandbox)).toEqual(before)
    },
  )

  test('a refused POST uses up its id only for its own application', async () => {
    const service = await openService()
    const id = randomUUID()
    const second = { Authorization: `Bearer ${secondKey}` }
    expect((await post(service, '{', id, second)).code).toBe('SBX_BAD_JSON')
    expect((await post(service, JSON.stringify(sale(1)), id)).code).toBe('0')
    expect((await post(service, JSON.stringify(sale(1)), id, second)).code).toBe('SBX_DUP_REQUEST')
  })

  test('a later refused request with the id of an accepted one does not replace it', async () => {
    const service = await openService({ duplicates: 'replay' })
    const id = randomUUID()
    const body = JSON.stringify(sale(1000))
    const first = await post(service, body, id)
    expect((await post(service, '{', id)).code).toBe('SBX_BAD_JSON')
    expect((await post(service, '{"amount":-1}', id)).code).toBe('C17')
    expect((await post(service, body, id)).data).toEqual(first.data)
  })

  test('api limit-duplicates: a refused POST uses up its id for 10 minutes', async () => {
    const wall = new WallClock()
    const service = await openService({ wall: wall.read })
    const id = randomUUID()
    await post(service, '{', id)
    wall.pass(600_000 - 1)
    expect((await post(service, JSON.stringify(sale(1)), id)).code).toBe('SBX_DUP_REQUEST')
    wall.pass(1)
    expect((await post(service, JSON.stringify(sale(1)), id)).code).toBe('0')
  })

  test.each([
    ['Authorization', { Authorization: 'Bearer nobody' }],
    ['X-Timestamp', { 'X-Timestamp': '1' }],
    ['Content-Type', { 'Content-Type': 'text/plain' }],
    ['X-Sandbox-Outcome', { 'X-Sandbox-Outcome': 'nonsense' }],
  ])('a POST that is refused for its %s does not use up its id', async (_, header) => {
    const service = await openService()
    const id = randomUUID()
    const before = plainStateOf(service.sandbox)
    expect((await post(service, JSON.stringify(sale(1)), id, header)).code).not.toBe('0')
    expect(plainStateOf(service.sandbox)).toEqual(before)
    expect((await post(service, JSON.stringify(sale(1)), id)).code).toBe('0')
  })

  test('a look-up by POST does not use up its id, whether it is refused or accepted', async () => {
    const service = await openService()
    const headers = { ...json, [requestIdHeader]: randomUUID() }
    for (const body of ['{', '{"terminalSn":5}', '{}'])
      await service.send('POST', operations['batch-query'].path, { headers, body })
    expect((await service.call('sale', sale(1), headers)).code).toBe('0')
  })

  test('equal refused requests at the same moment are remembered once', async () => {
    const service = await openService()
    const id = randomUUID()
    const codes = await Promise.all([1, 2, 3].map(async () => (await post(service, '{', id)).code))
    expect(codes).toEqual(['SBX_BAD_JSON', 'SBX_BAD_JSON', 'SBX_BAD_JSON'])
    const [ledger] = service.sandbox.engine.state.ledgers.values()
    expect([service.sandbox.engine.state.requests.size, ledger?.sequence]).toEqual([1, 1])
  })
})

describe.each(['reject', 'replay'] as const)(
  'transactionRequestIds of abort and tip-adjust, duplicates: %s',
  (duplicates) => {
    const isReplayed = ({ headers }: { headers: Headers }) => headers.get('X-Sandbox-Replayed') === 'true'
    const replays = duplicates === 'replay'

    /** An abort or tip-adjust with an id of its own, and the ids of its original. */
    async function changeOf(service: Service, name: 'abort' | 'tip-adjust') {
      const isAbort = name === 'abort'
      const opening = sale(1000, { terminalSn: isAbort ? 'TBX-ATTENDED-001' : 'TBX-AUTO-001' })
      const { transactionId } = (await service.call('sale', opening)).data
      const transactionRequestId = newId('OWN')
      return {
        transactionId,
        request: {
          originalTransactionId: transactionId,
          transactionRequestId,
          ...(!isAbort && { tipAmount: 50 }),
        },
        openedBy: (opening as { transactionRequestId: string }).transactionRequestId,
      }
    }

    test.each(['abort', 'tip-adjust'] as const)(
      'assumption duplicates: the transactionRequestId of %s is optional and is checked when sent',
      async (name) => {
        const service = await openService({ duplicates, strict: true })
        const { request } = await changeOf(service, name)
        const wrong = await service.call(name, { ...request, transactionRequestId: 'a b' })
        expect([wrong.code, wrong.field]).toEqual(['C17', 'transactionRequestId'])
        for (const transactionRequestId of [undefined, null, '']) {
          const { request: other } = await changeOf(service, name)
          expect((await service.call(name, { ...other, transactionRequestId })).code).toBe('0')
        }
        expect((await service.call(name, request)).code).toBe('0')
      },
    )

    test.each(['abort', 'tip-adjust'] as const)(
      'assumption duplicates: the transactionRequestId of %s is unique, even after a restart',
      async (name) => {
        const state = temporaryFolder()
        const service = await openService({ duplicates, state })
        const { request, transactionId, openedBy } = await changeOf(service, name)
        const taken = await service.call(name, { ...request, transactionRequestId: openedBy })
        expect(taken.code).toBe(replays ? 'SBX_DUP_OTHER' : 'SBX_DUP_TXN_ID')
        const first = await service.call(name, request)
        expect(first.code).toBe('0')
        const crashed = await openService({ duplicates, state: crashCopy(state) })
        await service.close()
        const stopped = await openService({ duplicates, state })
        for (const each of [crashed, stopped]) {
          const before = plainLedgersOf(each.sandbox)
          const again = await each.call(name, request)
          if (replays) expect([again.code, again.data, isReplayed(again)]).toEqual(['0', first.data, true])
          else {
            expect([again.code, again.field]).toEqual(['SBX_DUP_TXN_ID', 'transactionRequestId'])
            expect(again.detail).toContain(`was used by ${name} of transaction ${transactionId}`)
          }
          const other = await each.call(
            'sale',
            sale(1, { transactionRequestId: request.transactionRequestId }),
          )
          expect(other.code).toBe(replays ? 'SBX_DUP_OTHER' : 'SBX_DUP_TXN_ID')
          expect(plainLedgersOf(each.sandbox)).toEqual(before)
          expect((await each.call(name, { ...request, transactionRequestId: newId() })).code).toBe(
            name === 'abort' ? 'SBX_NOT_ALLOWED' : '0',
          )
        }
      },
    )

    test('assumption duplicates: the transactionRequestId of a refused abort is free', async () => {
      const service = await openService({ duplicates })
      const transactionRequestId = newId()
      const none = { originalTransactionId: '1', transactionRequestId }
      expect((await service.call('abort', none)).code).toBe('SBX_TXN_UNKNOWN')
      expect((await service.call('sale', sale(1, { transactionRequestId }))).code).toBe('0')
    })

    test('an abort that comes too late uses up its transactionRequestId', async () => {
      const service = await openService({ duplicates })
      const late = { 'X-Sandbox-Outcome': 'late-approval' }
      const { transactionId } = (await service.call('sale', sale(1000), late)).data
      const request = { originalTransactionId: transactionId, transactionRequestId: newId() }
      expect((await service.call('abort', request)).data.transactionStatus).toBe('P')
      const again = await service.call('abort', request)
      expect(again.code).toBe(replays ? '0' : 'SBX_DUP_TXN_ID')
    })

    test('expire-session still names its session by transactionRequestId', async () => {
      const service = await openService({ duplicates })
      const opening = sale(1000)
      await service.call('create-session', opening)
      const { transactionRequestId } = opening as { transactionRequestId: string }
      expect((await service.call('expire-session', { transactionRequestId })).data.sessionStatus).toBe(
        'EXPIRED',
      )
    })
  },
)

test('a reset forgets the transactionRequestIds of tip-adjust', async () => {
  const service = await openService()
  const { transactionId } = (await service.call('sale', sale(1000))).data
  const transactionRequestId = newId()
  const adjust = { originalTransactionId: transactionId, tipAmount: 5, transactionRequestId }
  expect((await service.call('tip-adjust', adjust)).code).toBe('0')
  await service.control('POST', 'reset', {})
  expect((await service.call('sale', sale(1, { transactionRequestId }))).code).toBe('0')
})
