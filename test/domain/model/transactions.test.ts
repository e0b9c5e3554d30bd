import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Online, Transaction } from '../../../src/domain/model/transaction.ts'
import { type StoredTransactions, Transactions } from '../../../src/domain/model/transactions.ts'
import { times } from '../../support/runner/counts.ts'
import { addBlock, type CountingBlock } from '../../support/store/stored-block.ts'

/** The members by which transactions are found and counted, and one that changes. */
const transaction = (number: number, more: Partial<Transaction> = {}): Transaction =>
  ({
    id: String(1_000_000 + number),
    transactionRequestId: `R-${number}`,
    status: 'SUCCESS',
    wakeAt: null,
    tip: 0,
    online: number % 3 === 0 ? ({ sessionId: `S-${number}` } as Online) : null,
    ...more,
  }) as Transaction

/** So many transactions, the first with that number. */
const numbered = (count: number, first = 0) =>
  Array.from({ length: count }, (_, at) => transaction(first + at))

/** So many transactions in blocks of four, the first of them numbered 0. */
function inBlocks(count: number) {
  const transactions = new Transactions()
  const blocks = Array.from({ length: count }, (_, block) => addBlock(transactions, numbered(4, 4 * block)))
  return { transactions, blocks }
}

const readsOf = (blocks: readonly CountingBlock[]) => blocks.map(({ reads }) => reads)

test('stored blocks and objects behave as a map, whatever is done to them', () => {
  const number = fc.nat(30)
  const act = fc.record({
    kind: fc.constantFrom('get', 'read', 'ids', 'by request', 'by session', 'settle', 'add', 'walk'),
    number,
  })
  fc.assert(
    fc.property(fc.nat(5), fc.array(act, { maxLength: 40 }), (count, acts) => {
      const { transactions } = inBlocks(count)
      const model = new Map([...transactions].map((each) => [each.id, structuredClone(each)]))
      const idOf = (at: number) => transaction(at).id
      for (const { kind, number: at } of acts) {
        const expected = model.get(idOf(at))
        if (kind === 'get') expect(transactions.get(idOf(at))).toEqual(expected)
        else if (kind === 'read') expect(transactions.read(idOf(at))).toEqual(expected)
        else if (kind === 'by request')
          expect(transactions.withTransactionRequestId(`R-${at}`)).toEqual(expected)
        else if (kind === 'by session')
          expect(transactions.ofSession(`S-${at}`)).toEqual(expected?.online ? expected : undefined)
        else if (kind === 'ids')
          expect([
            transactions.idWithTransactionRequestId(`R-${at}`),
            transactions.idOfSession(`S-${at}`),
          ]).toEqual([expected?.id, expected?.online ? expected.id : undefined])
        else if (kind === 'settle')
          for (const each of [expected, transactions.get(idOf(at))])
            if (each !== undefined) Object.assign(each, { status: 'FAIL', tip: each.tip + 1 })
        if (kind === 'add' && expected === undefined) {
          transactions.add(transaction(at))
          model.set(idOf(at), transaction(at))
        }
        if (kind !== 'walk') continue
        expect([...transactions.newest()]).toEqual([...model.values()].toReversed())
      }
      const all = [...model.values()]
      expect([...transactions]).toEqual(all)
      expect(transactions.size).toBe(all.length)
      expect([...transactions.stored(), transactions.added].flatMap(recordsOf)).toEqual(all)
      const byStatus = [...transactions.countByStatus()].filter(([, each]) => each > 0)
      expect(Object.fromEntries(byStatus)).toEqual(
        Object.fromEntries(
          (['SUCCESS', 'FAIL'] as const).flatMap((status) => {
            const those = all.filter((each) => each.status === status).length
            return those === 0 ? [] : [[status, those]]
          }),
        ),
      )
      const greatest = Math.max(0, ...all.map(({ id }) => Number(id)))
      expect(Number(transactions.greatestId)).toBe(greatest)
      const around = all.length === 0 ? [] : [greatest - 1, greatest, greatest + 1]
      expect(around.filter((id) => transactions.isGreaterThanAll(String(id)))).toEqual(around.slice(2))
    }),
    { numRuns: times(200, 5_000) },
  )
})

const recordsOf = (block: StoredTransactions | readonly Transaction[]): readonly Transaction[] =>
  'read' in block ? block.read() : block

