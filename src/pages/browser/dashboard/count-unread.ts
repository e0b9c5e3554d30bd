import { ownPath } from '../own-path.ts'

/** Interval at which a background tab polls. Milliseconds. */
const pause = 3_000

/**
 * Counts new items in the title of a background tab: `(3) Transactions`. Such a tab has no stream, so it polls; when it
 * is shown again, its title is reset.
 */
export function countUnread(page: Document): void {
  let timer = 0
  let mark = ''
  const title = () => page.title.replace(/^\(\d+\+?\) /, '')
  const ask = async () => {
    const answer = await fetch(ownPath(`/unread?since=${mark}`)).catch(() => null)
    if (!page.hidden || !answer?.ok) return
    const { count, mark: now }: { readonly count: number; readonly mark: string } = await answer.json()
    if (mark === '') mark = now
    if (page.hidden) page.title = count === 0 ? title() : `(${count > 99 ? '99+' : count}) ${title()}`
  }
  page.addEventListener('visibilitychange', () => {
    clearInterval(timer)
    mark = ''
    page.title = title()
    if (!page.hidden) return
    ask()
    timer = window.setInterval(ask, pause)
  })
}
