/** How long a button says that it copied. Milliseconds. */
const saysSo = 1_500

/** Lets the buttons that copy a command or a body copy it, those that come later, too. */
export function copyCommands(page: Document): void {
  /** What is written on the buttons that say something else for a while, and what ends that. */
  const saying = new WeakMap<HTMLElement, { readonly label: string; readonly timer: number }>()
  page.addEventListener('click', async ({ target }) => {
    const button =
      target instanceof Element ? target.closest<HTMLElement>('[data-copy], [data-copy-body]') : null
    if (button === null) return
    const said = (await copied(button.dataset.copy ?? bodyBeside(button))) ? 'Copied' : 'Select it and copy'
    const { label, timer } = saying.get(button) ?? { label: button.innerHTML }
    clearTimeout(timer)
    button.textContent = said
    const end = () => {
      button.innerHTML = label
      saying.delete(button)
    }
    saying.set(button, { label, timer: window.setTimeout(end, saysSo) })
  })
}

const bodyBeside = (button: Element): string =>
  button.closest('.body')?.querySelector('.body-text')?.textContent ?? ''

/** Copies a text; false where the browser forbids it. */
export const copied = (text: string): Promise<boolean> =>
  navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  )
