import { onHtmx } from '../htmx.ts'

/** Says that the sandbox does not answer, until it does again. */
export function watchLink(notice: HTMLElement): void {
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
