import type { Child } from 'hono/jsx'
import type { Topic } from '../../engine/changes.ts'
import type { Section } from '../components/navigation.tsx'

/** Pieces of a page that change while it is open, as HTML by their id. */
export type Fragments = Readonly<Record<string, string>>

/** Puts a piece where it belongs on the page. */
export type FragmentSlot = (id: string) => Child

/** A page of the dashboard: what stays, and what changes while it is open. */
export interface PageView {
  readonly title: string
  readonly section: Section
  /** What its pieces are of; `null` for a page that does not change. */
  readonly live: { readonly path: string; readonly topics: readonly Topic[] } | null
  /** How the pieces look now. Errors: a Refusal when what they show is gone. */
  readonly fragments: () => Promise<Fragments> | Fragments
  /** What stays, with the slots for the pieces. */
  readonly body: (slot: FragmentSlot) => Child
  readonly status?: 200 | 409 | 422
}

/** A piece as text. Nothing on a page is drawn later. */
export const html = (piece: Child): string => String(piece)
