import type { SandboxAddress } from '../../../client/discover.ts'
import { hiddenMark } from '../../../contract/sandbox/request-log-answers.ts'
import type { Retries } from '../../../contract/sandbox/retries.ts'
import type { DeliveryOrder, StreamedNotification } from '../../../contract/sandbox/webhooks.ts'
import { presenceText } from '../../../transport/until-answered.ts'
import { clean } from '../../output/clean.ts'
import { followNotifications } from '../follow-notifications.ts'
import { forwardOnce } from '../forward-webhook.ts'
import type { ListenerPosition } from '../listener-position.ts'
import { DeliveryLine, type ForwardAttempt } from './delivery-line.ts'
import { openLink } from './listener-link.ts'
import { untilPresent } from './receiver-presence.ts'

/** One endpoint that notifications are forwarded to. */
export interface ListenTarget {
  readonly url: URL
  readonly position: ListenerPosition
  /** Headers that are added to each notification. */
  readonly added: Readonly<Record<string, string>>
  readonly retries: Retries
  readonly order: DeliveryOrder
}

/** What all endpoints of a listener share. */
export interface ListenOptions {
  readonly find: () => Promise<SandboxAddress>
  readonly wants: (notification: StreamedNotification) => boolean
  /** Said when the first stream opens. */
  readonly ready: string
  readonly say: (text: string) => void
  readonly ended: AbortController
}

/**
 * Forwards notifications to one endpoint until the end: each through its line, every attempt reported to the sandbox, the
 * position kept. `tell` gets each attempt, and a function that sends it again. Errors: all but a lost connection.
 */
export async function listenToTarget(
  { url, position, added, retries, order }: ListenTarget,
  { find, wants, ready, say, ended }: ListenOptions,
  tell: (forwarded: ForwardAttempt, again: () => void) => Promise<void>,
): Promise<void> {
  const { signal } = ended
  let address = await find()
  const link = openLink(() => address, signal)
  const report = () => {
    const id = position.lastId()
    if (line.isCaughtUp && id !== undefined) link.reached(id)
  }
  const line = new DeliveryLine(
    {
      url,
      link,
      retries,
      order,
      signal,
      added: Object.fromEntries(Object.keys(added).map((name) => [name, hiddenMark])),
      post: ({ headers, body }) => forwardOnce(url, { ...headers, ...added }, body, signal),
      untilPresent: () => untilPresent(url, signal),
      changed: () => {
        const id = position.lastId()
        if (id !== undefined) position.advance(id, line.left)
        report()
      },
      tell: (forwarded) => tell(forwarded, () => line.resend(forwarded.notification.id)),
      presence: (gone) => say(`${clean(presenceText(url.href, gone))}\n`),
    },
    position.left,
  )
  const followed = followNotifications(
    {
      find: async () => {
        address = await find()
        return address
      },
      lastId: () => position.lastId(),
      endpoint: { listener: link.listener, url: url.href, resend: (id) => line.resend(id) },
      opened: (start) => {
        if (start !== undefined) position.advance(start, line.left)
        report()
      },
      handle: async (notification) => {
        if (wants(notification)) line.enter(notification.id)
        position.advance(notification.id, line.left)
        report()
        await line.room()
      },
      ready,
      say,
    },
    signal,
  )
  const stopping = (error: unknown) => {
    ended.abort()
    throw error
  }
  try {
    await Promise.all([followed.catch(stopping), line.run().catch(stopping)])
  } finally {
    position.flush()
    await link.flush()
  }
  const count = line.left.unsettled.length
  if (count > 0) say(`${url.href}: unforwarded notifications follow at the next start\n`)
}
