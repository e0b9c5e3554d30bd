import type { IncomingHttpHeaders } from 'node:http'
import { sandboxHeaders } from '../contract/headers.ts'
import { controls } from '../contract/sandbox/controls/controls.ts'
import type { ScreenView } from '../contract/sandbox/screens.ts'
import { screenViewSchema } from '../contract/sandbox/screens.ts'
import {
  resendEvent,
  resendOrder,
  type StreamedNotification,
  streamedNotification,
} from '../contract/sandbox/webhooks.ts'
import type { SandboxAddress } from './discover.ts'
import { eventValue, readStream } from './server-sent-events.ts'

/** A listener and its URL. */
export interface ListenedEndpoint {
  readonly listener: string
  readonly url: string
  /** Called when the sandbox asks for a notification to be sent again. */
  readonly resend: (id: string) => void
}

const queryOf = ({ listener, url }: ListenedEndpoint): string =>
  new URLSearchParams({ listener, url, resends: 'true' }).toString()

/**
 * Reads the notifications of a sandbox until the stream ends. With `lastId`, they start after that id, and `opened`
 * gets the number of missed ones; without it, `opened` gets the id at which the stream starts. Errors: Unreachable;
 * ForeignStream.
 */
export async function* readEvents(
  address: SandboxAddress,
  lastId: string | undefined,
  signal: AbortSignal,
  opened: (start: string | undefined, missed: number) => void,
  endpoint?: ListenedEndpoint,
): AsyncGenerator<StreamedNotification> {
  const begun = (headers: IncomingHttpHeaders) => {
    if (lastId !== undefined) opened(undefined, Number(headers[sandboxHeaders.missed.toLowerCase()] ?? 0))
  }
  const { path } = controls.events
  const requestPath = endpoint === undefined ? path : `${path}?${queryOf(endpoint)}`
  for await (const { id, event, data } of readStream(address, requestPath, lastId, signal, begun)) {
    if (data === null) opened(id, 0)
    else if (event === resendEvent)
      endpoint?.resend(eventValue<{ id: string }>(address, path, data, resendOrder).id)
    else yield eventValue<StreamedNotification>(address, path, data, streamedNotification)
  }
}

/** Reads a terminal's screens, now and after each change, until the stream ends. Errors: Unreachable; ForeignStream. */
export async function* readScreens(
  address: SandboxAddress,
  terminalSn: string,
  signal: AbortSignal,
): AsyncGenerator<ScreenView> {
  const path = controls['terminal-events'].path.replace(':sn', encodeURIComponent(terminalSn))
  for await (const { data } of readStream(address, path, undefined, signal)) {
    if (data !== null) yield eventValue<ScreenView>(address, path, data, screenViewSchema)
  }
}
