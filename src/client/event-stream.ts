import type { IncomingHttpHeaders } from 'node:http'
import { sandboxHeaders } from '../contract/headers.ts'
import { controls } from '../contract/sandbox/controls.ts'
import type { ScreenView } from '../contract/sandbox/screens.ts'
import { screenView } from '../contract/sandbox/screens.ts'
import { type StreamedNotification, streamedNotification } from '../contract/sandbox/webhooks.ts'
import type { SandboxAddress } from './discover.ts'
import { eventValue, readStream } from './server-sent-events.ts'

/**
 * Reads the notifications of a sandbox until the stream ends. `lastId` asks for what was missed since; without it
 * `opened` is told the place where the stream begins. With it, how many were missed. `endpoint`: the listener and its URL.
 * Errors: Unreachable; ForeignStream.
 */
export async function* readEvents(
  address: SandboxAddress,
  lastId: string | undefined,
  signal: AbortSignal,
  opened: (start: string | undefined, missed: number) => void,
  endpoint: Readonly<Record<string, string>> = {},
): AsyncGenerator<StreamedNotification> {
  const begun = (headers: IncomingHttpHeaders) => {
    if (lastId !== undefined) opened(undefined, Number(headers[sandboxHeaders.missed.toLowerCase()] ?? 0))
  }
  const query = new URLSearchParams(endpoint).toString()
  const path = query === '' ? controls.events.path : `${controls.events.path}?${query}`
  for await (const { id, data } of readStream(address, path, lastId, signal, begun)) {
    if (data === null) opened(id, 0)
    else yield eventValue<StreamedNotification>(address, controls.events.path, data, streamedNotification)
  }
}

/** Reads what a terminal shows, at once and after each change, until the stream ends. Errors: Unreachable; ForeignStream. */
export async function* readScreens(
  address: SandboxAddress,
  terminalSn: string,
  signal: AbortSignal,
): AsyncGenerator<ScreenView> {
  const path = controls['terminal-events'].path.replace(':sn', encodeURIComponent(terminalSn))
  for await (const { data } of readStream(address, path, undefined, signal)) {
    if (data !== null) yield eventValue<ScreenView>(address, path, data, screenView)
  }
}
