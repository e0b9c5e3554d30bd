import { verifyWebhook } from '../../../src/signature/verify-webhook.ts'
import type { Random } from '../load/random.ts'
import { openReceiver } from './webhook-receiver.ts'

/** A receiver that keeps of each notification only that it came. */
export interface Tally {
  readonly url: string
  /** Notifications that came and were answered 200, as `path transactionId event`. */
  readonly came: Set<string>
  /** POSTs in all. */
  readonly posts: () => number
  /** What was wrong with a signature. */
  readonly problems: string[]
}

/** How a notification is written in a tally; `event`: null for the result. */
export const tallied = (path: string, transactionId: string, event: string | null): string =>
  `${path} ${transactionId} ${event ?? 'result'}`

/** Opens a receiver that answers a share of the POSTs with 503; `note` is told what came. It is gone after the test. */
export async function openTally(
  secret: string,
  random: Random,
  refusedShare: number,
  note: (came: string) => void = () => undefined,
): Promise<Tally> {
  const [came, problems] = [new Set<string>(), [] as string[]]
  let posts = 0
  const { url, arrivals } = await openReceiver((arrival, response) => {
    arrivals.length = 0 // they would be many
    posts += 1
    const headers = arrival.headers as Record<string, string>
    const verdict = verifyWebhook({ headers, body: arrival.body }, secret, Date.now())
    if (!verdict.valid) problems.push(`a webhook is signed wrong: ${verdict.why}`)
    const refused = random.happens(refusedShare)
    const key = tallied(arrival.path, arrival.json.transactionId, arrival.json.eventType ?? null)
    if (!refused) {
      came.add(key)
      note(key)
    }
    response.writeHead(refused ? 503 : 200).end()
  })
  return { url, came, problems, posts: () => posts }
}
