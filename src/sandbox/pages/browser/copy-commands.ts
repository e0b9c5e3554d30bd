/** How long a button says that it copied. Milliseconds. */
const saysSo = 1_500

/** Lets the buttons that copy a command copy it, those that come later, too. */
export function copyCommands(page: Document): void {
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
