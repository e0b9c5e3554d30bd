/**
 * Listens to an event anywhere in what a selector finds, also in what comes later. `listener` gets the
 * nearest such element.
 */
export function onPage<Name extends keyof DocumentEventMap, Found extends Element = HTMLElement>(
  name: Name,
  selector: string,
  listener: (found: Found, event: DocumentEventMap[Name]) => void,
): void {
  document.addEventListener(name, (event) => {
    const found = event.target instanceof Element ? event.target.closest<Found>(selector) : null
    if (found !== null) listener(found, event)
  })
}

/** Opens a dialog over the page. When it closes, the keyboard goes on where it was, drawn anew or not. */
export function openDialog(dialog: HTMLDialogElement): void {
  const before = document.activeElement?.id ?? ''
  const goOn = () => {
    const now = document.activeElement
    if (now === document.body || dialog.contains(now))
      document.getElementById(before)?.focus({ preventScroll: true })
  }
  dialog.addEventListener('close', goOn, { once: true })
  dialog.showModal()
}

/** Loads a page anew when the browser shows what it kept of it, as WebKit does: it may be paid. */
export function reloadKept(): void {
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.replace(location.pathname + location.search) // a form's answer cannot be loaded again
  })
}
