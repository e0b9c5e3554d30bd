import { actionKeys, goTo } from '../keys.ts'
import { openDrawer } from './action-drawer.ts'
import { markedRow, moveRow } from './dashboard/list.ts'
import { sandboxPath } from './htmx.ts'
import { announce, refusalIn } from './notices.ts'
import { onPage, openDialog } from './on-page.ts'
import { pageActions } from './page-actions.ts'

/** The palette: all that a page or a menu can do, and any payment, by keyboard alone; and the keys. */

/** How long the second key of `g t` is waited for. Milliseconds. */
const secondKeyWithin = 1_500

const isWithin = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null

/** Watches the keys of the page, except in text fields. */
export function watchPalette(): void {
  const dialog = document.querySelector<HTMLDialogElement>('[data-palette]')
  if (dialog === null) return
  let goneBefore = Number.NEGATIVE_INFINITY
  onPage('click', '[data-open-palette]', () => show(dialog))
  document.addEventListener('keydown', (event) => {
    const { key, metaKey, ctrlKey, altKey, target, timeStamp } = event
    if (key.toLowerCase() === 'k' && (metaKey || ctrlKey) && !altKey) {
      event.preventDefault()
      if (dialog.open) dialog.close()
      else show(dialog)
      return
    }
    const sent = key === 'Enter' && (metaKey || ctrlKey) && target instanceof Element
    const form = sent ? target.closest<HTMLFormElement>('form:has(textarea)') : null
    if (form !== null) event.preventDefault()
    form?.requestSubmit()
    if (metaKey || ctrlKey || altKey || event.defaultPrevented) return
    if (isWithin(target, 'input, select, textarea, [contenteditable]')) return
    if (key === '?') {
      event.preventDefault()
      openDrawer(sandboxPath('/keys'), '.drawer:not(:has(.action-panel))') // a form stays below it
    }
    if (isWithin(target, 'dialog')) return
    const isSecond = timeStamp - goneBefore < secondKeyWithin
    goneBefore = key === 'g' ? timeStamp : Number.NEGATIVE_INFINITY
    const [path] = (isSecond && goTo[key]) || []
    if (path !== undefined) location.assign(sandboxPath(path))
    else if (key === '/') focusSearch(event)
    else if (key === 'j' || key === 'k') moveRow(key === 'j' ? 1 : -1)
    else if (actOnRow(key) || pressKey(key)) event.preventDefault()
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

/** What a key does with the marked row of a list; false where it means nothing. */
function actOnRow(key: string): boolean {
  const row = markedRow()
  if (row === null) return false
  if (row.hasAttribute('aria-current') && pressKey(key)) return true // what is shown has its own buttons
  const { pathname } = row
  const id = pathname.split('/').at(-1)
  const isPayment = pathname === sandboxPath(`/transactions/${id}`)
  const mayAct = document.documentElement.dataset.viewer === undefined
  const box = row.closest('tr')?.querySelector<HTMLInputElement>('.pick input')
  if (isPayment && key === 'q') location.assign(sandboxPath(`/requests?transactionId=${id}`))
  else if (!mayAct) return false
  else if (isPayment && actionKeys[key] !== undefined) openDrawer(`${pathname}/${actionKeys[key]}`)
  else if (box?.form && key === 'r') {
    for (const other of document.querySelectorAll<HTMLInputElement>('.pick input')) other.checked = false
    box.checked = true
    box.form.requestSubmit()
  } else return false
  return true
}

/** Presses what is seen and has the key: in the record beside a list, or on the page. False: none. */
function pressKey(key: string): boolean {
  const having = `[aria-keyshortcuts="${CSS.escape(key)}"]`
  const pressed = [`#beside ${having}`, having]
    .flatMap((each) => [...document.querySelectorAll<HTMLElement>(each)])
    .find((each) => each.checkVisibility({ visibilityProperty: true }))
  pressed?.click()
  return pressed !== undefined
}

/** Path of the page, without the base path of its space. */
const pathBelow = (): string => location.pathname.slice(sandboxPath('').length)

function show(dialog: HTMLDialogElement): void {
  const field = dialog.querySelector('input')
  if (field === null) return
  field.value = ''
  if (!dialog.open) openDialog(dialog)
  field.focus()
  field.dispatchEvent(new Event('input'))
}

const nothingFound = 'Nothing found. Type an amount, an id, an outcome or a page.'

/** The field keeps the focus; arrows choose among what fits, Enter does it. */
function watchOptions(dialog: HTMLDialogElement): void {
  const field = dialog.querySelector('input')
  const list = dialog.querySelector<HTMLElement>('[role=listbox]')
  if (field === null || list === null) return
  const options = () =>
    [...list.querySelectorAll<HTMLElement>('[role=option]')].filter((each) => each.checkVisibility()) // a viewer sees few
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
    const query = new URLSearchParams({ q: field.value, at: pathBelow() })
    const answer = await fetch(sandboxPath(`/palette?${query}`)).catch(() => null)
    const text = await answer?.text().catch(() => undefined)
    if (mine !== lastRequest) return // another letter was typed meanwhile
    if (answer === null || text === undefined) list.textContent = 'The sandbox does not answer.'
    else if (answer.ok) {
      list.innerHTML = text
      const ofPage = pageActions(field.value)
      if (ofPage !== null) list.prepend(ofPage)
      if (options().length === 0) list.textContent = nothingFound
    } else list.textContent = refusalIn(text, answer.status)
    announce(options().length === 0 ? list.textContent : '', dialog)
    choose(options()[0])
  })
  // What it opens takes its place; a copied text is confirmed on its option.
  list.addEventListener(
    'click',
    ({ target }) => {
      if (target instanceof Element && target.closest('[role=option]:not([data-copy])')) dialog.close()
    },
    { capture: true },
  )
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
