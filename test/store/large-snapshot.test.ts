import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Delivery, enterDelivery } from '../../src/domain/model/outbox.ts'
import { addMoment } from '../../src/domain/model/timeline.ts'
import type { Transaction } from '../../src/domain/model/transaction.ts'
import { createState, type State } from '../../src/domain/state.ts'
import { builtIn } from '../../src/fixtures.ts'
import { repairState } from '../../src/store/check/repair.ts'
import { verifyState } from '../../src/store/check/verify-state.ts'
import {
  type CheckpointFacts,
  checkpointBlocks,
  readCheckpoint,
} from '../../src/store/file/state-file.ts'
import { commitManifest, type SealedFile, stateFormat } from '../../src/store/file/format/manifest.ts'
import { writeSnapshot } from '../../src/store/file/snapshot.ts'
import { readSnapshot } from '../../src/store/file/snapshot-reader.ts'
import { times } from '../support/runner/counts.ts'
import { newId } from '../support/service/new-id.ts'
import { encodeLine, openService, sale, temporaryFolder } from '../support/service/service.ts'

const empty = () => createState(builtIn)

function ledgerIn({ ledgers }: State) {
  const ledger = ledgers.get('M1000000001')
  if (ledger === undefined) throw new Error('the fixtures have that merchant')
  return ledger
}

/** Transactions of many kinds, and a delivery: what large states are made of here. */
interface Kinds {
  readonly transactions: readonly Transaction[]
  readonly delivery: Delivery
}

let made: Promise<Kinds> | undefined

/** Made once, in the test that first asks. */
const someKinds = (): Promise<Kinds> => {
  made ??= makeKinds()
  return made
}

async function makeKinds(): Promise<Kinds> {
  const { call, control, sandbox } = await openService({ retries: [] })
  const original = async (name: 'sale' | 'auth' = 'sale') => ({
    originalTransactionId: (await call(name, sale(1000))).data.transactionId as string,
    transactionRequestId: newId(),
  })
  const cloud = { pushToTerminal: false }
  const notifyUrl = 'http://127.0.0.1:9/'
  await call('sale', sale(1000, { tipAmount: 200, attach: 'é \ud800', description: 'tea', notifyUrl }))
  await call('sale', sale(9823))
  await call('sale', sale(5, { priceCurrency: 'JPY' }), { 'X-Sandbox-Outcome': 'late-approval' })
  await call('forced-auth', sale(500, { paymentMethod: { category: 'EBT' } }))
  for (const terminalSn of ['TBX-OFFLINE-001', 'TBX-ATTENDED-001', 'TBX-SLOW-001'])
    await call('sale', sale(1000, { terminalSn }))
  await call('refund', { ...(await original()), amount: 300 })
  await call('void', { ...(await original()), ...cloud })
  await call('incremental-auth', { ...(await original('auth')), amount: 50, ...cloud })
  await control('POST', 'clock', { action: 'advance', milliseconds: 5_000 })
  await control('POST', 'clock', { action: 'reset' })
  await call('sale', sale(1000))
  await sandbox.courier.idle()
  const { transactions, outbox } = ledgerIn(sandbox.engine.state)
  const [delivery] = outbox.deliveries.values()
  return structuredClone({ transactions: [...transactions], delivery: delivery as Delivery })
}

/** A state of so many transactions, chosen among the kinds, with so many deliveries and marks of requests. */
function stateOf(
  { transactions: kinds, delivery }: Kinds,
  picks: readonly number[],
  deliveries = 0,
  marks = 0,
): State {
  const state = empty()
  const ledger = ledgerIn(state)
  ledger.sequence = picks.length
  for (const [at, pick] of picks.entries()) {
    const kind = structuredClone(kinds[pick % kinds.length] as Transaction)
    const own = { id: String(1_795_292_106_799_000 + at), transactionRequestId: `R-${at}` }
    const transaction = { ...kind, ...own, originalId: null, followUps: null, stan: at }
    ledger.transactions.add(transaction)
  }
  for (let number = 1; number <= deliveries; number++)
    enterDelivery(ledger.outbox, {
      ...delivery,
      number,
      ...(number % 9 === 0 && { round: 1, nextAt: 1_795_292_106_799 + number }),
    })
  for (let at = 0; at < marks; at++)
    state.requests.set(`app ${at}`, {
      key: `app ${at}`,
      at: 1_795_292_106_799 + at,
      fingerprint: String(at),
      ...(at % 3 === 0 ? { refusal: { code: 'SBX_DUP_REQUEST' as const } } : { transactionId: '1' }),
    })
  state.journalOrder.latest = 1_795_292_106_799
  return state
}

