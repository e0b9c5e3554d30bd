import { controls } from '../api/controls.ts'
import type { StreamedNotification } from '../api/webhooks.ts'
import type { Place } from './discover.ts'
import { readStream } from './server-sent-events.ts'

/**
 * Reads the notifications of a sandbox until the stream ends. `lastId` asks for what was missed since; without it
 * `opened` is told the place where the stream begins.
 * Errors: Unreachable.
 */
export async function* readEvents(
  place: Place,
  lastId: string | undefined,
  signal: AbortSignal,
  opened: (place: string | undefined) => void,
): AsyncGenerator<StreamedNotification> {
  const begun = () => {
    if (lastId !== undefined) opened(undefined)
  }
  for await (const { id, data } of readStream(place, controls.events.path, lastId, signal, begun)) {
    if (data === null) opened(id)
    else yield JSON.parse(data) as StreamedNotification
  }
}
