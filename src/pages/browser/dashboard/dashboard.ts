import { focusFirst, openDrawers } from '../action-drawer.ts'
import { copyCommands } from '../copy-commands.ts'
import { onHtmx } from '../htmx.ts'
import { watchMenus } from '../menus.ts'
import { keepToast, sendOnce, watchConnection, watchLoading } from '../notices.ts'
import { onPage, reloadKept } from '../on-page.ts'
import { watchPalette } from '../palette.ts'
import { brushCharts } from './brush.ts'
import { dragClock } from './clock-rail.ts'
import { nameInjected } from './fault-form.ts'
import { showPaths } from './json-paths.ts'
import { watchLists } from './list.ts'
import { countUnread, keepChosenRows, watchRows } from './new-rows.ts'
import { watchWorkbench } from './workbench.ts'

copyCommands()
openDrawers()
showPaths()
watchConnection()
watchLoading()
brushCharts()
dragClock()
nameInjected()
keepChosenRows()
countUnread()
watchMenus()
watchPalette()
keepToast()
watchLists()
watchWorkbench()
sendOnce()
reloadKept()

/** A filter that is empty is no part of the address. */
document.addEventListener('formdata', ({ target, formData }) => {
  if (!(target instanceof HTMLFormElement) || target.method !== 'get') return
  for (const [name, value] of [...formData]) if (value === '') formData.delete(name)
})

/** Names a fold by where it is and its head. */
const foldKey = (fold: Element): string =>
  `${fold.closest('[id]')?.id} ${fold.querySelector('summary')?.textContent}`

/**
 * Skips fragments that did not change. In others folds stay as they are, and the focus stays on an equal link
 * or button; htmx sees to those with an id.
 */
onHtmx<{ shouldSwap: boolean; readonly fragment: Element }>('oobBeforeSwap', (target, swap) => {
  const folds = new Map([...target.querySelectorAll('details')].map((fold) => [foldKey(fold), fold.open]))
  for (const fold of swap.fragment.querySelectorAll('details'))
    fold.open = folds.get(foldKey(fold)) ?? fold.open
  if (target.innerHTML === swap.fragment.innerHTML) swap.shouldSwap = false
  const focused = document.activeElement
  if (focused === null || focused.id !== '' || !target.contains(focused)) return
  const identity = (element: Element) => element.getAttribute('href') ?? element.outerHTML
  queueMicrotask(() => {
    if (document.activeElement !== document.body) return
    const equals = [...target.querySelectorAll<HTMLElement>(focused.localName)]
    equals.find((element) => identity(element) === identity(focused))?.focus()
  })
})

watchRows()

onPage('click', '[data-print]', () => window.print())

/** Where tabs scroll, the chosen one is in sight. */
for (const bar of document.querySelectorAll<HTMLElement>('.tabs')) {
  const chosen = bar.querySelector<HTMLElement>('[aria-current]')
  if (chosen !== null) bar.scrollLeft = chosen.offsetLeft - (bar.clientWidth - chosen.offsetWidth) / 2
}

/** The page of a form has the focus where its drawer has it. */
const form = document.querySelector<HTMLElement>('main > .action-panel')
if (form !== null) focusFirst(form)
