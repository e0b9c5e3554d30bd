import type { FragmentSlot, Fragments } from './page-view.ts'

/** Ids are ours, but for an id of a transaction in some: letters, digits and dashes are let through. */
export const escapeId = (id: string): string => id.replace(/[^\w-]/g, '')

/** Puts pieces that are drawn already into a page. */
export const slotsFor =
  (fragments: Fragments): FragmentSlot =>
  (id) => <div class="fragment" id={escapeId(id)} dangerouslySetInnerHTML={{ __html: fragments[id] ?? '' }} />
