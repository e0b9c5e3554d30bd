import { controlLimits } from '../../contract/control/control.ts'
import type { ControlAnswer } from '../../contract/control/controls/controls.ts'
import { answerTime, releaseTimeout } from '../../contract/control/webhook-delivery.ts'
import type { Verdict } from '../../contract/control/webhook-signing.ts'
import type {
  AttemptView,
  DeliveryState,
  DeliveryView,
  WebhookHold,
  WebhookStory,
} from '../../contract/control/webhooks.ts'
import { verdictBy } from '../../contract/signature/verify-webhook.ts'
import { wallTime } from '../../shared/timers.ts'
import type { CallControl } from './caller.ts'
import { InvalidOption } from './options.ts'
import { listFilter } from './test-payments.ts'
import { timeLimitMs, until, WaitFailed, type WaitOptions, waitedText } from './wait-for.ts'

/** A filter for deliveries; absent members match all. */
export interface DeliveryFilter {
  readonly state?: DeliveryState
  readonly transactionId?: string
  readonly order?: string
  readonly merchant?: string
  readonly since?: Date | string
  readonly limit?: number
}

/** Headers of a received webhook, in the form of Node, fetch or a framework. */
export type ReceivedHeaders =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | { forEach(each: (value: string, name: string) => void): void }

/** The notifications of the sandbox and their deliveries. */
export interface TestWebhooks {
  /**
   * Resolves when no delivery is pending: each was delivered, given up or held. A pending payment has none
   * yet: wait for it first. Errors: WaitFailed with the pending deliveries.
   */
  delivered(options?: WaitOptions): Promise<void>
  /** Resolves to the first acknowledged delivery that fits. Errors: WaitFailed with all deliveries. */
  waitFor(fits: (delivery: DeliveryView) => boolean, options?: WaitOptions): Promise<DeliveryView>
  /** Matching deliveries, the newest last. */
  list(filter?: DeliveryFilter): Promise<readonly DeliveryView[]>
  /** A notification with every attempt to deliver it. */
  get(id: string): Promise<WebhookStory>
  /** Sends notifications again with the same ids, to their own URLs or another; resolves to their ids. */
  resend(ids: string | readonly string[], options?: { readonly to?: string }): Promise<readonly string[]>
  /** Sends an edited notification of a transaction once; `set` replaces members of its body. */
  send(transactionId: string, options?: SendOptions): Promise<AttemptView>
  /** Holds every delivery from now on: it stays pending until it is released. */
  hold(): Promise<WebhookHold>
  /**
   * Sends held notifications now, in the order of the ids, one after another; resolves when each was
   * attempted. Without ids it ends the hold. Errors: ServiceRefusal for an id that is not held; then nothing
   * is sent.
   */
  release(ids?: string | readonly string[]): Promise<readonly DeliveryView[]>
  /** Checks signature and age of a received webhook as a careful receiver does; `body` as received. */
  verify(headers: ReceivedHeaders, body: string | Uint8Array): Promise<Verdict>
}

/** The edits of a notification. */
export interface SendOptions {
  readonly type?: 'payment' | 'terminal'
  readonly set?: Readonly<Record<string, string | number | boolean | null>>
  readonly to?: string
}

/** `ofMerchant`: the default merchant of lists; absent: all merchants. */
export function testWebhooks(call: CallControl, ofMerchant?: string, wall = wallTime): TestWebhooks {
  const list = async (filter: DeliveryFilter = {}) =>
    (await call('webhooks', { merchant: ofMerchant, ...listFilter(filter) })).deliveries
  return {
    delivered: async (options) => {
      const timeout = timeLimitMs(options)
      const timeoutMs = Math.min(timeout, controlLimits.webhookWait)
      const wanted = { delivered: true, timeoutMs, merchant: ofMerchant }
      const wait = await call('wait-for-webhooks', wanted, {}, timeoutMs + answerTime)
      if (!wait.reached) throw new WaitFailed(waitedText(pendingText(wait), timeout))
    },
    waitFor: async (fits, options) => {
      if (typeof fits !== 'function')
        throw new InvalidOption('fits', 'must be a function that takes a delivery')
      let last: readonly DeliveryView[] = []
      return until(
        async () => {
          last = await list()
          return last.find((delivery) => delivery.state === 'delivered' && fits(delivery))
        },
        () => `No delivered webhook fits${last.map(asLine).join('') || ': there are no webhooks'}`,
        options,
      )
    },
    list,
    get: (id) => call('webhook', undefined, { id }),
    resend: async (ids, options) =>
      (await call('resend-webhooks', { ids: typeof ids === 'string' ? [ids] : ids, ...options })).resent,
    send: (transactionId, options) => call('send-webhook', { transactionId, ...options }),
    hold: () => call('hold-webhooks', { hold: true }),
    release: async (ids) => {
      if (ids === undefined) return (await call('release-webhooks')).released
      const named = typeof ids === 'string' ? [ids] : ids
      const timeout = releaseTimeout(named.length)
      return (await call('release-webhooks', { ids: named }, {}, timeout)).released
    },
    verify: async (headers, body) => {
      const text = typeof body === 'string' ? body : Buffer.from(body).toString()
      const received = { headers: namesInLowerCase(headers), body: text }
      return verdictBy(await call('webhook-secret'), received, wall())
    },
  }
}

const pendingText = ({ pending, pendingCount }: ControlAnswer<'wait-for-webhooks'>): string =>
  `Webhooks are not delivered: ${pendingCount} pending${pending.map(asLine).join('')}${retryText(pending)}`

/** Hint for a wait without prospect: retries follow the sandbox clock, and the usual ones take minutes. */
const retryText = (pending: readonly DeliveryView[]): string =>
  pending.some(({ attempts }) => attempts > 0)
    ? "\nRetries wait for the sandbox clock: move it with clock.advance; where it runs, retries: 'fast' shortens them"
    : ''

const asLine = ({
  id,
  kind,
  event,
  transactionId,
  transactionStatus,
  url,
  state,
  attempts,
  last,
  nextAt,
}: DeliveryView) =>
  `\n  ${id} ${event ?? kind} ${transactionId} ${transactionStatus} to ${url}: ${state} after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}, last ${last ?? 'none'}${nextAt === null ? '' : `, next at ${nextAt}`}`

function namesInLowerCase(headers: ReceivedHeaders): Record<string, string | undefined> {
  const named: Record<string, string | undefined> = {}
  const add = (value: string | readonly string[] | undefined, name: string) => {
    named[name.toLowerCase()] = typeof value === 'string' ? value : value?.[0]
  }
  if (typeof headers.forEach === 'function') headers.forEach(add)
  else for (const [name, value] of Object.entries(headers)) add(value, name)
  return named
}
