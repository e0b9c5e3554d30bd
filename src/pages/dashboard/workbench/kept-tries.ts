import type { AttemptView } from '../../../contract/sandbox/webhooks.ts'
import type { Values } from '../../frame/page-view.tsx'

const most = { records: 50, tries: 20 }

/** What was sent from the workbench of a record, in memory alone. assumption: page-requests */
export class KeptTries<T> {
  readonly #byRecord = new Map<string, readonly T[]>()

  /** Tries of a record, the oldest first. */
  of(record: string): readonly T[] {
    return this.#byRecord.get(record) ?? []
  }

  add(record: string, made: T): void {
    const tries = [...this.of(record), made].slice(-most.tries)
    this.#byRecord.delete(record) // the latest is the last one to be forgotten
    this.#byRecord.set(record, tries)
    const [oldest] = this.#byRecord.keys()
    if (this.#byRecord.size > most.records && oldest !== undefined) this.#byRecord.delete(oldest)
  }
}

/** An edited webhook that was sent once: as it was typed, and what came of it. */
export interface EditedTry {
  readonly values: Values
  readonly sent: AttemptView
}
