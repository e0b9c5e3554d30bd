/** The part of an event source that the sse extension uses. */
interface EventStream {
  onopen: ((event: Event) => void) | null
  onerror: ((event: Event) => void) | null
  readonly readyState: number
  close(): void
  addEventListener(name: string, listener: EventListener): void
  removeEventListener(name: string, listener: EventListener): void
}

/**
 * An event source that is open only while its window is visible. A browser opens at most six connections to
 * one host, so a hidden window closes its own; when visible again, it gets the current state. After a refusal
 * it stays closed, like any event source: its user opens another one.
 */
export function visibleEventSource(url: string, page: Document): EventStream {
  const listeners: [string, EventListener][] = []
  let inner: EventSource | null = null
  const open = () => {
    inner = new EventSource(url)
    inner.onopen = (event) => source.onopen?.(event)
    inner.onerror = (event) => {
      if (inner?.readyState === EventSource.CLOSED) stop()
      source.onerror?.(event)
    }
    for (const [name, listener] of listeners) inner.addEventListener(name, listener)
  }
  const follow = () => {
    if (page.hidden === (inner === null)) return
    inner?.close()
    inner = null
    if (!page.hidden) open()
  }
  const stop = () => {
    inner?.close()
    page.removeEventListener('visibilitychange', follow)
  }
  const source: EventStream = {
    onopen: null,
    onerror: null,
    get readyState() {
      return inner?.readyState ?? EventSource.CONNECTING
    },
    close: stop,
    addEventListener(name, listener) {
      listeners.push([name, listener])
      inner?.addEventListener(name, listener)
    },
    removeEventListener(name, listener) {
      const index = listeners.findIndex(([eventName, each]) => eventName === name && each === listener)
      if (index !== -1) listeners.splice(index, 1)
      inner?.removeEventListener(name, listener)
    },
  }
  page.addEventListener('visibilitychange', follow)
  if (!page.hidden) open()
  return source
}
