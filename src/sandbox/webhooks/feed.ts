import type { Sandbox } from '../sandbox.ts'
import type { News } from './announcer.ts'
import { latestId, missedSince } from './missed.ts'
import { notificationId } from './notification.ts'

/** News that wait for a slow reader at most; what comes beyond them is read again from the transactions. */
const mostWaiting = 10_000

/** What somebody follows. */
export interface Feed {
  /** Id of the notification after which it begins. */
  readonly begins: string
  /** What was missed, then what happens, as it becomes durable; until `signal`. */
  readonly news: AsyncGenerator<News>
}

/**
 * Follows what happens, after the notification of that id; without one from now on. Nothing is left out however slow
 * the reader is, and no more than `room` is kept for it. assumption: event-stream
 */
export function follow(
  { engine, announcer }: Pick<Sandbox, 'engine' | 'announcer'>,
  lastId: string | undefined,
  signal: AbortSignal,
  room = mostWaiting,
): Feed {
  const begins = lastId ?? latestId(engine.book)
  const waiting: News[] = []
  /** `order` of the earliest that found no room. */
  let lost: number | undefined
  /** Of each ledger the last entry that was read from the transactions: it may be announced only later. */
  const read = new Map<string, number>()
  let place: News | undefined
  let wake = () => {}
  const quiet = announcer.listen((news, sequence) => {
    if (sequence <= (read.get(news.merchantId) ?? 0)) return
    if (lost === undefined && waiting.length < room) waiting.push(news)
    else lost = Math.min(lost ?? news.order, news.order)
    wake()
  })
  signal.addEventListener('abort', () => {
    quiet()
    wake()
  })

  /** What was missed, as far as it is durable; undefined when it could not be written, and is another now. */
  async function readAgain(): Promise<readonly News[] | undefined> {
    for (const { settings, sequence } of engine.book.ledgers.values()) read.set(settings.merchantId, sequence)
    const since = lost
    lost = undefined
    waiting.length = 0
    const missed = missedSince(engine.book, place === undefined ? begins : idOf(place), since)
    if (await engine.written()) return missed
    lost = since
    return undefined
  }

  async function* news(): AsyncGenerator<News> {
    let behind = lastId !== undefined
    try {
      while (!signal.aborted) {
        const missed = behind ? await readAgain() : []
        behind = missed === undefined
        for (const each of missed ?? []) {
          if (signal.aborted) return
          place = each
          yield each
        }
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          if (signal.aborted) return
          place = next
          yield next
        }
        if (lost !== undefined) behind = true
        if (!behind && waiting.length === 0 && !signal.aborted)
          await new Promise<void>((resolve) => {
            wake = resolve
          })
      }
    } finally {
      quiet()
    }
  }

  return { begins, news: news() }
}

/** Id of the notification. */
export const idOf = (news: News): string => notificationId(news.merchantId, news)
