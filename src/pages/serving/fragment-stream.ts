import type { SSEMessage } from 'hono/streaming'
import { Refusal } from '../../contract/errors.ts'
import { baseUrlOf, type Call } from '../../http/call.ts'
import { streamLatest } from '../../http/live-stream.ts'
import { elapsedTime, sleep } from '../../timers.ts'
import { goneFragments } from '../frame/page-frame.tsx'
import { type Fragments, fragmentSwap, type PagesContext, type PageView } from '../frame/page-view.tsx'
import { mastheadFacts } from '../masthead/masthead-facts.tsx'
import { withBasePath } from './base-path.ts'

/** Minimum pause between two pushes. Milliseconds. assumption: live-streams */
const pause = 1_000

/** A drawing that windows of the same page share. */
interface Drawing {
  /** When it was begun; in the future while it waits for its turn. */
  readonly begins: number
  readonly fragments: Promise<Fragments>
}

/** The latest drawing of each page that is looked at, by context, path and query. */
const drawings = new WeakMap<object, Map<string, Drawing>>()

/**
 * A drawing that begins after this call, at the earliest a second after the one before it; whoever asks meanwhile gets
 * the same. So every window sees the latest, and a page is drawn once a second for all of them.
 */
function nextDrawing(
  context: object,
  key: string,
  draw: () => Promise<Fragments> | Fragments,
): Promise<Fragments> {
  const known = drawings.get(context) ?? new Map<string, Drawing>()
  drawings.set(context, known)
  const now = elapsedTime()
  const last = known.get(key)
  if (last !== undefined && last.begins > now) return last.fragments
  const begins = Math.max(now, (last?.begins ?? 0) + pause)
  const fragments = wait(begins - now).then(draw)
  known.set(key, { begins, fragments })
  forgetOld(known, now)
  return fragments
}

/** Forgets pages without readers. */
function forgetOld(known: Map<string, Drawing>, now: number): void {
  for (const [key, { begins }] of known) if (begins + 10 * pause < now) known.delete(key)
}

const wait = (milliseconds: number): Promise<void> =>
  milliseconds <= 0 ? Promise.resolve() : sleep(milliseconds)

/** Streams the pieces of a page that are not as they were sent before. */
export function streamView(context: PagesContext, call: Call, view: PageView): Response {
  const { search } = new URL(call.req.url)
  const key = `${baseUrlOf(call)}${call.req.path}${search}`
  const sent = new Map<string, string>()
  return streamLatest(context, call, {
    topics: [...(view.live?.topics ?? []), 'faults', 'terminals'],
    show: async () =>
      messageOf(await nextDrawing(context, key, () => drawn(context, view)), sent, context.options.basePath),
    ...(view.live?.again && { again: view.live.again }),
  })
}

/** The record of an open page may be deleted; the masthead is drawn all the same. */
async function drawn(context: PagesContext, { fragments }: PageView): Promise<Fragments> {
  await context.statistics.prepare() // the state may have been replaced
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
