/** How long a button says that it copied. Milliseconds. */
const saysSo = 1_500

/** Shows the buttons that copy a command, those that come later too, and lets them copy. */
export function copyCommands(page: Document): void {
  const show = () => {
    for (const button of page.querySelectorAll<HTMLElement>('[data-copy][hidden]')) button.hidden = false
  }
  show()
  page.addEventListener('htmx:oobAfterSwap', show)
  page.addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-copy]') : null
    if (button === null) return
    const label = button.innerHTML
    button.textContent = (await copied(button.dataset.copy ?? '')) ? 'Copied' : 'Select it and copy'
    setTimeout(() => {
      button.innerHTML = label
    }, saysSo)
  })
}

/** A browser may forbid it. */
const copied = (text: string): Promise<boolean> =>
  navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  )
