import htmx from 'htmx.org'
import 'htmx-ext-sse'
import { visibleEventSource } from './visible-event-source.ts'

export { htmx }

/** htmx as our pages may use it: no code from text, no style or history, every answer looked at. */
Object.assign(htmx.config, {
  allowEval: false,
  allowScriptTags: false,
  includeIndicatorStyles: false,
  historyEnabled: false,
  selfRequestsOnly: true,
  ignoreTitle: true, // of a record that is shown beside a list
  attributesToSettle: ['class'], // a style that is copied breaks the content security policy
  responseHandling: [{ code: '.*', swap: true }],
})

/** The extension looks for this way to open a source. */
Object.assign(htmx, { createEventSource: (url: string) => visibleEventSource(url, document) })

/** Listens to an event that htmx sends for any element of the page. */
export function onHtmx<D>(name: string, listener: (target: HTMLElement, detail: D) => void): void {
  document.addEventListener(`htmx:${name}`, (event) => {
    if (event.target instanceof HTMLElement) listener(event.target, (event as CustomEvent<D>).detail)
  })
}

/** What a form sends. */
export const submittedFields = (form: HTMLFormElement, submitter?: HTMLElement | null): URLSearchParams =>
  new URLSearchParams([...new FormData(form, submitter)].map(([name, value]) => [name, String(value)]))

/** Base path of this sandbox's pages: `/s/ci-1` of a space; empty for the first. assumption: spaces */
const basePath = document.documentElement.dataset.base ?? ''

/** A path from the root, as this sandbox serves it. */
export const sandboxPath = (path: string): string => `${basePath}${path}`
