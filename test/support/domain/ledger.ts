import { expect } from 'vitest'
import type { Refusal } from '../../../src/contract/errors.ts'
import { type Status, statusChanges } from '../../../src/contract/statuses.ts'
import { evolve } from '../../../src/domain/evolve.ts'
import { type ApplicationProfile, applications, builtIn } from '../../../src/domain/fixtures.ts'
import type { Command, Stamp } from '../../../src/domain/model/commands.ts'
import type { Event } from '../../../src/domain/model/events.ts'
import {
  type Batch,
  type BatchClose,
  createLedger,
  type Ledger,
  type RuleSettings,
  type Terminal,
  usualRules,
} from '../../../src/domain/model/ledger.ts'
import { partsInOrder } from '../../../src/domain/model/parts.ts'
import type { TerminalProfile } from '../../../src/domain/model/terminal-profile.ts'
import { momentsOf } from '../../../src/domain/model/timeline.ts'
import type { Transaction } from '../../../src/domain/model/transaction.ts'
import { decide } from '../../../src/domain/rules/decide.ts'
import { newId } from '../service/new-id.ts'

/** Noon of a working day, UTC. */
export const noon = Date.UTC(2026, 10, 20, 12)

export const day = 86_400_000

let ids = 1_000_000_000_000_000

/** Drives one ledger by commands, as the engine does, but with the time in the test's hand. */
export class Till {
  at = noon
  readonly entries: { at: number; events: readonly Event[] }[] = []
  readonly ledger: Ledger

  readonly #settings: Parameters<typeof Till.emptyLedger>

  constructor(...settings: Parameters<typeof Till.emptyLedger>) {
    this.#settings = settings
    this.ledger = Till.emptyLedger(...settings)
  }

  static emptyLedger(
    reserve = 10_000_000,
    timeZone = 'UTC',
    rules: Partial<RuleSettings> = {},
    application: ApplicationProfile | undefined = applications[0],
  ): Ledger {
    const merchant = application?.merchants[0]
    if (application === undefined || merchant === undefined) throw new Error('the fixture has no merchant')
    return createLedger(builtIn, application, { ...merchant, reserve, timeZone }, { ...usualRules, ...rules })
  }

  /** Decides and applies one command; what is due then acts too, unless `still`. Returns the events. */
  do(command: Command, { still = false } = {}): readonly Event[] {
    const events = this.#step(command)
    if (!still) this.settle()
    return events
  }

  /** Lets everything act that is due now. Errors: it acts again and again. */
  settle(): void {
    let rounds = 0
    for (let acted = true; acted; rounds++) {
      if (rounds > 1000) throw new Error('the ledger does not come to rest')
      acted = false
      for (const { id, wakeAt } of this.ledger.transactions) {
        const isDue = wakeAt !== null && wakeAt <= this.at
        if (isDue && this.#step({ type: 'wake', transactionId: id }).length > 0) acted = true
      }
    }
  }

  /** Moves the time on, stopping at each thing that falls due, as the sandbox clock does. Errors: too much falls due. */
  pass(milliseconds: number): void {
    const target = this.at + milliseconds
    let stops = 0
    for (let due = this.#nextDue(target); due !== undefined; due = this.#nextDue(target)) {
      if (++stops > 10_000) throw new Error('something falls due again and again')
      this.at = due
      this.settle()
    }
    this.at = target
    this.settle()
  }

  /** The terminal of that serial number. */
  terminal(terminalSn: string): Terminal {
    const terminal = this.ledger.terminals.get(terminalSn)
    if (terminal === undefined) throw new Error(`there is no terminal ${terminalSn}`)
    return terminal
  }

  /** Changes the settings of a terminal. */
  set(terminalSn: string, changes: Partial<TerminalProfile>): void {
    this.do({ type: 'set-terminal', terminalSn, changes })
  }

  /** Queues an outcome on a terminal. */
  queue(terminalSn: string, outcome: string, times = 1): void {
    this.do({ type: 'queue-outcome', terminalSn, outcome, times })
  }

  /** A fresh ledger to which everything that was recorded is applied, as after a restart. */
  replay(): Ledger {
    const restarted = new Restarted(...this.#settings)
    restarted.follow(this)
    return restarted.ledger
  }

  /** Opens a transaction and returns it as it ended up. */
  open(command: Command, options: { still?: boolean } = {}): Transaction {
    const opened = this.do(command, options).find((event) => event.type === 'opened')
    return this.ledger.transactions.get(opened?.id ?? '') as Transaction
  }

  /** The refusal of a command; fails the test when it is accepted. The ledger must be as before. */
  refusal(command: Command): Refusal {
    const before = ledgerText(this.ledger)
    let refused: Refusal | undefined
    try {
      decide(this.ledger, command, this.stamp())
    } catch (error) {
      refused = error as Refusal
    }
    expect(ledgerText(this.ledger)).toBe(before)
    expect(refused?.name).toBe('Refusal')
    return refused as Refusal
  }

  /** Requires a refusal with that code, and field behind it, and that text in what it says. */
  refuses(command: Command, codeAndField: string, text = ''): void {
    const { code, field, detail = '' } = this.refusal(command)
    expect(codeAndField.includes(' ') ? `${code} ${field}` : code).toBe(codeAndField)
    expect(detail).toContain(text)
  }

  stamp(): Stamp {
    ids += 1
    return { at: this.at, setBack: 0, transactionId: String(ids), authCode: '123456' }
  }

  /** One decision. */
  protected decide(command: Command): readonly Event[] {
    return decide(this.ledger, command, this.stamp())
  }

  /** One event. */
  protected apply(event: Event): void {
    evolve(this.ledger, event, this.at)
  }

  #step(command: Command): readonly Event[] {
    const events = this.decide(command)
    for (const event of events) this.apply(event)
    this.entries.push({ at: this.at, events })
    return events
  }

  #nextDue(latest: number): number | undefined {
    const times = [...this.ledger.transactions].flatMap(({ wakeAt }) => wakeAt ?? [])
    const due = times.filter((time) => time > this.at && time <= latest)
    return due.length === 0 ? undefined : Math.min(...due)
  }
}

