import type { SSEMessage } from 'hono/streaming'
import { Refusal } from '../../contract/errors.ts'
import { baseUrlOf, type Call } from '../../http/call.ts'
import { streamLatest } from '../../http/live-stream.ts'
import { goneFragments } from '../frame/page-frame.tsx'
import { type Fragments, fragmentSwap, type PagesContext, type PageView } from '../frame/page-view.tsx'
import { mastheadFacts } from '../masthead/masthead-facts.tsx'
import { withBasePath } from './base-path.ts'

/** Streams the pieces of a page that are not as they were sent before. */
export function streamView(context: PagesContext, call: Call, view: PageView): Response {
  const { search } = new URL(call.req.url)
  const key = `${baseUrlOf(call)}${call.req.path}${search}`
  const sent = new Map<string, string>()
  return streamLatest(context, call, {
    topics: [...(view.live?.topics ?? []), 'faults', 'terminals'],
    show: async () =>
      messageOf(await context.drawings.next(key, () => drawn(context, view)), sent, context.options.basePath),
    ...(view.live?.again && { again: view.live.again }),
  })
}

/** The record of an open page may be deleted; the masthead is drawn all the same. */
async function drawn(context: PagesContext, { fragments }: PageView): Promise<Fragments> {
  const facts = mastheadFacts(context)
  try {
    return { ...facts, ...(await fragments?.()) }
  } catch (error) {
    if (error instanceof Refusal) return goneFragments
    throw error
  }
}

/** The pieces that changed, each named by its id; null when none did. */
function messageOf(fragments: Fragments, sent: Map<string, string>, basePath: string): SSEMessage | null {
  const changed = Object.entries(fragments).filter(([id, html]) => sent.get(id) !== html)
  if (changed.length === 0) return null
  for (const [id, html] of changed) sent.set(id, html)
  const data = changed.map(([id, html]) => fragmentSwap(id, html)).join('')
  return { event: 'fragments', data: withBasePath(data, basePath) }
}
