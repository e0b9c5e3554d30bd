import type { AttemptView } from '../../../contract/control/webhooks.ts'

/** An edited webhook that was sent once: as it was typed, and what came of it. */
export interface EditedTry {
  readonly values: Readonly<Record<string, string>>
  readonly sent: AttemptView
}

const mostKept = { webhooks: 50, tries: 20 }

/** What was sent from the editors of webhooks, in memory alone. assumption: page-requests */
export class KeptTries {
  readonly #byWebhook = new Map<string, readonly EditedTry[]>()

  /** Tries of a webhook, the oldest first. */
  of(id: string): readonly EditedTry[] {
    return this.#byWebhook.get(id) ?? []
  }

  add(id: string, made: EditedTry): void {
    const tries = [...this.of(id), made].slice(-mostKept.tries)
    this.#byWebhook.delete(id) // the latest is the last one to be forgotten
    this.#byWebhook.set(id, tries)
    const [oldest] = this.#byWebhook.keys()
    if (this.#byWebhook.size > mostKept.webhooks && oldest !== undefined) this.#byWebhook.delete(oldest)
  }
}
