import { htmx, onHtmx, sandboxPath, submittedFields } from '../htmx.ts'
import { announce, noteAnswer, refusalIn, showProgress } from '../notices.ts'
import { onPage } from '../on-page.ts'

/** Lists follow what is typed, and show a record beside them. Without scripts they lead to pages. */

/** How long one stops typing before the list follows. Milliseconds. */
const pause = 200

/** From this width on a record is shown beside its list. */
const hasRoom = () => matchMedia('(min-width: 48rem)').matches

const listPanel = () => document.querySelector<HTMLElement>('.panel-list')
const beside = () => document.querySelector<HTMLElement>('[data-records]')

/** The row that the keyboard is at, or whose record is shown: its link. */
export const markedRow = (): HTMLAnchorElement | null =>
  document.activeElement?.closest('tr, li')?.querySelector<HTMLAnchorElement>('.row-link') ??
  document.querySelector<HTMLAnchorElement>('.row-link[aria-current]')

const pageAddress = () => location.pathname + location.search

/** The address whose content the page has; of a list, whatever is beside it. */
let shownAddress = ''

/** Makes the lists of the page work. */
export function watchLists(): void {
  let waiting = 0
  onPage('input', '[type=search]', (field: HTMLInputElement) => {
    clearTimeout(waiting)
    waiting = window.setTimeout(() => apply(field.form, typing), pause) // it may have moved to the next form
  })
  onPage('change', 'form[data-apply] select', ({ form }: HTMLSelectElement) => apply(form))
  onPage('submit', 'form[data-apply]', (form: HTMLFormElement, event) => {
    event.preventDefault()
    clearTimeout(waiting)
    apply(form)?.then(() => moveRow(1))
  })
  document.addEventListener('click', (event) => {
    const { target, ctrlKey, metaKey, shiftKey, defaultPrevented } = event
    if (!(target instanceof Element) || ctrlKey || metaKey || shiftKey || defaultPrevented) return
    if (target.closest('[data-close-beside]')) return closeBeside()
    const step = target.closest<HTMLElement>('[data-step]')
    if (step !== null) {
      moveRow(step.dataset.step === '1' ? 1 : -1)
      return step.focus()
    }
    const link = target.closest<HTMLAnchorElement>('main a[href]')
    if (link !== null && openInPage(link)) event.preventDefault()
  })
  document.addEventListener('keydown', (event) => {
    const isOpen = beside()?.hidden === false && document.querySelector('dialog[open]') === null
    if (event.key === 'Escape' && isOpen && !event.defaultPrevented) closeBeside()
  })
  window.addEventListener('popstate', () => {
    if (listPanel() !== null || shownAddress !== pageAddress()) visit(location.href)
  })
  onHtmx('oobAfterSwap', markShown)
  onHtmx<{ readonly fragment: Element }>('oobBeforeSwap', ({ id, textContent }, { fragment }) => {
    if (id === 'list-count' && fragment.textContent !== textContent) announce(fragment.textContent)
  })
  shownAddress = pageAddress()
  showChosen()
}

/** Shows the list of the form's address. */
function apply(form: HTMLFormElement | null, state: EntryState = null): Promise<void> | undefined {
  if (form === null || !form.reportValidity()) return
  const query = submittedFields(form)
  return visit(`${form.getAttribute('action')}${query.size === 0 ? '' : `?${query}`}`, state)
}

/** State of an entry of the history: while one types, the letters of a search share one. */
type EntryState = typeof typing | null

const typing = 'typing'

function enter(address: string, state: EntryState): void {
  const isShown = new URL(address, location.href).href === location.href
  const goesOn = state === typing && history.state === typing
  history[isShown || goesOn ? 'replaceState' : 'pushState'](state, '', address)
}

/** Follows a link within the page: to another view of the list or a record. False: it leaves the page. */
function openInPage(link: HTMLAnchorElement): boolean {
  if (listPanel() === null || link.origin !== location.origin || link.matches('[data-drawer], [download]'))
    return false
  const record = beside()?.dataset.shown
  if (link.matches('.panel-list .row-link')) return showBeside(link.pathname)
  if (link.closest('#beside') && link.pathname === record) load(link.href)
  else if (link.pathname === location.pathname) visit(link.href, null)
  else return false
  return true
}

/**
 * Takes the content of an address into the page. The focus stays at an equal element, else there. `state`: of
 * its entry of the history; undefined when the browser went there.
 */
async function visit(address: string, state?: EntryState): Promise<void> {
  await bring(address, '#main', (page) => {
    if (state !== undefined) enter(address, state)
    else document.querySelector<HTMLElement>('[type=search]:focus')?.blur() // it holds what was typed there
    shownAddress = pageAddress()
    const field = document.querySelector<HTMLInputElement>('[type=search]:focus')
    const { selectionStart = null, selectionEnd = null } = field ?? {}
    htmx.swap('#main', page, { ...atOnce, swapStyle: 'outerHTML' }, { select: '#main' })
    if (field !== null) {
      document.getElementById(field.id)?.replaceWith(field) // with what was typed meanwhile
      field.focus({ preventScroll: true })
      field.setSelectionRange(selectionStart, selectionEnd)
    } else if (document.activeElement === document.body)
      document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })
    announce(document.querySelector('#list-count')?.textContent ?? '')
  })
  showChosen()
}

