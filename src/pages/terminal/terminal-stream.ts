import { isThere, screenNamed } from '../../control/terminals.ts'
import { baseUrlOf, type Call } from '../../http/call.ts'
import type { LiveStreams } from '../../http/live-stream.ts'
import { streamLatest } from '../../http/live-stream.ts'
import { resultEnds } from '../../records/screen-view.ts'
import { fragmentSwap } from '../frame/page-view.tsx'
import type { FrameContext, PagesContext } from '../frame/pages-context.ts'
import { mastheadFacts } from '../masthead/masthead-facts.tsx'
import { withBasePath } from '../serving/base-path.ts'
import { workbenchViewOf } from './screens/workbench-view.ts'
import { fragmentsOf, fragmentsOfMissing, replacement } from './workbench-fragments.tsx'

/** The masthead is of the whole sandbox, not of these terminals alone: this is how often it is read again. Milliseconds. */
const mastheadInterval = 5_000

/** Milliseconds after which a browser reconnects. */
const retry = 500

/**
 * Streams the parts of terminal pages: all of them at first, then the changed ones. A browser cannot see why a stream
 * is refused, so a removed terminal is streamed as such.
 */
export async function streamWorkbenches(
  context: FrameContext & LiveStreams & Pick<PagesContext, 'directory'>,
  call: Call,
  terminals: readonly string[],
): Promise<Response> {
  const sent = new Map<string, string>()
  const there = () => terminals.filter((terminalSn) => isThere(context, terminalSn))
  const partsNow = (terminalSn: string) =>
    isThere(context, terminalSn)
      ? Object.values(fragmentsOf(workbenchViewOf(context, terminalSn, baseUrlOf(call))))
      : fragmentsOfMissing(terminalSn)
  return streamLatest(context, call, {
    topics: terminals.map((terminalSn) => `terminal ${terminalSn}` as const),
    pause: 20,
    show: () => {
      const parts = terminals
        .flatMap(partsNow)
        .map((part) => ({ id: part.id, version: part.version, swap: replacement(part) }))
      const facts = Object.entries(mastheadFacts(context)).map(([id, html]) => ({
        id,
        version: html,
        swap: fragmentSwap(id, html),
      }))
      const changed = [...parts, ...facts].filter(({ id, version }) => sent.get(id) !== version)
      for (const { id, version } of changed) sent.set(id, version)
      const data = changed.map((part) => part.swap).join('')
      if (data === '') return null
      return { event: 'fragments', data: withBasePath(data, context.options.basePath), retry }
    },
    again: () => {
      const ends = there().flatMap((terminalSn) => resultEnds(screenNamed(context, terminalSn)) ?? [])
      return Math.min(...ends, mastheadInterval)
    },
  })
}
