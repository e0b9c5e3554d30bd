import { htmx, onHtmx } from './htmx.ts'
import { onPage } from './on-page.ts'

/** Has a screen reader say a text. `within`: what has the region for it; the palette above has its own. */
export function announce(text: string, within: ParentNode = document): void {
  const region = [...within.querySelectorAll('[data-announce]')].at(-1)
  if (region !== undefined) region.textContent = text
}

/** A line at the edge of the window, while something is on its way. */
export const showProgress = (isOn: boolean): boolean =>
  document.documentElement.toggleAttribute('data-loading', isOn)

/** Shows progress while the next page, or what htmx asks for, is on its way. */
export function watchLoading(): void {
  onHtmx('beforeRequest', () => showProgress(true))
  onHtmx('afterRequest', () => showProgress(false))
  window.addEventListener('beforeunload', () => showProgress(true))
  window.addEventListener('pageshow', () => showProgress(false))
}

/** Says on a page that follows the sandbox that it does not answer, until it does again. */
export function watchConnection(): void {
  const notice = document.querySelector<HTMLElement>('[data-dead]')
  if (notice === null) return
  let leaving = false
  window.addEventListener('pagehide', () => {
    leaving = true
  })
  const set = (dead: boolean) => {
    notice.hidden = !dead || leaving
  }
  for (const sign of ['sseOpen', 'sseMessage', 'afterOnLoad']) onHtmx(sign, () => set(false))
  for (const sign of ['sseError', 'sendError']) onHtmx(sign, () => set(true))
  onHtmx<{ readonly source: EventSource }>('sseError', async (_, { source }) => {
    if (source.readyState !== EventSource.CLOSED) return // it tries again by itself
    const answer = await fetch(location.href).catch(() => null)
    if (answer?.status === 401) location.reload()
  })
}

/** The page says while nothing answers, and shows what it had; loaded anew, that its token is over. */
export function noteAnswer(answer: Response | null): void {
  if (answer?.status === 401) return location.reload()
  htmx.trigger(document.body, answer === null ? 'htmx:sendError' : 'htmx:afterOnLoad')
}

/** Shows the notice of another page on this one. */
export function showToast(answer: string): void {
  const toast = new DOMParser().parseFromString(answer, 'text/html').querySelector('[data-toast]')
  if (toast !== null) document.body.append(document.importNode(toast, true))
  hideToast()
}

/** Shows a notice for a while, once; where a form led, a refused field or the content has the focus. */
export function keepToast(): void {
  const address = new URL(location.href)
  if (address.searchParams.has('notice')) {
    address.searchParams.delete('notice')
    history.replaceState(null, '', address)
    const next = document.querySelector<HTMLElement>('main [autofocus]') ?? document.querySelector('main')
    next?.focus({ preventScroll: true })
    next?.closest('[data-field]')?.scrollIntoView({ block: 'center' }) // with what is wrong below it
  }
  hideToast()
}

function hideToast(): void {
  for (const toast of document.querySelectorAll('[data-toast]'))
    setTimeout(() => toast.remove(), toast.querySelector('form') === null ? 6_000 : 20_000)
}

/** The text of a refusal page; for any other answer its status. */
export function refusalIn(page: string, status: number): string {
  const resultText = new DOMParser().parseFromString(page, 'text/html').querySelector('.result-text')
  return resultText?.textContent ?? `The sandbox answered with status ${status}. Reload the page.`
}

/** Sends one form of a page, once: further presses do nothing while the next page is loading. */
export function sendOnce(): void {
  let isSent = false
  onPage('submit', 'form[method=post]', (_, event) => {
    if (event.defaultPrevented) return
    if (isSent) event.preventDefault()
    isSent = true
  })
}