/** Loads the content of a record's page, which then follows the record. */
const load = (path: string): Promise<void> =>
  bring(path, '#beside', (page) =>
    htmx.swap(
      '#beside',
      page,
      { ...atOnce, swapStyle: 'innerHTML', ignoreTitle: true },
      { select: '#main > *' },
    ),
  )

const atOnce = { swapDelay: 0, settleDelay: 0 }

/** How many pages were asked for, by the place that they are for: the last one counts. */
const asked = { '#main': 0, '#beside': 0 }

/** Asks for a page, and shows it unless another was asked for since. A list says why one is refused. */
async function bring(address: string, place: keyof typeof asked, show: (page: string) => void) {
  const mine = ++asked[place]
  showProgress(true)
  const answer = await fetch(address).catch(() => null)
  const page = (await answer?.text()) ?? ''
  if (mine !== asked[place]) return
  showProgress(false)
  noteAnswer(answer)
  if (answer === null) return
  if (place === '#beside' || answer.ok) return show(page)
  document.querySelector('[data-problems]')?.replaceChildren(refusalIn(page, answer.status))
}

/** Shows a record beside its list, at its own address; false where there is no such list, or no room. */
export function showBeside(path: string): boolean {
  const aside = beside()
  const records = sandboxPath(`/${aside?.dataset.records}/`)
  const id = path.slice(records.length)
  if (aside === null || !hasRoom() || !path.startsWith(records) || id.includes('/')) return false
  const address = new URL(location.href)
  address.searchParams.set('open', decodeURIComponent(id))
  history[aside.hidden ? 'pushState' : 'replaceState'](null, '', address)
  showChosen()
  return true
}

function closeBeside(): void {
  const row = markedRow()
  const address = new URL(location.href)
  address.searchParams.delete('open')
  history.pushState(null, '', address)
  showChosen()
  row?.focus()
}

function showChosen(): void {
  const aside = beside()
  if (aside === null) return
  const id = new URL(location.href).searchParams.get('open')
  aside.hidden = id === null
  ++asked['#beside'] // what was asked for before is not shown
  htmx.swap('#beside', '', { ...atOnce, swapStyle: 'innerHTML' }) // htmx closes the stream of the record before
  delete aside.dataset.shown
  if (id !== null) {
    const path = sandboxPath(`/${aside.dataset.records}/${encodeURIComponent(id)}`)
    aside.dataset.shown = path
    aside.querySelector('[data-open-page]')?.setAttribute('href', path)
    load(path).then(() => {
      if (document.activeElement === document.body) (markedRow() ?? aside).focus({ preventScroll: true })
    })
  } else showProgress(false)
  markShown()
  showRow()
}

/** Height of what fades above the pager. Pixels. */
const fade = 32

/** Brings the row of the record to the middle of its list if it is cut; in a low window the list, too. */
function showRow(): void {
  const list = document.querySelector('#list')
  const row = document.querySelector('.row-link[aria-current]')?.closest('tr')
  if (!list || !row) return
  const [{ top, bottom }, place] = [list.getBoundingClientRect(), row.getBoundingClientRect()]
  const pager = list.querySelector('.pager')?.getBoundingClientRect() // it covers the last rows
  const end = Math.min(pager === undefined ? bottom : pager.top - fade, innerHeight)
  if (place.top < top || place.bottom > end)
    list.scrollTop += Math.round((place.top - (top + end) / 2) / place.height) * place.height
  showWhole(list)
  list.scrollTop += Math.max(0, row.getBoundingClientRect().bottom - end)
  if (row.getBoundingClientRect().bottom > innerHeight) list.scrollIntoView({ block: 'nearest' })
}

/** Moves the rows down where the head or the day above them covers a part of one. */
function showWhole(list: Element): void {
  if (list.scrollTop === 0) return
  const above = ['thead', '.day'].map((part) => list.querySelector(part)?.getBoundingClientRect().bottom ?? 0)
  const edge = Math.max(...above)
  for (const row of list.querySelectorAll('tbody tr:not(.day)')) {
    const { top, bottom } = row.getBoundingClientRect()
    if (top < edge && edge < bottom) {
      list.scrollTop -= edge - top
      return
    }
  }
}

/** Marks the row whose record is shown, also after the list was pushed. */
function markShown(): void {
  const shown = beside()?.dataset.shown
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.panel-list .row-link'))
    if (link.pathname === shown) link.setAttribute('aria-current', 'true')
    else link.removeAttribute('aria-current')
}

/** Moves through the rows of the page's list; the record beside it follows. */
export function moveRow(step: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('main a[id^="row-"]')]
  const row = markedRow()
  const at = row === null ? -1 : links.indexOf(row)
  const next = links.at(at === -1 && step === -1 ? -1 : Math.min(Math.max(at + step, 0), links.length - 1))
  next?.focus()
  if (next !== undefined && beside()?.hidden === false) showBeside(next.pathname)
}
