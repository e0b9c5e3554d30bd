import type { SandboxAddress } from '../../client/discover.ts'
import { readEvents } from '../../client/event-stream.ts'
import { RecentIds } from '../../client/recent-ids.ts'
import { type Connected, reconnecting } from '../../client/reconnect.ts'
import type { StreamedNotification } from '../../contract/sandbox/webhooks.ts'
import type { ListenerPosition } from './listener-position.ts'

/** Ids that are remembered, so that no notification is handled twice after a reconnect. */
const maxRemembered = 10_000

/**
 * Handles every notification until `signal`, over restarts of the sandbox. One that `handle` resolves to false for is asked
 * for again, freshly signed. `ready` is written when the first stream opens. Errors: all but a lost connection.
 */
export async function followNotifications(
  find: () => Promise<SandboxAddress>,
  position: ListenerPosition,
  signal: AbortSignal,
  ready: string,
  handle: (notification: StreamedNotification) => Promise<boolean>,
): Promise<void> {
  const handled = new RecentIds(maxRemembered)
  const session = async function* (connected: Connected): AsyncGenerator<never> {
    const opened = (start: string | undefined, missed: number) => {
      if (start !== undefined) position.advance(start)
      const kind = connected()
      if (kind !== 'still')
        process.stderr.write(`${kind === 'first' ? ready : 'Listening again'}\n${missedText(missed)}`)
    }
    for (let isHandled = false; !isHandled && !signal.aborted; ) {
      isHandled = true
      for await (const notification of readEvents(await find(), position.lastId(), signal, opened)) {
        const { id } = notification
        isHandled = handled.has(id) || (await handle(notification))
        if (!isHandled) break
        position.advance(id)
        handled.add(id)
      }
    }
  }
  const onLost = (wasConnected: boolean) => {
    if (wasConnected) process.stderr.write('The sandbox is gone; waiting for it\n')
  }
  for await (const _ of reconnecting(session, signal, onLost));
}

function missedText(count: number): string {
  if (count === 0) return ''
  return count === 1
    ? '1 notification was missed meanwhile, and follows\n'
    : `${count} notifications were missed meanwhile, and follow\n`
}
