import { onHtmx } from '../htmx.ts'

interface Swap {
  shouldSwap: boolean
  readonly target: HTMLElement
  readonly fragment: DocumentFragment
}

/**
 * Keeps a part that is as it was, so that nothing typed in it is lost, and tells of the others: `arrived` gets the
 * terminal that the new part is of. The focus goes on at the display, and what was unfolded stays unfolded.
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
    const open = [...target.querySelectorAll('details')].map((fold) => fold.open)
    queueMicrotask(() => {
      for (const [index, fold] of document.getElementById(target.id)?.querySelectorAll('details').entries() ??
        [])
        fold.open ||= open[index] ?? false
      if (hadFocus && document.activeElement === document.body)
        workbench.querySelector<HTMLElement>('[data-screen]')?.focus()
      arrived(workbench, target.id.split('-', 1)[0] ?? '')
    })
  })
}
