import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import type { JSX } from 'hono/jsx/jsx-runtime'
import type { Topic } from '../../engine/changes.ts'
import type { Section } from '../components/navigation.tsx'

/** Pieces of a page that change while it is open, as HTML by their id. */
export type Fragments = Readonly<Record<string, string>>

/** Puts a piece where it belongs on the page. */
export type FragmentSlot = (id: string) => Child

/** Puts pieces that are drawn already into a page. */
export const slotsFor =
  (fragments: Fragments): FragmentSlot =>
  (id) => (
    <div class="fragment" id={escapeId(id)}>
      {raw(fragments[id] ?? '')}
    </div>
  )

/** A piece that takes the place of the one with its id. */
export const fragmentSwap = (id: string, html: string): string =>
  `<div id="${escapeId(id)}" hx-swap-oob="innerHTML">${html}</div>`

/** Removes all but letters, digits and dashes, because some ids contain the id of a transaction. */
const escapeId = (id: string): string => id.replace(/[^\w-]/g, '')

/** Query parameters by name. */
export type QueryValues = Readonly<Record<string, string>>

/** The request of a page. */
export interface PageRequest {
  /** Of the record that the path names; empty for a path that names none. */
  readonly id: string
  readonly query: QueryValues
  /** Where the browser reached the sandbox. */
  readonly baseUrl: string
  /** True where the reader hid the first steps. */
  readonly isStartHidden?: boolean
}

/** A page of the dashboard: what stays, and what changes while it is open. */
export interface PageView {
  readonly title: string
  readonly section: Section
  /** The topics of its fragments; a page without them does not change. */
  readonly live?: {
    readonly path: string
    readonly topics: readonly Topic[]
    /** Milliseconds until a fragment changes without an event; null: never. */
    readonly again?: () => number | null
  }
  /** The current fragments. Errors: a Refusal when their record no longer exists. */
  readonly fragments?: () => Promise<Fragments> | Fragments
  /** What stays, with the slots for the pieces. */
  readonly body: (slot: FragmentSlot) => Child
  readonly status?: 200 | 409 | 422
}

/** A piece as text. */
export const html = (piece: JSX.Element): string => String(piece)
