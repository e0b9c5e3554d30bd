/** The button of the form of faults says what it injects, and how often. */
export function nameInjected(root: ParentNode): void {
  const form = root.querySelector<HTMLFormElement>('[data-inject]')
  const button = form?.querySelector('[type=submit]')
  if (!form || !button) return
  const say = () => {
    const fields = new FormData(form)
    const kind = String(fields.get('kind'))
    const value = fields.get(`${kind.replace(/[<>]/g, '')}-0`)
    const often = form.querySelector<HTMLSelectElement>(
      '[name=times]:is(form:not(:has(.endless :checked)) *)',
    )
    const words = ['Inject', kind.replace(/<.*>/, String(value)), often?.selectedOptions[0]?.text]
    button.textContent = words.join(' ').trim()
  }
  form.addEventListener('input', say)
  say()
}
