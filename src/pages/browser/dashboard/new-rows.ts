import { onHtmx } from '../htmx.ts'

/**
 * Tints rows that are added while the page is open. If the reader has scrolled into the list, new rows wait behind a
 * button, so that nothing moves; visible rows are updated in place.
 */
export function watchRows(page: Document): void {
  let waiting: string | null = null
  let button: HTMLButtonElement | null = null

  const show = (list: Element) => {
    if (waiting === null) return
    list.innerHTML = waiting
    forget()
    list.scrollIntoView({ block: 'start' })
  }

  const forget = () => {
    waiting = null
    button?.remove()
    button = null
  }

  const offer = (list: Element, count: number) => {
    if (button === null) {
      button = page.createElement('button')
      button.type = 'button'
      button.className = 'new-rows'
      button.addEventListener('click', () => show(list))
      list.before(button)
    }
    button.textContent = `${count} new \u2191`
  }

  onHtmx<{ shouldSwap: boolean; readonly fragment: Element }>('oobBeforeSwap', (list, swap) => {
    if (list.id !== 'list' || !swap.shouldSwap) return
    const shown = rowsOf(list)
    const fresh = [...rowsOf(swap.fragment)].filter(([id]) => !shown.has(id))
    for (const [, row] of fresh) row.classList.add('row-new')
    const isRead = list.getBoundingClientRect().top < 0
    if (!isRead || fresh.length === 0 || shown.size === 0) return forget()
    swap.shouldSwap = false
    waiting = swap.fragment.innerHTML
    for (const [id, row] of rowsOf(swap.fragment)) {
      const shownRow = shown.get(id)
      if (shownRow !== undefined && shownRow.innerHTML !== row.innerHTML) shownRow.innerHTML = row.innerHTML
    }
    offer(list, fresh.length)
  })
}

/** The rows of a list, by id. */
const rowsOf = (list: Element): Map<string, Element> =>
  new Map(
    [...list.querySelectorAll('[id^="row-"]')].flatMap((link) => {
      const row = link.closest('tr')
      return row === null ? [] : [[link.id, row] as const]
    }),
  )
