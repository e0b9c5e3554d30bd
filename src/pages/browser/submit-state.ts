/** Disables a form's button while the form is on its way, and gives it back when the browser comes back. */
export function submitState(form: HTMLFormElement): { readonly start: () => void } {
  const button = form.querySelector<HTMLButtonElement>('button[type=submit]')
  const label = button?.querySelector('.button-label')
  const idle = label?.textContent ?? ''
  const set = (busy: boolean) => {
    if (!button || !label) return
    button.disabled = busy
    button.toggleAttribute('data-busy', busy)
    label.textContent = busy ? (button.dataset.busyLabel ?? idle) : idle
  }
  window.addEventListener('pageshow', () => set(false))
  return { start: () => set(true) }
}
