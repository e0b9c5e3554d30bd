/** A piece that is pushed as it is already stays as it is, and so does the focus in it. */
export function skipUnchanged(page: Document): void {
  page.addEventListener('htmx:oobBeforeSwap', (event) => {
    const { detail } = event as CustomEvent<{ shouldSwap: boolean; target: Element; fragment: Element }>
    if (detail.target.innerHTML === detail.fragment.innerHTML) detail.shouldSwap = false
  })
}
