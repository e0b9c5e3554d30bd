import { expect } from 'vitest'
import type { Refusal } from '../../src/api/errors.ts'
import type { Command, Stamp } from '../../src/domain/commands.ts'
import { decide } from '../../src/domain/decide.ts'
import type { Event } from '../../src/domain/events.ts'
import { evolve } from '../../src/domain/evolve.ts'
import { createLedger, type Ledger, type Transaction } from '../../src/domain/ledger.ts'
import { applications } from '../../src/fixtures.ts'

/** Noon of a working day, UTC. */
export const noon = Date.UTC(2026, 10, 20, 12)

export const day = 86_400_000

let ids = 1_000_000_000_000_000

/** Drives one ledger by commands, as the engine does, but with the time in the test's hand. */
export class Till {
  at = noon
  readonly entries: { at: number; events: readonly Event[] }[] = []
  readonly ledger: Ledger

  constructor(reserve = 10_000_000, timeZone = 'UTC') {
    this.ledger = Till.emptyLedger(reserve, timeZone)
  }

  static emptyLedger(reserve = 10_000_000, timeZone = 'UTC'): Ledger {
    const [application] = applications
    const merchant = application?.merchants[0]
    if (application === undefined || merchant === undefined) throw new Error('the fixture has no merchant')
    return createLedger(application, { ...merchant, reserve, timeZone }, 0)
  }

  /** Decides and applies one command; what is due then acts too, unless `still`. Returns the events. */
  do(command: Command, { still = false } = {}): readonly Event[] {
    const events = this.#step(command)
    if (!still) this.settle()
    return events
  }

  /** Lets everything act that is due now. */
  settle(): void {
    for (let acted = true; acted; ) {
      acted = false
      for (const { id, wakeAt } of this.ledger.transactions.values())
        if (
          wakeAt !== null &&
          wakeAt <= this.at &&
          this.#step({ type: 'wake', transactionId: id }).length > 0
        )
          acted = true
    }
  }

  /** Moves the time on and lets act what fell due. */
  pass(milliseconds: number): void {
    this.at += milliseconds
    this.settle()
  }

  /** Opens a transaction and returns it as it ended up. */
  open(command: Command, options: { still?: boolean } = {}): Transaction {
    const opened = this.do(command, options).find((event) => event.type === 'opened')
    return this.ledger.transactions.get(opened?.id ?? '') as Transaction
  }

  /** The refusal of a command; fails the test when it is accepted. The ledger must be as before. */
  refusal(command: Command): Refusal {
    const before = JSON.stringify([...this.ledger.transactions.values()])
    let refused: Refusal | undefined
    try {
      decide(this.ledger, command, this.stamp())
    } catch (error) {
      refused = error as Refusal
    }
    expect(JSON.stringify([...this.ledger.transactions.values()])).toBe(before)
    expect(refused?.name).toBe('Refusal')
    return refused as Refusal
  }

  stamp(): Stamp {
    ids += 1
    return { at: this.at, transactionId: String(ids), authCode: '123456' }
  }

  #step(command: Command): readonly Event[] {
    const events = decide(this.ledger, command, this.stamp())
    for (const event of events) evolve(this.ledger, event, this.at)
    this.entries.push({ at: this.at, events })
    return events
  }
}

/** A command as a handler would make it. */
export function request<T extends Exclude<Command['type'], 'wake' | 'set-terminal' | 'queue-outcome'>>(
  type: T,
  input: object,
  outcome: string | null = null,
): Command {
  return { type, input, fingerprint: 'same', outcome } as unknown as Command
}

let count = 0
export const newId = (prefix = 'R'): string => `${prefix}-${++count}`

/** A sale of that many minor units. */
export const saleOf = (amount: number, more: object = {}, outcome: string | null = null): Command =>
  request('sale', { transactionRequestId: newId(), amount, priceCurrency: 'USD', ...more }, outcome)

/** A follow-up on a transaction. */
export const on = (
  type: 'incremental-auth' | 'post-auth' | 'refund' | 'void' | 'abort' | 'tip-adjust',
  original: Transaction,
  more: object = {},
  outcome: string | null = null,
): Command =>
  request(type, { transactionRequestId: newId(), originalTransactionId: original.id, ...more }, outcome)
