import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { asText, parseJson } from '../../../client/tolerant.ts'
import { readBounded, webhookBounds } from '../../../contract/transport/bounded-body.ts'
import { isObject } from '../../../shared/is-object.ts'
import { elapsedTime } from '../../../shared/timers.ts'

/** A webhook that arrived. */
export interface ReceivedWebhook {
  /** By a monotonic clock, in milliseconds. */
  readonly at: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** As received, byte for byte. */
  readonly text: string
  readonly body: Readonly<Record<string, unknown>>
  /** X-Client-Request-Id: the same for each attempt to deliver a notification. */
  readonly id: string | undefined
  readonly transactionId: string | undefined
  readonly status: string | undefined
  /** Name of a terminal event; undefined for a result. */
  readonly event: string | undefined
}

/** What arrives for one run of a scenario. */
export interface Inbox {
  readonly url: string
  readonly posts: readonly ReceivedWebhook[]
  /** Answers the next `times` webhooks with this status, then 200 again. */
  answerWith(status: number, times?: number): void
}

/** A receiver of webhooks on this machine. */
export interface InboxReceiver {
  /** An inbox with its own URL: webhooks of other scenarios do not arrive there. */
  open(): Inbox
  close(): Promise<void>
}

/** Starts a receiver on a free port of loopback. */
export async function startReceiver(): Promise<InboxReceiver> {
  const inboxes = new Map<string, (post: ReceivedWebhook) => number>()
  const server = createServer((request, response) => {
    readBounded(request, webhookBounds)
      .then((bytes) => {
        const receive = inboxes.get(request.url ?? '')
        const status = receive?.(readWebhook(request.headers, bytes.toString())) ?? 404
        response.writeHead(status, { 'Content-Type': 'application/json' }).end('{"code":"0"}')
      })
      .catch(() => response.destroy()) // the sender is gone
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    open: () => {
      const path = `/${inboxes.size + 1}`
      const posts: ReceivedWebhook[] = []
      let answer = { status: 200, left: 0 }
      inboxes.set(path, (post) => {
        posts.push(post)
        if (answer.left <= 0) return 200
        answer.left -= 1
        return answer.status
      })
      return {
        url: `http://127.0.0.1:${port}${path}`,
        posts,
        answerWith: (status, times = Number.POSITIVE_INFINITY) => {
          answer = { status, left: times }
        },
      }
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function readWebhook(headers: ReceivedWebhook['headers'], text: string): ReceivedWebhook {
  const parsed = parseJson(text)
  const body = isObject(parsed) ? parsed : {}
  return {
    at: elapsedTime(),
    headers,
    text,
    body,
    id: asText(headers['x-client-request-id']),
    transactionId: asText(body.transactionId),
    status: asText(body.transactionStatus),
    event: asText(body.eventType),
  }
}
