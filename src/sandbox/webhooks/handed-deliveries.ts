import { randomUUID } from 'node:crypto'
import type { ControlInput } from '../../contract/control/controls/controls.ts'
import { hiddenMark } from '../../contract/control/request-log-answers.ts'
import { receiverTimeout } from '../../contract/control/webhook-delivery.ts'
import type { HandedDelivery } from '../../contract/control/webhook-stream.ts'
import { clearTimeout, setTimeout, wallTime } from '../../shared/timers.ts'
import { notificationView } from './notifications/notification.ts'
import type { PostResult, ReadyAttempt, Transport } from './post.ts'

type Report = ControlInput<'report-attempt'>

/** The event stream of a listener. */
export interface ListenerStream {
  readonly send: (handed: HandedDelivery) => void
  /** Aborts when the stream ends. */
  readonly ended: AbortSignal
  /** Ends the stream of a listener that does not report. */
  readonly drop: () => void
  /** Names of the headers that the listener adds to each request. */
  readonly addedHeaders: readonly string[]
}

/** Longest time from a delivery to its report: the receiver's time and the connections'. Milliseconds. */
const longest = receiverTimeout + 10_000

/** Deliveries that listeners were handed, until they report what came of them. */
export class HandedDeliveries {
  readonly #waiting = new Map<string, (report: Report) => void>()

  /** A transport that hands each delivery to a listener, and waits for its report. */
  transport(stream: ListenerStream): Transport {
    return (ready, signal) =>
      new Promise((resolve) => {
        const id = randomUUID()
        const at = wallTime()
        const { url } = ready.delivery
        const added = Object.fromEntries(stream.addedHeaders.map((name) => [name, hiddenMark]))
        const { requestHeaders, requestBody } = ready.request
        const sent = { at, url, requestHeaders: { ...requestHeaders, ...added }, requestBody }
        const end = (result: PostResult) => {
          clearTimeout(late)
          this.#waiting.delete(id)
          for (const each of [signal, stream.ended]) each.removeEventListener('abort', cutOff)
          resolve(result)
        }
        const cutOff = () => {
          const none = { status: null, responseHeaders: {}, responseBody: '' }
          const error = 'cut off: tillbox listen or the sandbox was stopped'
          const attempt = { ...sent, ...none, durationMs: wallTime() - at, error }
          end({ attempt, refused: false, unreachable: false, isCutOff: true })
        }
        const late = setTimeout(stream.drop, longest)
        for (const each of [signal, stream.ended]) each.addEventListener('abort', cutOff)
        this.#waiting.set(id, (reported) => {
          const { status = null, error = null, responseHeaders, responseBody, durationMs } = reported
          const unreachable = reported.unreachable === true
          const attempt = { ...sent, responseHeaders, responseBody, durationMs, status, error }
          end({ attempt, refused: false, unreachable, isCutOff: false })
        })
        if (signal.aborted || stream.ended.aborted) cutOff()
        else stream.send({ ...toHandedDelivery(ready), handed: id })
      })
  }

  /** A listener reports an attempt; returns false for one that is over. */
  report(reported: Report): boolean {
    const done = this.#waiting.get(reported.handed)
    done?.(reported)
    return done !== undefined
  }
}

/** A delivery as a listener gets it. */
export function toHandedDelivery({
  ledger,
  delivery,
  attempt,
  fault,
  retryMs,
  request,
}: ReadyAttempt): HandedDelivery {
  const terminalSn = ledger.transactions.get(delivery.transactionId)?.terminalSn ?? null
  return {
    handed: null,
    attempt,
    resends: delivery.round ?? 0,
    fault,
    retryMs,
    notification: {
      ...notificationView(ledger, delivery),
      terminalSn,
      headers: request?.requestHeaders ?? {},
      body: request?.requestBody ?? '',
    },
  }
}
