import { ownPath } from './htmx.ts'
import { refusalIn } from './notices.ts'

/** The palette: goes anywhere, finds any transaction, and gives the orders of the masthead, by keyboard alone. */

/** Keys that go to a list, after `g`. */
const pathByKey: Readonly<Record<string, string>> = {
  t: '/',
  b: '/batches',
  w: '/webhooks',
  m: '/terminals',
  r: '/requests',
  d: '/docs',
  h: '/',
}

/** How long the second key of `g t` is waited for. Milliseconds. */
const secondKeyWithin = 1_500

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, select, textarea, [contenteditable], dialog') !== null

/** Watches the keys of the page, except in text fields. */
export function watchPalette(): void {
  const dialog = document.querySelector<HTMLDialogElement>('[data-palette]')
  if (dialog === null) return
  const open = (query = '') => show(dialog, query)
  let goneBefore = Number.NEGATIVE_INFINITY
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('[data-open-palette]')) open()
  })
  document.addEventListener('keydown', (event) => {
    const { key, metaKey, ctrlKey, altKey, target, timeStamp } = event
    if (key.toLowerCase() === 'k' && (metaKey || ctrlKey) && !altKey) {
      event.preventDefault()
      if (dialog.open) dialog.close()
      else open()
      return
    }
    if (metaKey || ctrlKey || altKey || event.defaultPrevented || isTyping(target)) return
    const isSecond = timeStamp - goneBefore < secondKeyWithin
    goneBefore = key === 'g' ? timeStamp : Number.NEGATIVE_INFINITY
    const path = isSecond ? pathByKey[key] : undefined
    if (path !== undefined) location.assign(ownPath(path))
    else if (key === '?') {
      event.preventDefault() // or it is typed into the field, too
      open('?')
    } else if (key === '/') focusSearch(event)
    else if (key === 'j' || key === 'k') moveRow(key === 'j' ? 1 : -1)
  })
  watchOptions(dialog)
}

function focusSearch(event: KeyboardEvent): void {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]')
  if (field === null) return
  event.preventDefault()
  field.focus()
  field.select()
}

/** Moves the focus through the rows of the page's list; Enter opens the focused row. */
function moveRow(step: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('main tbody tr a[id^="row-"]')]
  const at = links.indexOf(document.activeElement as HTMLElement)
  const next = at === -1 ? (step === 1 ? 0 : -1) : at + step
  if (at === -1 || (next >= 0 && next < links.length)) links.at(next)?.focus()
}

function show(dialog: HTMLDialogElement, query: string): void {
  const field = dialog.querySelector('input')
  if (field === null) return
  field.value = query
  if (!dialog.open) dialog.showModal()
  field.focus()
  field.dispatchEvent(new Event('input'))
}

/** The field keeps the focus; arrows choose among what fits, Enter does it. */
function watchOptions(dialog: HTMLDialogElement): void {
  const field = dialog.querySelector('input')
  const list = dialog.querySelector<HTMLElement>('[role=listbox]')
  if (field === null || list === null) return
  const options = () => [...list.querySelectorAll<HTMLElement>('[role=option]')]
  const chosen = () => list.querySelector<HTMLElement>('[aria-selected=true]')
  const choose = (option: HTMLElement | undefined) => {
    chosen()?.setAttribute('aria-selected', 'false')
    option?.setAttribute('aria-selected', 'true')
    option?.scrollIntoView({ block: 'nearest' })
    field.setAttribute('aria-activedescendant', option?.id ?? '')
  }
  let lastRequest = 0
  field.addEventListener('input', async () => {
    const mine = ++lastRequest
    choose(undefined) // what is listed belongs to the text before
    const answer = await fetch(ownPath(`/palette?q=${encodeURIComponent(field.value)}`)).catch(() => null)
    const text = await answer?.text().catch(() => undefined)
    if (mine !== lastRequest) return // another letter was typed meanwhile
    if (answer === null || text === undefined) list.textContent = 'The sandbox does not answer.'
    else if (answer.ok) list.innerHTML = text
    else list.textContent = refusalIn(text, answer.status)
    choose(options()[0])
  })
  // Keys of the palette are no keys of the page below it, where Escape cancels a payment.
  dialog.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) event.stopPropagation()
    const all = options()
    const now = chosen()
    const at = now === null ? -1 : all.indexOf(now)
    if (event.key === 'ArrowDown') choose(all[(at + 1) % all.length])
    else if (event.key === 'ArrowUp') choose(all.at(at <= 0 ? -1 : at - 1))
    else if (event.key === 'Enter') chosen()?.click()
    else return
    event.preventDefault()
  })
}
