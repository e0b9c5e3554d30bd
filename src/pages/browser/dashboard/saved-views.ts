import { sandboxPath, storageKey } from '../htmx.ts'

/** Views of the list that this browser keeps: a name and the address's query each. */

interface SavedView {
  readonly name: string
  readonly query: string
}

/** Key in the browser's storage. */
const key = storageKey('tillbox-views')

/** Most views that are kept. */
const most = 20

/** Parameters for a position in a view, or a record beside it, which are not saved. */
const passing = ['notice', 'chart', 'currency', 'before', 'after', 'open', 'start', 'token']

function readViews(): SavedView[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(read) ? read.filter(isView) : []
  } catch {
    return [] // storage is switched off, or holds something else
  }
}

const isView = (each: Partial<SavedView> | null): each is SavedView =>
  typeof each?.name === 'string' && typeof each.query === 'string'

/** Keeps the views; returns why it cannot, or an empty text. A browser may refuse storage, or have no more of it. */
function keep(views: readonly SavedView[]): string {
  try {
    localStorage.setItem(key, JSON.stringify(views))
    return ''
  } catch {
    return 'The storage of this browser is full or switched off: bookmark the address'
  }
}

function viewQuery(search: string): string {
  const query = new URLSearchParams(search)
  for (const [name, value] of [...query]) if (value === '' || passing.includes(name)) query.delete(name)
  query.sort()
  return query.toString()
}

/** Shows the kept views as links over the list, and keeps the present one under a name. */
export function keepViews(): void {
  const bar = document.querySelector<HTMLElement>('[data-views]')
  const list = bar?.querySelector('ul')
  const model = bar?.querySelector('template')?.content.firstElementChild
  const saving = document.querySelector<HTMLDetailsElement>('[data-save-view]')
  if (!bar || !list || !model || !saving) return

  const draw = () => {
    const views = readViews()
    const here = viewQuery(location.search)
    list.replaceChildren(...views.map((view) => viewItem(model, view, view.query === here)))
    bar.hidden = views.length === 0
    saving.hidden = here === '' || views.some(({ query }) => query === here)
    saving.open = false
  }

  const field = saving.querySelector('input')
  saving.addEventListener('toggle', () => {
    field?.setCustomValidity('')
    field?.focus()
  })
  saving.addEventListener('input', () => field?.setCustomValidity(''))
  saving.addEventListener('submit', (event) => {
    event.preventDefault()
    const name = field?.value.trim() ?? ''
    if (!field || name === '') return
    const others = readViews().filter((view) => view.name !== name)
    const all = [...others, { name, query: viewQuery(location.search) }]
    field.setCustomValidity(all.length > most ? `${most} views are kept: remove one first` : keep(all))
    if (!field.reportValidity()) return
    field.value = ''
    draw()
    list.querySelector<HTMLElement>('[aria-current]')?.focus()
  })
  list.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('button') : null
    if (button === null) return
    keep(readViews().filter(({ name }) => name !== button.dataset.name))
    draw()
    const next = list.querySelector('button') ?? document.querySelector<HTMLElement>('#main')
    next?.focus({ preventScroll: true })
  })
  draw()
}

function viewItem(model: Element, { name, query }: SavedView, isHere: boolean): Element {
  const item = document.importNode(model, true)
  const link = item.querySelector('a')
  const button = item.querySelector('button')
  if (link === null || button === null) return item
  link.textContent = name
  link.href = sandboxPath(`/?${query}`)
  if (isHere) link.setAttribute('aria-current', 'true')
  button.dataset.name = name
  button.setAttribute('aria-label', `Remove the view ${name}`)
  return item
}
