import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import { statusLetters } from '../../api/statuses.ts'
import type { StreamedNotification } from '../../api/webhooks.ts'
import type { Event } from '../../domain/events.ts'
import type { Ledger } from '../../domain/ledger.ts'
import { tells } from '../../domain/outbox.ts'
import type { Transaction } from '../../domain/transaction.ts'
import { type Signing, webhookHeaders } from '../../webhook/signature.ts'
import type { Call } from '../guard.ts'
import type { Sandbox } from '../sandbox.ts'
import { latestId, missedSince } from './missed.ts'
import { type Happened, notificationBody, notificationId, statusWhen } from './notification.ts'

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
        const { id: transactionId, tip } = transaction
        const notification = this.write(ledger, transaction, {
          transactionId,
          event: what,
          createdAt: at,
          status: statusWhen(event.type, transaction.status),
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

/**
 * Streams notifications as server-sent events, after those that were missed. Who asks for none is told the place where
 * the stream begins, an id without data, so that nothing is lost when it breaks off before the first one.
 * assumption: event-stream
 */
export function streamEvents(sandbox: Sandbox, call: Call): Response {
  const last = call.req.header('last-event-id')
  return streamSSE(call, async (stream) => {
    const waiting: StreamedNotification[] = []
    let missed: readonly StreamedNotification[] = []
    let known = new Set<string>()
    let wake = () => {}
    const quiet = sandbox.announcer.listen((notification) => {
      if (known.delete(notification.id)) return
      waiting.push(notification)
      if (waiting.length > mostWaiting) stream.abort()
      wake()
    })
    stream.onAbort(() => wake())
    sandbox.streams.add(stream)
    try {
      if (last === undefined) await stream.write(`id: ${latestId(sandbox)}\n\n`)
      else
        do {
          // The state may hold what is not durable yet, and is announced when it is.
          missed = missedSince(sandbox, last)
          known = new Set(missed.map(({ id }) => id))
          waiting.length = 0
        } while (!(await sandbox.engine.written()))
      for (const each of missed) {
        if (stream.aborted || sandbox.stopping) break
        await tell(stream, each)
      }
      while (!stream.aborted && !sandbox.stopping) {
        const next = waiting.shift()
        if (next !== undefined) await tell(stream, next)
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

const tell = (stream: SSEStreamingApi, notification: StreamedNotification): Promise<void> =>
  stream.writeSSE({ id: notification.id, event: notification.kind, data: JSON.stringify(notification) })