const every = (count: number): number[] => Array.from({ length: count }, (_, at) => at)

/** What of a state is stored. */
const storedOf = (state: State): object => ({
  order: state.journalOrder,
  requests: [...state.requests],
  ledgers: [...state.ledgers].map(([id, { catalogue: _, ...ledger }]) => [id, ledger]),
})

/** Ids and request ids of the transactions of each ledger that has some. */
const idsIn = ({ ledgers }: State): string[][] =>
  [...ledgers.values()]
    .map(({ transactions }) =>
      [...transactions].flatMap(({ id, transactionRequestId }) => [id, transactionRequestId]),
    )
    .filter(({ length }) => length > 0)

function readBack(folder: string, snapshot: SealedFile): State {
  const state = empty()
  readSnapshot(folder, snapshot, state)
  return state
}

describe('a snapshot of many records', () => {
  test('any state is read back as it was written', async () => {
    const kinds = await someKinds()
    const folder = temporaryFolder()
    const count = fc.integer({ min: 0, max: 1_100 })
    const picks = fc.oneof(
      fc.array(fc.nat(99), { minLength: 450, maxLength: 1_600, size: 'max' }),
      fc.tuple(count, fc.nat(99)).map(([length, pick]) => every(length).map(() => pick)),
    )
    fc.assert(
      fc.property(picks, count, count, (chosen, deliveries, marks) => {
        const state = stateOf(kinds, chosen, deliveries, marks)
        const read = readBack(folder, writeSnapshot(folder, state))
        expect(storedOf(read)).toEqual(storedOf(state))
      }),
      { numRuns: times(8, 500) },
    )
  })

  test('a state that was read, changed and stored again equals one that was never stored', async () => {
    const kinds = await someKinds()
    const folder = temporaryFolder()
    const picks = fc.array(fc.nat(99), { minLength: 450, maxLength: 1_600, size: 'max' })
    fc.assert(
      fc.property(picks, fc.array(fc.nat(1_600), { maxLength: 5 }), fc.nat(600), (chosen, changed, added) => {
        const state = stateOf(kinds, chosen)
        const read = readBack(folder, writeSnapshot(folder, state))
        const more = [...ledgerIn(stateOf(kinds, every(chosen.length + added))).transactions].slice(
          chosen.length,
        )
        for (const each of [state, read]) {
          const { transactions } = ledgerIn(each)
          for (const at of changed) {
            const transaction = transactions.withTransactionRequestId(`R-${at}`)
            if (transaction !== undefined) addMoment(transaction, transaction.createdAt + at, 'tip-adjusted')
          }
          for (const transaction of more) transactions.add(structuredClone(transaction))
        }
        expect(storedOf(read)).toEqual(storedOf(state))
        expect(storedOf(readBack(folder, writeSnapshot(folder, read)))).toEqual(storedOf(state))
      }),
      { numRuns: times(5, 300) },
    )
  })

  test('a block that was not read is stored again byte for byte', async () => {
    const folder = temporaryFolder()
    const first = writeSnapshot(
      folder,
      stateOf(
        await someKinds(),
        every(1_501).map(() => 0),
      ),
    )
    const read = readBack(folder, first)
    const [taken] = [...ledgerIn(read).transactions].slice(700)
    ledgerIn(read).transactions.read('1795292106799003')
    const transaction = ledgerIn(read).transactions.get(taken?.id ?? '')
    if (transaction !== undefined) transaction.tip += 1
    const second = writeSnapshot(folder, read)
    const [before, after] = [first, second].map(({ name }) =>
      readFileSync(join(folder, name), 'utf8')
        .split('\n')
        .filter((line) => line.includes('"transaction')),
    )
    expect(before?.map((line, at) => line === after?.[at])).toEqual([true, false, true, true])
  })

  test('a stored transaction that waits is in memory after the start, with its due time', async () => {
    const folder = temporaryFolder()
    const kinds = await someKinds()
    const waiting = kinds.transactions.findIndex(({ wakeAt, screen }) => wakeAt !== null && screen === 'host')
    const state = stateOf(
      kinds,
      every(1_000).map((at) => (at === 600 ? waiting : 0)),
    )
    const read = ledgerIn(readBack(folder, writeSnapshot(folder, state))).transactions
    expect([...read.inMemory()]).toMatchObject([{ transactionRequestId: 'R-600', screen: 'host' }])
  })

  test('full blocks of 500 transactions are stored as columns, and the rest as one record a line', async () => {
    const folder = temporaryFolder()
    const { name } = writeSnapshot(folder, stateOf(await someKinds(), every(1_002), 501, 500))
    const kindsOfLines = linesOf(join(folder, name)).map((line) => Object.keys(line)[0])
    const [header, ...rest] = kindsOfLines.filter((kind) => kind !== 'ledger')
    expect(header).toBe('format')
    expect(rest).toEqual([
      ...['transactions', 'transactions', 'transaction', 'transaction'],
      ...['deliveries', 'delivery', 'requests', 'order', 'end'],
    ])
  })

  test('the transactions of each ledger stand in the order in which they were stored', async () => {
    const kinds = await someKinds()
    const folder = temporaryFolder()
    const state = stateOf(kinds, every(500))
    const other = state.ledgers.get('M2000000001')
    if (other === undefined) throw new Error('the fixtures have that merchant')
    for (const transaction of ledgerIn(stateOf(kinds, every(1_002))).transactions) {
      other.transactions.add(transaction)
    }
    const read = readBack(folder, writeSnapshot(folder, state))
    const ids = idsIn(state)
    expect(ids.map(({ length }) => length)).toEqual([1_000, 2_004])
    expect(idsIn(read)).toEqual(ids)
  })

  test('transactions with equal timelines share one after they were read', async () => {
    const folder = temporaryFolder()
    const read = readBack(
      folder,
      writeSnapshot(
        folder,
        stateOf(
          await someKinds(),
          every(1_100).map(() => 0),
        ),
      ),
    )
    const timelines = [...ledgerIn(read).transactions].map(({ timeline }) => timeline)
    expect(new Set(timelines).size).toBe(1)
  })

  test('a checkpoint has one transaction a line, in its earlier format', async () => {
    const path = join(temporaryFolder(), 'base.jsonl')
    const state = stateOf(await someKinds(), every(1_000))
    const facts = { ...checkpointFacts, transactions: 1_000 }
    writeFileSync(
      path,
      Buffer.concat(Array.from(checkpointBlocks(state, facts), (block) => Buffer.from(block))),
    )
    const lines = linesOf(path)
    expect(lines[0]).toMatchObject({ format: 4 })
    expect(lines.filter((line) => 'transaction' in line)).toHaveLength(1_000)
    expect(storedOf(readCheckpoint(path, empty).state)).toEqual(storedOf(state))
  })

  test('a checkpoint with columns is refused', async () => {
    const folder = temporaryFolder()
    const { name } = writeSnapshot(folder, stateOf(await someKinds(), every(500)))
    const [, ...lines] = linesOf(join(folder, name))
    const path = join(folder, 'base.jsonl')
    const header = { format: 4, id: '9a73140f-25f1-4d04-93b1-1f4e1a4a3b5c', version: '0.2.0' }
    write(path, [{ ...header, checkpoint: { ...checkpointFacts, transactions: 500 } }, ...lines])
    expect(() => readCheckpoint(path, empty)).toThrow('columns of transaction are not read here')
  })
})

