import htmx from 'htmx.org'
import 'htmx-ext-sse'

/** htmx as our pages may use it: no code from text, no style of its own, no history, every answer looked at. */
// its types say that it is no module, which it is
Object.assign((htmx as unknown as typeof htmx.default).config, {
  allowEval: false,
  allowScriptTags: false,
  includeIndicatorStyles: false,
  historyEnabled: false,
  selfRequestsOnly: true,
  responseHandling: [{ code: '.*', swap: true }],
})

/** Listens to what htmx tells of any element of the page. */
export function onHtmx<D>(name: string, heard: (target: HTMLElement, detail: D) => void): void {
  document.addEventListener(`htmx:${name}`, (event) => {
    if (event.target instanceof HTMLElement) heard(event.target, (event as CustomEvent<D>).detail)
  })
}
