import { onHtmx, sandboxPath } from '../htmx.ts'
import { onPage } from '../on-page.ts'

/**
 * Tints rows that are added while the page is open. If the reader has scrolled into the list, new rows wait
 * behind a button, so that nothing moves; visible rows are updated in place.
 */
export function watchRows(): void {
  const button = document.createElement('button')
  button.type = 'button'
  button.className =
    'new-rows sticky top-[calc(var(--masthead)+0.5rem)] z-3 mx-auto -mb-8 block min-h-8 rounded-full bg-accent px-4 text-note font-semibold text-on-accent shadow-lg'
  onHtmx<{ shouldSwap: boolean; readonly fragment: Element }>('oobBeforeSwap', (list, swap) => {
    if (list.id !== 'list' || !swap.shouldSwap) return
    const shown = rowsById(list)
    const fresh = [...rowsById(swap.fragment)].filter(([id]) => !shown.has(id))
    for (const [, row] of fresh) row.classList.add('row-new', 'animate-fresh')
    const { scrollTop } = list
    const isRead = list.getBoundingClientRect().top < 0 || scrollTop > 0
    if (!isRead || fresh.length === 0 || shown.size === 0) {
      // WebKit scrolls to the top when all that scrolls is replaced.
      queueMicrotask(() => {
        if (scrollTop > 0) list.scrollTop = scrollTop
      })
      return button.remove()
    }
    swap.shouldSwap = false
    const waiting = swap.fragment.innerHTML
    for (const [id, row] of rowsById(swap.fragment)) {
      const shownRow = shown.get(id)
      if (shownRow !== undefined) fill(shownRow, row.innerHTML)
    }
    button.textContent = `${fresh.length} new \u2191`
    button.onclick = ({ detail }) => {
      fill(list, waiting)
      button.remove()
      if (detail === 0) list.querySelector<HTMLElement>('.row-link')?.focus() // by the keyboard, which goes on there
      list.scrollTop = 0
      list.scrollIntoView({ block: 'start' })
    }
    if (!button.isConnected) list.before(button)
  })
}

/** Draws a part of the list anew; what was chosen, marked or focused in it stays so. */
function fill(part: Element, html: string): void {
  const drawn = document.createElement('template')
  drawn.innerHTML = html
  const focused = part.contains(document.activeElement) ? document.activeElement?.id : undefined
  for (const { id } of part.querySelectorAll('.row-link[aria-current]'))
    drawn.content.getElementById(id)?.setAttribute('aria-current', 'true')
  if (part.innerHTML === drawn.innerHTML) return
  choose(drawn.content, chosenIn(part))
  part.replaceChildren(drawn.content)
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true })
}

const rowsById = (list: Element): Map<string, Element> =>
  new Map(
    [...list.querySelectorAll('[id^="row-"]')].flatMap((link) => {
      const row = link.closest('tr')
      return row === null ? [] : [[link.id, row] as const]
    }),
  )

const chosenIn = (part: ParentNode): ReadonlySet<string> =>
  new Set([...rowCheckboxes(part)].filter(({ checked }) => checked).map(({ id }) => id))

function choose(part: ParentNode, chosen: ReadonlySet<string>): void {
  for (const box of rowCheckboxes(part)) box.checked = chosen.has(box.id)
}

const rowCheckboxes = (within: ParentNode) => within.querySelectorAll<HTMLInputElement>('.pick input')

/** Makes the boxes of rows work together: that of the head selects all; updates keep the selection. */
export function keepChosenRows(): void {
  onPage('change', '.pick input', (changed: HTMLInputElement) => {
    const [all, ...boxes] = rowCheckboxes(document)
    if (changed === all) for (const box of boxes) box.checked = all.checked
    else if (all !== undefined) all.checked = boxes.every(({ checked }) => checked)
  })
  onHtmx<{ readonly fragment: Element }>('oobBeforeSwap', (target, { fragment }) => {
    choose(fragment, chosenIn(target))
  })
}

/** Interval at which a background tab polls. Milliseconds. */
const pause = 3_000

/**
 * Counts new items in the title of a background tab: `(3) Transactions`. Such a tab has no stream, so it
 * polls; when it is shown again, its title is reset.
 */
export function countUnread(): void {
  let timer = 0
  let mark = ''
  const title = () => document.title.replace(/^\(\d+\+?\) /, '')
  const ask = async () => {
    const answer = await fetch(sandboxPath(`/unread?since=${mark}`)).catch(() => null)
    if (!document.hidden || !answer?.ok) return
    const { count, mark: now }: { readonly count: number; readonly mark: string } = await answer.json()
    if (mark === '') mark = now
    if (document.hidden) document.title = count === 0 ? title() : `(${count > 99 ? '99+' : count}) ${title()}`
  }
  document.addEventListener('visibilitychange', () => {
    clearInterval(timer)
    mark = ''
    document.title = title()
    if (!document.hidden) return
    ask()
    timer = window.setInterval(ask, pause)
  })
}
