import { type Event, isOfSameTransaction } from '../../domain/model/events.ts'
import type { Ledger } from '../../domain/model/ledger.ts'
import type { JournalEntry, ReadonlyState, State } from '../../domain/state.ts'
import type { DueEndpoint } from './schedule.ts'

/** Why the state was replaced: it was read back after a failed write, or a command replaced it. */
export type Replacement = 'reread' | 'other'

/** Is informed of durable changes of the state, which may therefore be shown. */
export interface Subscriber {
  /** The events of the entry changed the ledger. */
  durable?(ledger: Ledger, entry: JournalEntry): void
  /** That state may replace this one: does in turns what takes long. No entry changes either meanwhile. */
  prepare?(state: State): Promise<void>
  /** The whole state is replaced: another one is stored. `state`: the one that ends. */
  replacing?(state: ReadonlyState): void
  /** Another state replaced the previous one. */
  replaced?(state: State, cause: Replacement): void
}

/** Work outside the state that falls due by the sandbox clock, such as sending webhooks. */
export interface BackgroundWork extends Subscriber {
  /** True when something waits to be done. */
  readonly hasWork: boolean
  /** Sandbox time of its next work, if any. */
  earliest(): number | undefined
  /** The next work at each endpoint, the earliest first. */
  ahead(most: number): DueEndpoint[]
  runDue(): void
  /** Resolves when no work is under way. */
  idle(): Promise<void>
  /** A write failed: pauses before new work starts. */
  hold(): void
  /** The clock was changed. */
  rearm(): void
}

/** Topics that a page or a stream can watch. */
export type Topic =
  | 'transactions'
  | 'terminals'
  | 'webhooks'
  | 'requests'
  | 'faults'
  | `transaction ${string}`
  | `terminal ${string}`

/** Waits for a change of any of its topics. */
interface Watcher {
  readonly topics: readonly Topic[]
  readonly wake: () => void
}

/**
 * Tells watchers that a topic changed, once the change is durable. Watchers then read the new state
 * themselves and watch again: slow watchers cost nothing, and without watchers nothing is computed.
 */
export class Changes implements Subscriber {
  readonly #watchers = new Map<Topic, Set<Watcher>>()

  /** Calls `wake` at the next change of any of the topics, once; never after the result was called. */
  next(topics: readonly Topic[], wake: () => void): () => void {
    const watcher = { topics, wake }
    for (const topic of topics) {
      const watchers = this.#watchers.get(topic)
      if (watchers === undefined) this.#watchers.set(topic, new Set([watcher]))
      else watchers.add(watcher)
    }
    return () => this.#remove(watcher)
  }

  tell(topic: Topic): void {
    for (const watcher of [...(this.#watchers.get(topic) ?? [])]) {
      this.#remove(watcher)
      watcher.wake()
    }
  }

  #remove(watcher: Watcher): void {
    for (const topic of watcher.topics) {
      const watchers = this.#watchers.get(topic)
      watchers?.delete(watcher)
      if (watchers?.size === 0) this.#watchers.delete(topic)
    }
  }

  /** Wakes every watcher, after a change of the whole state or of the clock. */
  tellAll(): void {
    for (const topic of [...this.#watchers.keys()]) this.tell(topic)
  }

  replaced(): void {
    this.tellAll()
  }

  durable(ledger: Ledger, { events }: Pick<JournalEntry, 'events'>): void {
    if (this.#watchers.size === 0) return
    const topics = new Set<Topic>()
    for (const [index, event] of events.entries()) {
      if (isOfSameTransaction(event, events[index - 1])) continue
      for (const topic of topicsOf(ledger, event)) topics.add(topic)
    }
    for (const topic of topics) this.tell(topic)
  }
}

function topicsOf(ledger: Ledger, event: Event): readonly Topic[] {
  if (event.type === 'delivery-attempted' || event.type === 'delivery-again') {
    const delivery = ledger.outbox.deliveries.get(event.number)
    return delivery === undefined ? ['webhooks'] : ['webhooks', `transaction ${delivery.transactionId}`]
  }
  if (event.type === 'delivery-posted') return ['webhooks', `transaction ${event.transactionId}`]
  if (event.type === 'terminal-set' || event.type === 'terminal-unpaired' || event.type === 'terminal-paired')
    return ['terminals', `terminal ${event.profile.terminalSn}`]
  if (event.type === 'terminal-removed') return ['terminals', `terminal ${event.terminalSn}`]
  if (event.type === 'outcome-queued' || event.type === 'batch-closed')
    return ['transactions', 'terminals', `terminal ${event.terminalSn}`]
  if (!('id' in event)) return []
  const { terminalSn, inCloud } = ledger.transactions.get(event.id) ?? {}
  return [
    'transactions',
    ...chainTopics(ledger, event.id),
    ...(terminalSn && !inCloud ? (['terminals', `terminal ${terminalSn}`] as const) : []),
  ]
}

/** The transaction, its original, and so on up to the first of the chain: each page shows the whole chain. */
function chainTopics(ledger: Ledger, id: string): Topic[] {
  const line: Topic[] = []
  for (let each: string | null = id; each !== null; each = ledger.transactions.get(each)?.originalId ?? null)
    line.push(`transaction ${each}`)
  return line
}
