import { showBeside } from './dashboard/list.ts'
import { onHtmx, submittedFields } from './htmx.ts'
import { noteAnswer, showProgress, showToast } from './notices.ts'
import { onPage, openDialog } from './on-page.ts'

/** How long one stops typing before the commands below a form follow. Milliseconds. */
const pause = 200

/** Opens action forms in a drawer over the page, and keeps what stands around a form true. */
export function openDrawers(): void {
  onPage('click', 'a[data-drawer], dialog a[data-close]', (link: HTMLAnchorElement, event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    if (link.matches('[data-drawer]')) openDrawer(link.href)
    else link.closest('dialog')?.close()
  })
  onPage('submit', 'dialog [data-action-form]', (form: HTMLFormElement, event) => {
    event.preventDefault()
    if (form.ariaBusy !== 'true') send(form)
  })
  let waiting = 0
  const refreshSoon = (form: HTMLFormElement) => {
    clearTimeout(waiting)
    waiting = window.setTimeout(() => refresh(form), pause)
  }
  onPage('input', '[data-action-form]', (form: HTMLFormElement) => {
    form.parentElement?.querySelector('[data-equivalents]')?.toggleAttribute('inert', true)
    refreshSoon(form)
  })
  onHtmx('oobAfterSwap', () => {
    const form = document.querySelector<HTMLFormElement>('dialog [data-about] ~ [data-action-form]')
    if (form !== null) refreshSoon(form)
  })
}

/** Opens a drawer in place of one that `instead` finds. What has no drawer is opened as a page. */
export async function openDrawer(href: string, instead = '.drawer'): Promise<void> {
  document.querySelector(instead)?.remove()
  const drawer = document.body.appendChild(document.createElement('dialog'))
  drawer.className =
    'drawer m-0 ms-auto h-dvh max-h-none w-[min(37rem,100vw)] max-w-none overflow-y-auto text-sm *:[.panel]:m-0 *:[.panel]:border-0 *:[.panel]:bg-transparent has-[.keys-sheet,.question]:mx-auto has-[.keys-sheet,.question]:mt-[8dvh] has-[.keys-sheet,.question]:h-fit has-[.keys-sheet,.question]:max-h-[84dvh] has-[.keys-sheet,.question]:w-[min(46rem,calc(100vw-1.5rem))] has-[.keys-sheet,.question]:rounded-lg has-[.question]:max-w-136'
  drawer.addEventListener('close', () => drawer.remove())
  showProgress(true)
  const answer = await fetch(href).catch(() => null)
  noteAnswer(answer)
  const content = answer && (await drawerContent(answer))
  showProgress(false)
  if (!drawer.isConnected) return
  if (content === null) {
    drawer.remove()
    if (answer !== null) location.assign(href)
    return
  }
  drawer.append(content)
  drawer.setAttribute('aria-labelledby', content.querySelector('h1')?.id ?? '')
  openDialog(drawer)
  focusFirst(drawer)
}

/**
 * A success leads to its page, or shows it beside the list; a refusal is shown in the drawer. Sending a form
 * twice acts once. What was typed stays while the sandbox does not answer; the page says so.
 */
async function send(form: HTMLFormElement): Promise<void> {
  form.ariaBusy = 'true'
  const answer = await fetch(form.action, { method: 'POST', body: submittedFields(form) }).catch(() => null)
  noteAnswer(answer)
  if (answer === null) {
    form.ariaBusy = null
    return
  }
  const drawer = form.closest('dialog')
  if (answer.redirected) {
    drawer?.close()
    const { pathname } = new URL(answer.url)
    if (showBeside(pathname)) return showToast(await answer.text())
    return location[pathname === location.pathname ? 'replace' : 'assign'](answer.url)
  }
  const content = await drawerContent(answer)
  if (!content) return form.submit()
  drawer?.replaceChildren(content)
  if (drawer) focusFirst(drawer)
}

let lastRequest = 0

/** Shows what is left and the commands for what is typed; or why it is not possible any more. */
async function refresh(form: HTMLFormElement): Promise<void> {
  const mine = ++lastRequest
  const fields = submittedFields(form)
  fields.delete('transactionRequestId')
  const content = await drawerContent(fetch(`${form.action}?${fields}`))
  if (mine !== lastRequest || form.ariaBusy === 'true' || !form.isConnected) return // more was typed or sent
  const shown = form.parentElement
  if (content === null || shown === null) return
  if (content.querySelector('form') === null) {
    shown.replaceWith(content)
    return focusFirst(content)
  }
  for (const part of ['[data-about]', '[data-equivalents]']) {
    const next = content.querySelector(part)
    if (next !== null) shown.querySelector(part)?.replaceWith(next)
  }
}

/** What belongs into a drawer of a page that was asked for; null for any other page, or none. */
async function drawerContent(response: Response | Promise<Response>): Promise<Element | null> {
  try {
    const text = await (await response).text()
    const content = new DOMParser().parseFromString(text, 'text/html').querySelector('[data-drawer-content]')
    return content && document.importNode(content, true)
  } catch (error) {
    if (error instanceof TypeError) return null // the sandbox does not answer; the page says so
    throw error
  }
}

/** What the page names: an invalid field, the link back, else the first field or the button. */
export const focusFirst = (drawer: ParentNode): void =>
  ['[autofocus]', 'form :is(input, select):not([type=hidden], [type=radio])', '[type=submit]', '[data-close]']
    .map((selector) => drawer.querySelector<HTMLElement>(selector))
    .find((element) => element !== null)
    ?.focus({ preventScroll: true })
