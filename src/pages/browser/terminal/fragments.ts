import { onHtmx } from '../htmx.ts'
import { refusalIn } from '../notices.ts'
import { keepSale, saleIn } from './amounts.ts'

interface Swap {
  shouldSwap: boolean
  readonly target: HTMLElement
  readonly fragment: DocumentFragment
}

/**
 * Leaves unchanged fragments alone, so that input in them is kept. For changed ones, `arrived` gets the
 * terminal. The focus moves to the display, open parts stay open, and a typed sale stays while no other
 * payment comes.
 */
export function watchFragments(arrived: (workbench: HTMLElement, kind: string) => void): void {
  onHtmx<Swap>('oobBeforeSwap', (target, swap) => {
    const next = swap.fragment.querySelector<HTMLElement>('[data-version]')
    if (next !== null && next.dataset.version === target.dataset.version) {
      swap.shouldSwap = false
      return
    }
    const workbench = target.closest<HTMLElement>('[data-terminal]')
    if (workbench === null) return
    const hadFocus = target.contains(document.activeElement)
    const sale = saleIn(target)
    const open = [...target.querySelectorAll('details')].map((fold) => fold.open)
    queueMicrotask(() => {
      const part = document.getElementById(target.id) ?? target
      for (const [index, fold] of part.querySelectorAll('details').entries())
        fold.open ||= open[index] ?? false
      const nextSale = saleIn(part)
      if (sale && nextSale && nextSale.dataset.after === sale.dataset.after) keepSale(sale, nextSale)
      if (hadFocus && document.activeElement === document.body)
        workbench.querySelector<HTMLElement>('[data-screen]')?.focus()
      arrived(workbench, target.id.split('-', 1)[0] ?? '')
    })
  })
}

/** Shows at its terminal that an act was refused before it reached it, in the words of the answer. */
export function watchRefusals(): void {
  onHtmx<{ xhr: XMLHttpRequest }>('afterOnLoad', (target, { xhr }) => {
    const container = target.closest('[data-terminal]')?.querySelector('.fragment-refusal')
    if (container == null || xhr.status < 400 || xhr.responseText.includes('fragment-refusal')) return
    const notice = document
      .querySelector<HTMLTemplateElement>('template[data-refused]')
      ?.content.cloneNode(true) as DocumentFragment | undefined
    const text = notice?.querySelector('.notice-text > p:last-of-type')
    if (notice === undefined || text == null) return
    text.textContent = refusalIn(xhr.responseText, xhr.status)
    container.replaceChildren(notice)
  })
}
