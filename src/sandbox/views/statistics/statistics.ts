import type { BatchClose, Ledger } from '../../../domain/model/ledger.ts'
import type { JournalEntry, ReadonlyState } from '../../../domain/state.ts'
import { firstIndex } from '../../../shared/first-index.ts'
import type { Subscriber } from '../../engine/changes.ts'
import type { LedgerDelivery } from '../../webhooks/deliveries.ts'
import { searchLimit, walk } from '../search-walk.ts'
import type { OwnedTransaction } from '../transaction-text.ts'
import { DeliveryRegister } from './delivery-register.ts'
import { type Figures, figuresOf } from './figures.ts'

/** Transactions in their order, found by id. */
export interface TransactionList {
  /** Oldest first; ids ascend. */
  readonly transactions: readonly OwnedTransaction[]
}

/** Index of the transaction with that id, or the index it would have. */
export const transactionIndex = ({ transactions }: TransactionList, id: string): number =>
  firstIndex(transactions, Number(id), ({ transaction }) => Number(transaction.id))

/** Sums of the matching transactions among the newest, up to the limit of a search. */
export interface Survey {
  /** At the times of opening. */
  readonly figures: Figures
  /** Number of the newest that were read; null: all of them. */
  readonly looked: number | null
}

/** Looks at the newest, in turns of the event loop. */
export async function takeSurvey(
  { transactions }: TransactionList,
  matches: (owned: OwnedTransaction) => boolean,
): Promise<Survey> {
  const found: OwnedTransaction[] = []
  const last = await walk(transactions, transactions.length - 1, (owned) => {
    if (matches(owned)) found.push(owned)
    return true
  })
  return { figures: figuresOf(found), looked: last <= 0 ? null : searchLimit }
}

/** A batch close and its ledger. */
export interface CountedClose {
  readonly ledger: Ledger
  readonly close: BatchClose
}

/** Most surveys that are kept: one for each view that people switch between. */
const mostSurveys = 8

/** Transactions, deliveries and closes of one version of the state in order, counted when asked for. */
export class Register implements TransactionList {
  readonly transactions: readonly OwnedTransaction[]
  readonly deliveries: DeliveryRegister
  /** Oldest first. */
  readonly closes: readonly CountedClose[]
  #figures: Figures | undefined
  readonly #surveys = new Map<string, Promise<Survey>>()

  constructor({ ledgers }: ReadonlyState, { transactions, deliveries }: Records) {
    this.transactions = transactions
    this.deliveries = new DeliveryRegister(deliveries)
    this.closes = [...ledgers.values()]
      .flatMap((ledger) => [...ledger.closes.values()].map((close) => ({ ledger, close })))
      .sort((one, other) => one.close.closedAt - other.close.closedAt)
  }

  /** Sums at the times of opening. */
  get figures(): Figures {
    this.#figures ??= figuresOf(this.transactions)
    return this.#figures
  }

  find(id: string): OwnedTransaction | undefined {
    const found = this.transactions[transactionIndex(this, id)]
    return found?.transaction.id === id ? found : undefined
  }

  /** The transactions of those orders, oldest first. */
  ofOrders(orderIds: ReadonlySet<string | null>): readonly OwnedTransaction[] {
    return this.transactions.filter(({ transaction }) => orderIds.has(transaction.orderId))
  }

  /** The survey of a view. `view`: key that identifies it. */
  survey(view: string, matches: (owned: OwnedTransaction) => boolean): Promise<Survey> {
    const survey = this.#surveys.get(view) ?? takeSurvey(this, matches)
    if (this.#surveys.size === mostSurveys) this.#surveys.clear()
    this.#surveys.set(view, survey)
    return survey
  }
}

/** Every transaction and delivery with its ledger, in order. They are only added: what is known stays. */
class Records {
  transactions: readonly OwnedTransaction[] = []
  deliveries: readonly LedgerDelivery[] = []
  readonly #added = new Map<Ledger, { readonly transactions: number; readonly deliveries: number }>()

  /** Adds what is new. */
  follow({ ledgers }: ReadonlyState): this {
    const transactions: OwnedTransaction[] = []
    const deliveries: LedgerDelivery[] = []
    for (const ledger of ledgers.values()) {
      const added = this.#added.get(ledger) ?? { transactions: 0, deliveries: 0 }
      for (const transaction of ledger.transactions.since(added.transactions))
        transactions.push({ ledger, transaction })
      const { lastNumber, deliveries: all } = ledger.outbox
      for (let number = added.deliveries + 1; number <= lastNumber; number++) {
        const delivery = all.get(number)
        if (delivery !== undefined) deliveries.push({ ledger, delivery })
      }
      this.#added.set(ledger, { transactions: ledger.transactions.size, deliveries: lastNumber })
    }
    transactions.sort(byId)
    deliveries.sort((one, other) => one.delivery.createdAt - other.delivery.createdAt)
    this.transactions = this.transactions.concat(transactions)
    this.deliveries = this.deliveries.concat(deliveries)
    return this
  }
}

/** Numbers as they are written: to read 100,000 ids as numbers takes as long as a page may. */
function byId({ transaction: one }: OwnedTransaction, { transaction: other }: OwnedTransaction): number {
  return one.id.length - other.id.length || (one.id < other.id ? -1 : 1)
}

/** Sums and sorted records for pages, made when a page asks for the first time after a change. */
export class Statistics implements Subscriber {
  #records = new Records()
  #register: Register | null = null

  constructor(private readonly state: () => ReadonlyState) {}

  get current(): Register {
    this.#register ??= new Register(this.state(), this.#records.follow(this.state()))
    return this.#register
  }

  durable(_: Ledger, { events }: JournalEntry): void {
    if (events.length > 0) this.#register = null
  }

  replaced(): void {
    this.#register = null
    this.#records = new Records()
  }
}
