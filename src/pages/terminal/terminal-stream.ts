import { screenNamed } from '../../control/terminals.ts'
import { type Call, originOf } from '../../http/call.ts'
import { streamLatest } from '../../http/live-stream.ts'
import { resultEnds } from '../../records/screen.ts'
import type { PagesContext } from '../frame/context.ts'
import { counterNamed, isThere } from './screens/workbench-view.ts'

/** The glance is of the whole sandbox, not of these terminals alone: it is looked at again after so long. Milliseconds. */
const glanceAgain = 5_000

const glanceFragment = (glance: string): string => `<div id="glance" hx-swap-oob="innerHTML">${glance}</div>`

/** Milliseconds after which a browser comes back when the sandbox is gone. */
const retry = 500

/**
 * Streams the parts of the pages of terminals: everything at first, then whatever is not as it was. A browser does not see
 * why a stream is refused, so one that is no longer there is streamed as such.
 */
export async function streamCounters(
  context: PagesContext,
  call: Call,
  terminals: readonly string[],
): Promise<Response> {
  const { statusStripOf } = await import('../frame/status-strip.tsx')
  const { partsOf, partsWithout, fragment } = await import('./workbench-fragments.tsx')
  const sent = new Map<string, string>()
  const there = () => terminals.filter((terminalSn) => isThere(context, terminalSn))
  const partsNow = (terminalSn: string) =>
    isThere(context, terminalSn)
      ? partsOf(counterNamed(context, terminalSn, originOf(call)))
      : partsWithout(terminalSn)
  return streamLatest(context, call, {
    topics: terminals.map((terminalSn) => `terminal ${terminalSn}` as const),
    pause: 20,
    show: () => {
      const parts = terminals.flatMap(partsNow).filter(({ id, version }) => sent.get(id) !== version)
      for (const { id, version } of parts) sent.set(id, version)
      const glance = statusStripOf(context)
      const data =
        parts.map(fragment).join('') + (sent.get('glance') === glance ? '' : glanceFragment(glance))
      sent.set('glance', glance)
      return data === '' ? null : { event: 'parts', data, retry }
    },
    again: () => {
      const ends = there().flatMap((terminalSn) => resultEnds(screenNamed(context, terminalSn)) ?? [])
      return Math.min(...ends, glanceAgain)
    },
  })
}
