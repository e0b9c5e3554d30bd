import { DatabaseAway } from '../../sandbox/store/postgres/connection/database-errors.ts'
import { durationInWords } from '../../shared/text/duration-words.ts'
import { elapsedTime, sleep } from '../../shared/timers.ts'
import { type ClusterHost, leave } from './cluster-host.ts'
import type { SpaceRegistry } from './space-registry.ts'

interface UpkeepOptions {
  readonly registry: SpaceRegistry
  readonly spaces: ClusterHost
  /** Time without use after which a space leaves memory. Milliseconds. assumption: spaces */
  readonly idleMs: number
  readonly report: (message: string, error: Error) => void
  /** Called when the database answered. */
  readonly answered: () => void
}

/** Pause between two rounds of the upkeep. Milliseconds. */
const pause = 500

/** Most spaces that a node takes over at once, so that other nodes get some too. */
const mostAtOnce = 20

/**
 * Starts what a node does for the spaces of its database without a request: it deletes those that expired,
 * takes over those whose node died or that are due, closes idle ones, and leaves nodes that no longer serve a
 * space. A failure is reported, and tried again. Returns what ends it.
 */
export function startUpkeep({ registry, spaces, idleMs, report, answered }: UpkeepOptions): () => void {
  const busy = new Set<string>()
  const over = new AbortController()
  /** Runs work on a space unless some is under way; nothing else waits for it. */
  const apart = (name: string, work: () => Promise<unknown>) => {
    if (busy.has(name) || over.signal.aborted) return
    busy.add(name)
    void spaces.reportFailure(work()).finally(() => busy.delete(name))
  }
  const look = async () => {
    const away = spaces.slots.filter(({ elsewhere }) => elsewhere !== null)
    const most = Math.max(0, mostAtOnce - busy.size)
    const names = away.map(({ name }) => name)
    const { ended, wanted, owners } = await registry.survey(most, names)
    for (const name of ended) apart(name, () => spaces.end(name))
    for (const slot of away) if (owners[slot.name] !== slot.elsewhere?.url) leave(slot)
    for (const name of wanted) apart(name, () => spaces.enter(spaces.slotOf(name)))
    for (const { name, space } of spaces.slots) apart(name, () => space.closeIfIdle(idleMs))
    spaces.forgetUnused()
  }
  const run = async () => {
    while (true) {
      await sleep(pause, over.signal)
      if (over.signal.aborted) return
      await look().then(answered, (error: Error) =>
        report(`the spaces of the database could not be looked at: ${error.message}`, error),
      )
    }
  }
  void run()
  return () => over.abort()
}

/** Time after which an equal message is reported again. Milliseconds. */
const reminder = 30_000

/**
 * Limits the messages of a node: while its database is away, or a right is missing, everything that needs it
 * fails each second. An outage is reported when it begins and when it ends; any other message at most every
 * 30 s. `elapsed`: a monotonic clock, in milliseconds.
 */
export function outageReport(tell: (message: string) => void, elapsed = elapsedTime) {
  /** When each message was last reported. */
  const reportedAt = new Map<string, number>()
  let outage: { readonly since: number; readonly database: string } | null = null
  const report = (message: string, error?: Error): void => {
    const away = outageBehind(error)
    const now = elapsed()
    if (away !== undefined) {
      if (outage === null) tell(`${away.message}. Requests are refused with 503 until it does`)
      outage ??= { since: now, database: away.shown }
      return
    }
    for (const [reported, at] of reportedAt) if (now - at >= reminder) reportedAt.delete(reported)
    if (reportedAt.has(message)) return
    tell(message)
    reportedAt.set(message, now)
  }
  /** The database answered again. */
  const answered = (): void => {
    if (outage === null) return
    const { since, database } = outage
    outage = null
    tell(`the database ${database} answers again, after ${durationInWords(elapsed() - since)}`)
  }
  return { report, answered }
}

/** The DatabaseAway that caused an error. */
function outageBehind(error: unknown): DatabaseAway | undefined {
  if (!(error instanceof Error)) return undefined
  return error instanceof DatabaseAway ? error : outageBehind(error.cause)
}
