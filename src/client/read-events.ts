import { controls } from '../contract/sandbox/controls/controls.ts'
import type { ScreenView } from '../contract/sandbox/screens.ts'
import { screenViewSchema } from '../contract/sandbox/screens.ts'
import type { SandboxAddress } from './discover.ts'
import { eventValue, readStream } from './server-sent-events.ts'

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
