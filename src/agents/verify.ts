import type { Verdict } from '../contract/control/webhook-signing.ts'
import { verdictBy } from '../contract/signature/verify-webhook.ts'
import { wallTime } from '../shared/timers.ts'
import type { SelfClient } from './self-client.ts'

/** A webhook to verify: a notification by its id, or what a server received. */
interface Questioned {
  readonly id?: string | null | undefined
  readonly headers?: Readonly<Record<string, string>> | null | undefined
  readonly body?: string | null | undefined
  readonly merchantId?: string | null | undefined
}

/** Verifies a webhook as a strict receiver does, with the secret of its application. */
export async function verdictOn(self: SelfClient, questioned: Questioned): Promise<Verdict> {
  const { headers, body, merchantId, now } = await receivedWebhook(self, questioned)
  return verdictBy(await self.control('webhook-secret', { merchantId }), { headers, body }, now)
}

/** What was received, whose it is, and when it is verified: Unix time in milliseconds. */
async function receivedWebhook(self: SelfClient, { id, headers, body, merchantId }: Questioned) {
  if (id == null) {
    if (headers == null || body == null)
      throw new Error('Name a notification by id, or give headers and body as your server received them')
    return { headers: inLowerCase(headers), body, merchantId: merchantId ?? undefined, now: wallTime() }
  }
  const { deliveries } = await self.control('webhook', {}, { id })
  const [delivery] = deliveries.filter(({ tries }) => tries.length > 0)
  const attempt = delivery?.tries.at(-1)
  if (delivery === undefined || attempt === undefined)
    throw new Error(`The notification ${id} was not sent yet: there is nothing to verify`)
  const sent = inLowerCase(attempt.requestHeaders)
  return {
    headers: sent,
    body: attempt.requestBody,
    merchantId: delivery.merchantId,
    now: Number(sent['x-timestamp'] ?? Number(sent['webhook-timestamp']) * 1000), // as fresh as when it was sent
  }
}

const inLowerCase = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
