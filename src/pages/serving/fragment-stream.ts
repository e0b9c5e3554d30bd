import { Refusal } from '../../contract/errors.ts'
import { baseUrlOf, type Call } from '../../sandbox/http/call.ts'
import { type StreamMessage, streamLatest } from '../../sandbox/http/live-stream.ts'
import { goneFragments } from '../frame/page-frame.tsx'
import { type Fragments, fragmentSwap, type PagesContext, type PageView } from '../frame/page-view.tsx'
import { mastheadFacts } from '../masthead/masthead.tsx'
import { textFor } from './answer-page.ts'
import { withBasePath } from './base-path.ts'

/** Streams the pieces of a page that are not as they were sent before. */
export function streamView(context: PagesContext, call: Call, view: PageView): Response {
  const { search } = new URL(call.req.url)
  const key = `${baseUrlOf(call)}${call.req.path}${search}`
  const sent = new Map<string, string>()
  return streamLatest(context, call, {
    topics: [...(view.live?.topics ?? []), 'faults', 'terminals'],
    show: async () =>
      changedIn(context, call, asPieces(await context.drawings.next(key, () => drawn(context, view))), sent),
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

/** A piece as it is sent: what differs when it changed, and what takes the place of the one with its id. */
interface Piece {
  readonly id: string
  readonly version: string
  readonly swap: string
}

export const asPieces = (fragments: Fragments): readonly Piece[] =>
  Object.entries(fragments).map(([id, html]) => ({ id, version: html, swap: fragmentSwap(id, html) }))

/** A message with the pieces that changed since they were sent; null when none did. */
export function changedIn(
  context: PagesContext,
  call: Call,
  pieces: readonly Piece[],
  sent: Map<string, string>,
): StreamMessage | null {
  const changed = pieces.filter(({ id, version }) => sent.get(id) !== version)
  if (changed.length === 0) return null
  for (const { id, version } of changed) sent.set(id, version)
  const data = textFor(context, call, changed.map(({ swap }) => swap).join(''))
  return { event: 'fragments', data: withBasePath(data, context.options.basePath) }
}
