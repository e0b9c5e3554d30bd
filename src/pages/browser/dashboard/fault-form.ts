/** The button of the form of faults says what it injects, how often, and into what, if not into all. */
export function nameInjected(): void {
  const form = document.querySelector<HTMLFormElement>('[data-inject]')
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
    const share = fields.get('share')
    const limits = [fields.get('operation'), fields.get('terminalSn'), share && `${share} %`].filter(Boolean)
    button.textContent = [words.join(' ').trim(), ...limits].join(', ')
  }
  form.addEventListener('input', say)
  say()
}
