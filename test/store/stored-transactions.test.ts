import { cpSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Ledger } from '../../src/domain/model/ledger.ts'
import { Statistics } from '../../src/views/statistics/statistics.ts'
import { newId } from '../support/service/new-id.ts'
import {
  crashCopy,
  openService,
  plainStateOf,
  type Service,
  sale,
  temporaryFolder,
  WallClock,
} from '../support/service/service.ts'

const start = Date.UTC(2026, 10, 20, 12)

/** Sales of the first block: one in ten is declined, one asks the host for a while, one waits for a person. */
const [late, attended] = [105, 205]

/** A stopped state of more transactions than a block has, most of them in one; what it was, and the sales. */
async function stored() {
  const state = temporaryFolder()
  const service = await openService({ state, wall: new WallClock(start).read })
  const sales: { request: object; transactionId: string; transactionRequestId: string }[] = []
  const { sessionId } = (await service.call('create-session', sale(700))).data
  await service.control('POST', `sessions/${sessionId}/pay`, { card: 'visa-contactless' })
  for (let at = 0; at < 520; at++) {
    const terminalSn =
      at === late
        ? 'TBX-TIP20-001'
        : at === attended
          ? 'TBX-ATTENDED-001'
          : `TBX-${at % 10 === 0 ? 'DECLINE' : 'AUTO'}-001`
    const request = sale(1000 + at, { terminalSn })
    const outcome = at === late ? { 'X-Sandbox-Outcome': 'late-approval' } : {}
    const { transactionId, transactionRequestId } = (await service.call('sale', request, outcome)).data
    sales.push({ request, transactionId, transactionRequestId })
  }
  const before = plainStateOf(service.sandbox)
  await service.close()
  return { state, sales, sessionId, before }
}

const ledgerOf = ({ sandbox }: Service): Ledger => {
  const [ledger] = sandbox.engine.state.ledgers.values()
  if (ledger === undefined) throw new Error('there is no ledger')
  return ledger
}

type Sales = Awaited<ReturnType<typeof stored>>['sales']

/** Numbers of the sales that are objects. */
const inMemory = (service: Service, sales: Sales): number[] => {
  const ids = new Set(Array.from(ledgerOf(service).transactions.inMemory(), ({ id }) => id))
  return [...sales.keys()].filter((at) => ids.has(sales[at]?.transactionId ?? ''))
}

/** Those after the first block, which begins with a session. */
const tail = Array.from({ length: 21 }, (_, at) => 499 + at)

test('a start leaves stored blocks unread, except for transactions that act by themselves', async () => {
  const { state, sales, before } = await stored()
  const service = await openService({ state, wall: new WallClock(start).read })
  expect(plainStateOf(service.sandbox)).toEqual(before)
  expect(inMemory(service, sales)).toEqual([late, attended, ...tail])
})

test('a stored transaction is found by id, request id and session, and its request is a duplicate', async () => {
  const { state, sales, sessionId } = await stored()
  const service = await openService({ state, wall: new WallClock(start).read })
  for (const at of [0, 3, 250, 499, 500, 519]) {
    const { request, transactionId, transactionRequestId } = sales[at] as Sales[number]
    for (const name of [{ transactionId }, { transactionRequestId }])
      expect((await service.call('query', name)).data).toMatchObject({ transactionId, transactionRequestId })
    const again = await service.call('sale', request)
    expect([again.code, again.detail]).toEqual(['SBX_DUP_TXN_ID', expect.stringContaining(transactionId)])
  }
  expect((await service.call('query', { transactionId: '1' })).code).toBe('SBX_TXN_UNKNOWN')
  expect((await service.control('GET', `sessions/${sessionId}`)).data).toMatchObject({ state: 'paid' })
})

test('a stored transaction that falls due goes on', async () => {
  const { state, sales } = await stored()
  const clock = new WallClock(start)
  const service = await openService({ state, wall: clock.read })
  const statusOf = async (at: number) =>
    (await service.call('query', { transactionId: sales[at]?.transactionId })).data.transactionStatus
  expect([await statusOf(late), await statusOf(attended)]).toEqual(['P', 'P'])
  await service.control('POST', 'clock', { action: 'advance', milliseconds: 86_400_000 })
  expect([await statusOf(late), await statusOf(attended)]).toEqual(['S', 'C'])
})

test('pages, lists and the summary follow changes to a stored transaction', async () => {
  const { state, sales } = await stored()
  const service = await openService({ state, wall: new WallClock(start).read })
  const { statistics, engine } = service.sandbox
  expect(statistics.current.transactions).toHaveLength(521)
  const summary = async () => (await service.control('GET', 'state')).data.byStatus
  const first = await summary()
  expect(first).toEqual({ SUCCESS: 467, FAIL: 52, PROCESSING: 2 })
  for (const at of [1, 2, 499])
    await service.call('refund', {
      ...{ originalTransactionId: sales[at]?.transactionId, transactionRequestId: newId(), amount: 100 },
      pushToTerminal: false,
    })
  await service.control('POST', 'clock', { action: 'advance', milliseconds: 86_400_000 })
  await engine.written()
  const anew = new Statistics(() => engine.state)
  const counted = ({ current }: Statistics) => [
    current.transactions.map(({ transaction, contribution }) => [transaction, contribution]),
    current.figures.counts,
  ]
  expect(counted(statistics)).toEqual(counted(anew))
  expect(await summary()).toEqual({ SUCCESS: 471, FAIL: 52, CLOSED: 1 })
  const { transactions } = (await service.control('GET', 'transactions?status=CLOSED')).data
  expect(transactions.map(({ amount }: { amount: number }) => amount)).toEqual([1000 + attended])
})

test('changes to a stored transaction survive a crash and a stop', async () => {
  const { state, sales } = await stored()
  const wall = new WallClock(start).read
  const service = await openService({ state, wall })
  for (const at of [0, 1, 300])
    await service.call('void', {
      ...{ originalTransactionId: sales[at]?.transactionId, transactionRequestId: newId() },
      pushToTerminal: false,
    })
  const after = plainStateOf(service.sandbox)
  expect(plainStateOf((await openService({ state: crashCopy(state), wall })).sandbox)).toEqual(after)
  await service.close()
  const copy = temporaryFolder()
  cpSync(state, copy, { recursive: true })
  const restarted = await openService({ state: copy, wall })
  expect(plainStateOf(restarted.sandbox)).toEqual(after)
  expect(inMemory(restarted, sales)).toEqual([late, attended, ...tail])
})
