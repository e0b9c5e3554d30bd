import { onHtmx } from './htmx.ts'

/** Says on a page that follows the sandbox that it does not answer, until it does again. */
export function watchConnection(page: Document): void {
  const notice = page.querySelector<HTMLElement>('[data-dead]')
  if (notice === null) return
  let leaving = false
  for (const name of ['pagehide', 'pageshow'])
    window.addEventListener(name, () => {
      leaving = name === 'pagehide'
    })
  const set = (dead: boolean) => {
    notice.hidden = !dead || leaving
  }
  for (const sign of ['sseOpen', 'sseMessage', 'afterOnLoad']) onHtmx(sign, () => set(false))
  for (const sign of ['sseError', 'sendError']) onHtmx(sign, () => set(true))
}
