import { onHtmx } from '../htmx.ts'

/** Says that the sandbox does not answer, until it does again. */
export function watchLink(notice: HTMLElement): void {
  let leaving = false
  window.addEventListener('pagehide', () => {
    leaving = true
  })
  const set = (dead: boolean) => {
    notice.hidden = !dead || leaving
  }
  onHtmx('sseOpen', () => set(false))
  onHtmx('sseError', () => set(true))
  onHtmx('sendError', () => set(true))
}
