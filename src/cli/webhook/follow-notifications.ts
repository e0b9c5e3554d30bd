import type { SandboxAddress } from '../../client/discover.ts'
import { type ListenedEndpoint, readEvents } from '../../client/read-events.ts'
import { type Connected, reconnecting } from '../../client/reconnect.ts'
import { RecentIds } from '../../client/request/recent-ids.ts'
import type { StreamedNotification } from '../../contract/sandbox/webhooks.ts'

/** What reads the event stream of a sandbox. */
export interface NotificationSubscriber {
  /** Address of the sandbox for each new stream. Errors: Unreachable while it does not run. */
  readonly find: () => Promise<SandboxAddress>
  readonly lastId: () => string | undefined
  /** Names the listener and its endpoint to the sandbox; left out: it has none. */
  readonly endpoint?: ListenedEndpoint
  /** A stream opened; `start`: where it begins, when no earlier position was requested. */
  readonly opened: (start: string | undefined) => void
  readonly handle: (notification: StreamedNotification) => Promise<void>
  /** Said when the first stream opens, and what else a person should know. */
  readonly ready: string
  readonly say: (text: string) => void
}

/** Handles every notification until `signal`, over restarts of the sandbox. Errors: all but a lost connection. */
export async function followNotifications(
  subscriber: NotificationSubscriber,
  signal: AbortSignal,
): Promise<void> {
  const { find, lastId, endpoint, handle, ready, say } = subscriber
  const handledIds = new RecentIds()
  const session = async function* (connected: Connected): AsyncGenerator<never> {
    const opened = (start: string | undefined, missed: number) => {
      subscriber.opened(start)
      const kind = connected()
      if (kind !== 'still') say(`${kind === 'first' ? ready : 'Listening again'}\n${missedText(missed)}`)
    }
    for await (const notification of readEvents(await find(), lastId(), signal, opened, endpoint)) {
      const { id } = notification
      if (handledIds.has(id)) continue
      await handle(notification)
      handledIds.add(id)
      if (signal.aborted) return
    }
  }
  const onLost = (wasConnected: boolean) => {
    if (wasConnected) say('The sandbox is gone; waiting for it\n')
  }
  for await (const _ of reconnecting(session, signal, onLost));
}

function missedText(count: number): string {
  if (count === 0) return ''
  return count === 1
    ? '1 notification was missed meanwhile; it follows if it fits the filters\n'
    : `${count} notifications were missed meanwhile; those that fit the filters follow\n`
}
