import { onHtmx } from '../htmx.ts'

/** Checkboxes of rows: one checkbox selects all rows, and the selection survives an update of the list. */

const boxesOf = (within: ParentNode): NodeListOf<HTMLInputElement> =>
  within.querySelectorAll<HTMLInputElement>('input[type=checkbox][form]')

/** Makes the boxes of rows work together. */
export function keepChosenRows(page: Document): void {
  page.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.dataset.chooseAll === undefined) return
    for (const box of boxesOf(page)) box.checked = target.checked
  })
  onHtmx<{ readonly fragment: Element }>('oobBeforeSwap', (target, { fragment }) => {
    const chosen = new Set([...boxesOf(target)].filter(({ checked }) => checked).map(({ id }) => id))
    for (const box of boxesOf(fragment)) box.checked = chosen.has(box.id)
  })
}
