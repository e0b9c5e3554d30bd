import { ownPath } from '../base-path.ts'

/** How often a tab that nobody sees asks what came. Milliseconds. */
const pause = 3_000

/**
 * Counts in the title of a tab that nobody sees what came meanwhile: `(3) Transactions`. Such a tab has no stream of
 * its own, so it asks; when it is seen again, its title is as before.
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