/** A till, and what each of the commands opened at it. */
export function tillWith<const T extends readonly Command[]>(
  ...commands: T
): [Till, ...{ [index in keyof T]: Transaction }] {
  const till = new Till()
  const opened = commands.map((command) => till.open(command))
  return [till, ...(opened as { [index in keyof T]: Transaction })]
}

/** A change of status, and the event that made it; `cause`: its type, or the reason of a `closed`. */
interface StatusTransition {
  readonly event: Event['type']
  readonly cause: string
  /** Null for the event that opened it. */
  readonly from: Status | null
  readonly to: Status
}

/** `FROM to TO` of every change of status that the table allows to that cause. */
export const changesBy = (cause: string): string[] =>
  Object.entries(statusChanges).flatMap(([name, { from, to }]) =>
    name === cause ? from.map((each) => `${each} to ${to}`) : [],
  )

/** A till that fails the test when a decision changes the ledger, or an event a status against the table. */
export class WatchedTill extends Till {
  /** Every event for every transaction there was before it; `from` equals `to` where the status stayed. */
  readonly changes: StatusTransition[] = []

  protected override decide(command: Command): readonly Event[] {
    const before = ledgerText(this.ledger)
    try {
      return super.decide(command)
    } finally {
      expect(ledgerText(this.ledger), `${command.type} changed the ledger while it was decided`).toBe(before)
    }
  }

  protected override apply(event: Event): void {
    const before = [...this.ledger.transactions].map((transaction) => ({
      transaction,
      from: transaction.status,
    }))
    super.apply(event)
    const opened = event.type === 'opened' ? this.ledger.transactions.get(event.id) : undefined
    const all = opened === undefined ? before : [...before, { transaction: opened, from: null }]
    for (const { transaction, from } of all) {
      const to = transaction.status
      const cause = event.type === 'closed' ? event.reason : event.type
      if (from !== to) expect(changesBy(cause), `${cause} changed ${from}`).toContain(`${from} to ${to}`)
      if (from !== to || ('id' in event && event.id === transaction.id))
        this.changes.push({ event: event.type, cause, from, to })
    }
  }
}

/** What a restart would read, kept up with a till step by step: a ledger that is folded from the events alone. */
export class Restarted {
  readonly ledger: Ledger
  #applied = 0

  constructor(...settings: Parameters<typeof Till.emptyLedger>) {
    this.ledger = Till.emptyLedger(...settings)
  }

  /** Applies what the till has recorded since the last call, as it would be read from a file. */
  follow({ entries }: Till): void {
    const fresh = JSON.parse(JSON.stringify(entries.slice(this.#applied))) as Till['entries']
    for (const { at, events } of fresh) for (const event of events) evolve(this.ledger, event, at)
    this.#applied = entries.length
  }
}

/** Everything in a ledger that can change as text, maps with their order. */
export const ledgerText = ({ catalogue: _, ...ledger }: Ledger): string =>
  JSON.stringify(ledger, (_, value: unknown) => (value instanceof Map ? [...value] : value))

/** The parts of the amount of a transaction, in the order in which a refund takes them. */
export const partsOf = (transaction: Transaction): number[] => partsInOrder.map((part) => transaction[part])

/** What happened to a transaction, in order. */
export const momentNames = (transaction: Transaction): string[] =>
  momentsOf(transaction).map(({ what }) => what)

/** A command as a handler would make it. */
export function request<T extends Exclude<Command['type'], 'wake' | 'set-terminal' | 'queue-outcome'>>(
  type: T,
  input: object,
  outcome: string | null = null,
): Command {
  return { type, input, fingerprint: 'same', outcome } as unknown as Command
}

/** A sale of that many minor units. */
export const saleOf = (...order: [amount: number, more?: object, outcome?: string | null]): Command =>
  payment('sale', ...order)

/** A first transaction of any kind, of that many minor units. */
export const payment = (
  type: 'sale' | 'auth' | 'forced-auth' | 'refund',
  amount: number,
  more: object = {},
  outcome: string | null = null,
): Command => request(type, { transactionRequestId: newId(), amount, priceCurrency: 'USD', ...more }, outcome)

/** A refund of no transaction. */
export const freeRefund = (amount: number, more: object = {}, outcome: string | null = null): Command =>
  payment('refund', amount, { referenceOrderId: newId('ORDER'), ...more }, outcome)

/** A follow-up on a transaction. */
export const on = (
  type: 'incremental-auth' | 'post-auth' | 'refund' | 'void' | 'abort' | 'tip-adjust',
  original: Transaction,
  more: object = {},
  outcome: string | null = null,
): Command => request(type, { ...ownId(type), originalTransactionId: original.id, ...more }, outcome)

/** An abort and a tip adjust need no id of their own. */
const ownId = (type: Command['type']): object =>
  type === 'abort' || type === 'tip-adjust' ? {} : { transactionRequestId: newId() }

/** Closes the open batches of a terminal; left out, the merchant's first. */
export const closing = (more: object = {}): Command =>
  request('batch-close', { transactionRequestId: newId('CLOSE'), ...more })

export const tillBatches = ({ ledger }: Till): Batch[] => [...ledger.batches.values()]

export const closesOf = ({ ledger }: Till): BatchClose[] => [...ledger.closes.values()]
