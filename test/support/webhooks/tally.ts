import { setTimeout as sleep } from 'node:timers/promises'
import { verifyWebhook } from '../../../src/contract/signature/verify-webhook.ts'
import { type Ask, dataOf } from '../service/ask.ts'
import { openReceiver } from './webhook-receiver.ts'

/** A receiver that keeps of each notification only that it came. */
export type Tally = Awaited<ReturnType<typeof openTally>>

/** How a notification is written in a tally; `event`: null for the result. */
export const tallied = (path: string, transactionId: string, event: string | null): string =>
  `${path} ${transactionId} ${event ?? 'result'}`

/**
 * Opens a receiver, which is gone after the test. `secret`: of the signatures, null where they are not looked at; `refuses`:
 * whether the next POST is answered 503; `note` is told what came.
 */
export async function openTally(
  secret: string | null,
  {
    refuses = () => false,
    note = () => undefined,
  }: { readonly refuses?: () => boolean; readonly note?: (came: string) => void } = {},
) {
  /** Notifications that came and were answered 200, as `tallied` writes them, in their order. */
  const came = new Set<string>()
  /** What was wrong with a signature. */
  const problems: string[] = []
  let posts = 0
  const { url, arrivals } = await openReceiver((arrival, response) => {
    arrivals.length = 0 // they would be many
    posts += 1
    if (secret !== null) {
      const headers = arrival.headers as Record<string, string>
      const verdict = verifyWebhook({ headers, body: arrival.body }, secret, Date.now())
      if (!verdict.valid) problems.push(`a webhook is signed wrong: ${verdict.why}`)
    }
    const refused = refuses()
    const key = tallied(arrival.path, arrival.json.transactionId, arrival.json.eventType ?? null)
    if (!refused) {
      came.add(key)
      note(key)
    }
    response.writeHead(refused ? 503 : 200).end()
  })
  return { url, came, problems, posts: () => posts }
}

/** Waits until a sandbox has sent its webhooks, so many milliseconds at most; resolves to how many still wait. */
export async function untilSent(ask: Ask, within: number): Promise<number> {
  for (const end = Date.now() + within; ; await sleep(10)) {
    const { webhooks } = dataOf(await ask('GET', '/_sandbox/state'), 'state')
    if (webhooks.pending === 0 || Date.now() > end) return webhooks.pending
  }
}
