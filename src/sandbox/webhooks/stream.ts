import { streamSSE } from 'hono/streaming'
import { statusLetters } from '../../api/statuses.ts'
import type { StreamedNotification } from '../../api/webhooks.ts'
import type { Event } from '../../domain/events.ts'
import type { Ledger } from '../../domain/ledger.ts'
import { tells } from '../../domain/outbox.ts'
import type { Transaction } from '../../domain/transaction.ts'
import { type Signing, webhookHeaders } from '../../webhook/signature.ts'
import type { Call } from '../guard.ts'
import type { Sandbox } from '../sandbox.ts'
import { missedSince } from './missed.ts'
import { type Happened, notificationBody, notificationId } from './notification.ts'

/** Somebody who listens to every notification. */
type Listener = (notification: StreamedNotification) => void

/** Tells listeners what happens, once it is durable. It costs nothing while nobody listens. */
export class Announcer {
  readonly #listeners = new Set<Listener>()
  readonly #signingOf: (ledger: Ledger) => Signing
  readonly #wall: () => number

  constructor(signingOf: (ledger: Ledger) => Signing, wall: () => number) {
    this.#signingOf = signingOf
    this.#wall = wall
  }

  /** Returns how to stop listening. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get heard(): boolean {
    return this.#listeners.size > 0
  }

  /** Events of a ledger became durable. */
  announce(ledger: Ledger, events: readonly Event[], at: number): void {
    if (!this.heard) return
    for (const event of events) {
      const transaction = 'id' in event ? ledger.transactions.get(event.id) : undefined
      if (transaction === undefined) continue
      for (const what of tells(event, transaction)) {
        const { id: transactionId, status, tip } = transaction
        const notification = this.write(ledger, transaction, {
          transactionId,
          event: what,
          createdAt: at,
          status,
          tip,
        })
        for (const listener of this.#listeners) listener(notification)
      }
    }
  }

  /** A notification as it would be sent now. */
  write(ledger: Ledger, transaction: Transaction, happened: Happened): StreamedNotification {
    const { merchantId } = ledger.settings
    const id = notificationId(merchantId, happened)
    const body = notificationBody(ledger, happened)
    return {
      id,
      kind: happened.event === null ? 'payment' : 'terminal',
      event: happened.event,
      merchantId,
      transactionId: transaction.id,
      transactionStatus: statusLetters[happened.status],
      terminalSn: transaction.terminalSn,
      headers: webhookHeaders(this.#signingOf(ledger), { id, at: this.#wall(), body }),
      body,
    }
  }
}

/** Notifications that wait for a slow reader at most; then it is dropped, and may come back for what it missed. */
const mostWaiting = 10_000

/** A sign of life for what stands between. Milliseconds. */
const heartbeat = 15_000

/** Streams notifications as server-sent events, after those that were missed. assumption: event-stream */
export function streamEvents(sandbox: Sandbox, call: Call): Response {
  const last = call.req.header('last-event-id')
  return streamSSE(call, async (stream) => {
    const waiting: StreamedNotification[] = [...missedSince(sandbox, last)]
    let wake = () => {}
    const quiet = sandbox.announcer.listen((notification) => {
      waiting.push(notification)
      if (waiting.length > mostWaiting) stream.abort()
      wake()
    })
    stream.onAbort(() => wake())
    sandbox.streams.add(stream)
    try {
      while (!stream.aborted && !sandbox.stopping) {
        const next = waiting.shift()
        if (next !== undefined)
          await stream.writeSSE({ id: next.id, event: next.kind, data: JSON.stringify(next) })
        else {
          const beat = setTimeout(() => wake(), heartbeat)
          const began = performance.now()
          await new Promise<void>((resolve) => {
            wake = resolve
          })
          clearTimeout(beat)
          if (performance.now() - began >= heartbeat - 10) await stream.write(': still here\n\n')
        }
      }
    } finally {
      sandbox.streams.delete(stream)
      quiet()
    }
  })
}
