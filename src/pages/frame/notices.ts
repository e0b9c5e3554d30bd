import { randomUUID } from 'node:crypto'

/** A menu of the masthead. */
export type MenuName = 'clock' | 'faults' | 'outcomes' | 'state'

/** A form of the masthead that was refused: it is open on the page that comes next, with what was typed. */
export interface RefusedForm {
  readonly menu: MenuName
  readonly fields: Readonly<Record<string, string>>
}

/** What was done by a button, said on the page that comes next; with what undoes it, where something does. */
export interface DoneNotice {
  readonly text: string
  /** The form that undoes it. */
  readonly undo?: { readonly path: string; readonly fields: Readonly<Record<string, string>> }
  /** What was refused, when nothing was done: the text then says why. */
  readonly refused?: RefusedForm
}

/** A page to go to, and what is said on it. */
export interface NoticeRedirect {
  readonly to: string
  readonly notice: DoneNotice
}

/** Most notices that can still be shown. */
const kept = 100

/** By context. Texts stay here and addresses hold their ids: no link can make a page say something. */
const noticesOf = new WeakMap<object, Map<string, DoneNotice>>()

/** The address of the page, on which the notice is shown. */
export function addressOf(context: object, { to, notice }: NoticeRedirect): string {
  const notices = noticesOf.get(context) ?? new Map<string, DoneNotice>()
  noticesOf.set(context, notices)
  const id = randomUUID()
  notices.set(id, notice)
  for (const oldest of notices.keys()) if (notices.size > kept) notices.delete(oldest)
  const { pathname, search } = new URL(to, 'http://sandbox')
  const query = new URLSearchParams(search)
  query.set('notice', id)
  return `${pathname}?${query}`
}

/** The notice with that id; undefined for one that is forgotten. */
export const noticeNamed = (context: object, id: string | undefined): DoneNotice | undefined =>
  id === undefined ? undefined : noticesOf.get(context)?.get(id)
