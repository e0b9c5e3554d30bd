import { randomUUID } from 'node:crypto'

/** A menu of the masthead. */
export type MenuName = 'clock' | 'faults' | 'outcomes' | 'state'

/** A refused form of the masthead: it is open on the next page, with the input. */
export interface RefusedForm {
  readonly menu: MenuName
  readonly fields: Readonly<Record<string, string>>
}

/** The result of a button, shown on the next page; with an undo, if there is one. */
export interface DoneNotice {
  readonly text: string
  /** The form that undoes it. */
  readonly undo?: { readonly path: string; readonly fields: Readonly<Record<string, string>> }
  /** The refused form; `text` then has the reason. */
  readonly refused?: RefusedForm
}

/** A redirect to a page, and the notice shown there. */
export interface NoticeRedirect {
  readonly to: string
  readonly notice: DoneNotice
}

/** Most notices that can still be shown. */
const maxNotices = 100

/** By context. Texts stay here and addresses hold their ids: no link can make a page say something. */
const noticesOf = new WeakMap<object, Map<string, DoneNotice>>()

/** The address of the page, on which the notice is shown. */
export function noticeUrl(context: object, { to, notice }: NoticeRedirect): string {
  const notices = noticesOf.get(context) ?? new Map<string, DoneNotice>()
  noticesOf.set(context, notices)
  const id = randomUUID()
  notices.set(id, notice)
  for (const oldest of notices.keys()) if (notices.size > maxNotices) notices.delete(oldest)
  const { pathname, search } = new URL(to, 'http://sandbox')
  const query = new URLSearchParams(search)
  query.set('notice', id)
  return `${pathname}?${query}`
}

/** The notice with that id; undefined when it has been forgotten. */
export const noticeNamed = (context: object, id: string | undefined): DoneNotice | undefined =>
  id === undefined ? undefined : noticesOf.get(context)?.get(id)