const checkpointFacts = {
  name: 'base',
  savedAt: '2026-11-20T12:00:00.000Z',
  sandboxTime: '2026-11-20T12:00:00.000Z',
  transactions: 0,
  settings: { clock: { offset: 0, frozenAt: null }, faultRules: [], webhookOrder: null, webhookHold: false },
} satisfies CheckpointFacts

type ParsedLine = Record<string, unknown>

const linesOf = (path: string): ParsedLine[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { crc: _, ...value } = JSON.parse(line)
      return value
    })

const write = (path: string, lines: readonly ParsedLine[]): void =>
  writeFileSync(path, lines.map(encodeLine).join(''))

describe('damage of a snapshot with columns', () => {
  /** A stopped state of 1,100 transactions; its snapshot. */
  async function stored(change: (lines: ParsedLine[]) => ParsedLine[] = (lines) => lines) {
    const folder = join(temporaryFolder(), 'state') // a copy of it is made beside it
    mkdirSync(folder, { mode: 0o700 })
    const snapshot = writeSnapshot(folder, stateOf(await someKinds(), every(1_100)))
    const path = join(folder, snapshot.name)
    write(path, change(linesOf(path)))
    const nothing = { snapshot: null, journals: [], open: null }
    const before = { ...nothing, number: 0, format: stateFormat, lastJournal: 0 }
    const bytes = readFileSync(path).length
    commitManifest(folder, before, { ...nothing, snapshot: { ...snapshot, bytes } })
    return { folder, path, snapshot: { ...snapshot, bytes } }
  }

  const indexOf = (lines: readonly ParsedLine[], number: number): number =>
    lines.map((line, at) => ('transactions' in line ? at : -1)).filter((at) => at !== -1)[number] as number

  test('a changed byte stops the start, which names the line, and a repair drops only that block', async () => {
    const { folder, path, snapshot } = await stored()
    const line = indexOf(linesOf(path), 1) + 1
    const bytes = readFileSync(path)
    const offset = bytes.indexOf('"R-777"') + 1 // with quotes: an order of process 777 has it, too
    bytes[offset] = (bytes[offset] ?? 0) ^ 1
    writeFileSync(path, bytes)
    expect(() => readBack(folder, snapshot)).toThrow(`is damaged at line ${line}`)
    expect((await verifyState(folder)).problems.join()).toContain(`line ${line}`)
    const { status, transactions, leftOut } = await repairState(folder, Date.UTC(2026, 10, 20))
    expect({ status, transactions }).toEqual({ status: 'repaired', transactions: 600 })
    expect(leftOut).toMatchObject([{ lines: [line, line], why: 'its checksum does not match' }])
    expect((await verifyState(folder)).sound).toBe(true)
  })

  test('a repair keeps all full blocks when every line after the transactions is damaged', async () => {
    const { folder, path } = await stored()
    const lines = linesOf(path)
    const after = indexOf(lines, 1) + 1
    const text = lines.map((line, at) => (at < after ? encodeLine(line) : '{"transaction":{}}\n')).join('')
    writeFileSync(path, text)
    const { status, transactions } = await repairState(folder, Date.UTC(2026, 10, 20))
    expect({ status, transactions }).toEqual({ status: 'repaired', transactions: 1_000 })
    expect((await verifyState(folder)).sound).toBe(true)
  })

  test('a repair keeps a last block whose newline is damaged', async () => {
    const { folder, path } = await stored()
    const lines = linesOf(path)
    const remaining = lines.slice(0, indexOf(lines, 0) + 1)
    writeFileSync(path, `${remaining.map(encodeLine).join('').slice(0, -1)}\0`)
    for (const name of readdirSync(folder)) if (name.startsWith('manifest')) rmSync(join(folder, name))
    const { status, transactions } = await repairState(folder, Date.UTC(2026, 10, 20))
    expect({ status, transactions }).toEqual({ status: 'repaired', transactions: 500 })
    expect((await verifyState(folder)).sound).toBe(true)
  })

  /** The second block of transactions with another member of its columns. */
  const withColumn = (name: string, column: unknown) => (lines: ParsedLine[]) => {
    const at = indexOf(lines, 1)
    const { transactions } = lines[at] as { transactions: { count: number; columns: object } }
    const changed = { ...transactions, columns: { ...transactions.columns, [name]: column } }
    return lines.map((line, each) => (each === at ? { transactions: changed } : line))
  }

  test.each<[string, (lines: ParsedLine[]) => ParsedLine[], string]>([
    [
      'a member that is unknown',
      withColumn('fee', { same: 1 }),
      'the member "fee" of transaction is unknown',
    ],
    ['a column that is unknown', withColumn('tip', { delta: [] }), 'the column "tip" cannot be read'],
    ['a column that is short', withColumn('tip', { each: [1] }), 'the column "tip" cannot be read'],
  ])('%s stops the start, and a repair leaves out that block', async (_, change, why) => {
    const { folder, snapshot } = await stored(change)
    expect(() => readBack(folder, snapshot)).toThrow(why)
    const { transactions, leftOut } = await repairState(folder, Date.UTC(2026, 10, 20))
    expect(transactions).toBe(600)
    expect(leftOut).toMatchObject([{ why: expect.stringContaining(why) }])
    expect(leftOut[0]?.transactionIds.length).toBe(why.includes('column') ? 0 : 500)
  })
})
