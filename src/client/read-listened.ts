import type { ControlInput } from '../contract/sandbox/controls/controls.ts'
import { controls } from '../contract/sandbox/controls/controls.ts'
import {
  type Followed,
  followed,
  type HandedDelivery,
  handedDelivery,
  listenEvents,
  type StreamedNotification,
  streamedNotification,
} from '../contract/sandbox/webhooks.ts'
import type { SandboxAddress } from './discover.ts'
import { eventValue, readStream } from './server-sent-events.ts'

/** What a listener gets: first how much it missed, then deliveries to post, or notifications to read. */
export type Listened =
  | { readonly followed: Followed; readonly id: string | undefined }
  | { readonly handed: HandedDelivery }
  | { readonly notification: StreamedNotification }

/**
 * Listens to a sandbox until the stream ends; `lastId`: of the last notification that was read. Errors: ServiceRefusal;
 * Unreachable; ForeignStream.
 */
export async function* readListened(
  address: SandboxAddress,
  wanted: ControlInput<'listen'>,
  lastId: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Listened> {
  const { path } = controls.listen
  const body = JSON.stringify(wanted)
  for await (const { id, event, data } of readStream(address, path, lastId, signal, undefined, body)) {
    if (data === null) continue
    if (event === listenEvents.followed)
      yield { followed: eventValue<Followed>(address, path, data, followed), id }
    else if (event === listenEvents.handed)
      yield { handed: eventValue<HandedDelivery>(address, path, data, handedDelivery) }
    else yield { notification: eventValue<StreamedNotification>(address, path, data, streamedNotification) }
  }
}