test('a transaction that was read is one object from then on, however it is looked up', () => {
  const { transactions } = inBlocks(3)
  const taken = transactions.withTransactionRequestId('R-6')
  expect(taken?.id).toBe('1000006')
  transactions.get('1000000') // another block is read meanwhile
  expect(transactions.get('1000006')).toBe(taken)
  expect(transactions.ofSession('S-6')).toBe(taken)
  expect(transactions.read('1000006')).toBe(taken)
  expect([...transactions][6]).toBe(taken)
})

test('a block is read only when a transaction in it is asked for', () => {
  const { transactions, blocks } = inBlocks(3)
  expect([transactions.size, transactions.greatestId]).toEqual([12, '1000011'])
  expect(Object.fromEntries(transactions.countByStatus())).toEqual({ SUCCESS: 12 })
  expect([
    transactions.get('1'),
    transactions.withTransactionRequestId('R-99'),
    transactions.has(''),
  ]).toEqual([undefined, undefined, false])
  expect([...transactions.inMemory()]).toEqual([])
  expect(readsOf(blocks)).toEqual([0, 0, 0])
  for (const id of ['1000005', '1000006']) expect(transactions.get(id)?.id).toBe(id)
  expect(readsOf(blocks)).toEqual([0, 1, 0])
  expect([...transactions]).toHaveLength(12)
  expect(readsOf(blocks)).toEqual([1, 1, 1])
})

test('a transaction that is only read stays in its block, which is written unchanged', () => {
  const { transactions, blocks } = inBlocks(2)
  expect(transactions.read('1000002')).toMatchObject({ transactionRequestId: 'R-2' })
  expect(transactions.has('1000003')).toBe(true)
  expect([...transactions.stored()]).toEqual(blocks)
  expect([...transactions.inMemory()]).toEqual([])
  transactions.get('1000002')
  expect([...transactions.stored()][0]).not.toBe(blocks[0])
  expect([...transactions.stored()][1]).toBe(blocks[1])
})

test('a block of which several transactions were read is turned into objects, and not read again', () => {
  const transactions = new Transactions()
  const block = addBlock(transactions, numbered(9))
  const others = Array.from({ length: 60 }, (_, at) => addBlock(transactions, numbered(1, 9 + at)))
  for (let at = 0; at < 9; at++) {
    transactions.get(transaction(at).id)
    for (const { records } of others) transactions.read(records[0]?.id ?? '')
  }
  expect([block.reads, others[59]?.reads]).toEqual([4, 9])
  expect([...transactions.inMemory()]).toHaveLength(9)
  expect(Object.fromEntries(transactions.countByStatus())).toEqual({ SUCCESS: 69 })
})

test('iterating over a block shows a change made meanwhile to one of its transactions', () => {
  const { transactions } = inBlocks(2)
  for (const [walk, id] of [
    [transactions[Symbol.iterator](), '1000002'],
    [transactions.newest(), '1000005'],
  ] as const) {
    walk.next()
    transactions.read(id === '1000002' ? '1000004' : '1000000') // another block is read
    const taken = transactions.get(id)
    if (taken === undefined) throw new Error('it is stored')
    taken.status = 'FAIL'
    expect([...walk].find((each) => each.id === id)?.status).toBe('FAIL')
  }
})

test('the newest transactions are found without reading earlier blocks', () => {
  const { transactions, blocks } = inBlocks(3)
  transactions.add(transaction(12))
  const newest = transactions.newest()
  expect([newest.next().value?.id, newest.next().value?.id]).toEqual(['1000012', '1000011'])
  expect(readsOf(blocks)).toEqual([0, 0, 1])
})

test('transactions that act by themselves are in memory at once', () => {
  const transactions = new Transactions()
  addBlock(transactions, [transaction(0), transaction(1, { wakeAt: 7, status: 'PROCESSING' })])
  expect([...transactions.inMemory()]).toMatchObject([{ id: '1000001', wakeAt: 7 }])
})

test('a block that follows single transactions keeps its position', () => {
  const transactions = new Transactions()
  transactions.add(transaction(0))
  addBlock(transactions, [transaction(1), transaction(2)])
  expect(Array.from(transactions, ({ id }) => id)).toEqual(['1000000', '1000001', '1000002'])
  expect(transactions.withTransactionRequestId('R-2')?.id).toBe('1000002')
})
