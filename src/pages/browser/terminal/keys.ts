import { pinLength } from '../../../contract/control/pin.ts'
import { onPage } from '../on-page.ts'

/** A key of a terminal. */
export type PadKey = 'up' | 'down' | 'clear' | 'enter' | 'cancel' | `${number}`

const byName: Readonly<Record<string, PadKey>> = {
  Enter: 'enter',
  Escape: 'cancel',
  Backspace: 'clear',
  Delete: 'clear',
  ArrowUp: 'up',
  ArrowLeft: 'up',
  ArrowDown: 'down',
  ArrowRight: 'down',
}

/** True when the key means something to the element that has the focus. */
function takesKey(element: Element, key: PadKey): boolean {
  const moves = key === 'up' || key === 'down'
  if (element.matches('.sale select')) return moves // its options begin with no digit
  if (element.matches('select')) return true
  if (element.matches('input:read-write')) return key !== 'cancel'
  if (element.matches('[type=radio]')) return moves || key === 'enter'
  return key === 'enter' && element.matches('button, a, summary, [type=checkbox]')
}

/**
 * Keys of the terminal, on the page or the keyboard. `press` returns whether the key did something.
 */
export function watchKeys(press: (workbench: HTMLElement, key: PadKey) => boolean): void {
  if (document.documentElement.dataset.viewer !== undefined) return // its keys are hidden
  const workbench = document.querySelector<HTMLElement>('[data-terminal]')
  if (workbench === null) return

  onPage('mousedown', '.keypad', (_, event) => event.preventDefault()) // the focus stays where it was
  onPage('click', '[data-terminal] [data-key]', (button) => {
    press(workbench, button.dataset.key as PadKey)
  })

  document.addEventListener('keydown', (event) => {
    const { key: name, target } = event
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    const key = /^\d$/.test(name) ? (name as PadKey) : byName[name]
    if (key === undefined || !(target instanceof Element)) return
    if (document.querySelector('dialog[open]') !== null) return // the keyboard belongs to what is over the page
    if (takesKey(target, key) || !press(workbench, key)) return
    event.preventDefault()
    flash(workbench, key)
  })
}

function flash(workbench: HTMLElement, key: PadKey): void {
  const button = workbench.querySelector(key === 'cancel' ? '.key-cancel' : `[data-key="${key}"]`)
  button?.classList.add('key-pressed')
  setTimeout(() => button?.classList.remove('key-pressed'), 140)
}

/** Moves the focus to the next or previous button, in a circle. False when there is none. */
export function moveFocus(buttons: Iterable<HTMLElement>, way: 'up' | 'down'): boolean {
  const seen = [...buttons].filter((button) => button.checkVisibility())
  if (seen.length === 0) return false
  const at = seen.indexOf(document.activeElement as HTMLElement)
  const next = at < 0 ? (way === 'down' ? 0 : -1) : (at + (way === 'down' ? 1 : -1)) % seen.length
  seen.at(next)?.focus()
  return true
}

/** Digits that were typed on a PIN screen. They go with the screen, and never anywhere else. */
const typed = new WeakMap<Element, string>()

/** A key on the PIN screen: digits are counted, not shown; Enter sends only whether they were right. */
export function pressOnPin(screen: HTMLElement, key: PadKey, announce: (text: string) => void): boolean {
  const before = typed.get(screen) ?? ''
  if (key === 'enter') {
    if (before.length < pinLength.least)
      announce(`A PIN has ${pinLength.least} to ${pinLength.most} digits; ${before.length} typed`)
    else {
      typed.delete(screen)
      const right = before === screen.dataset.pin
      screen.querySelector<HTMLButtonElement>(`[name=correct][value=${right}]`)?.click()
    }
    return true
  }
  if (key !== 'clear' && !/^\d$/.test(key)) return false
  const now = key === 'clear' ? before.slice(0, -1) : (before + key).slice(0, pinLength.most)
  typed.set(screen, now)
  for (const [index, dot] of screen.querySelectorAll('[data-dots] i').entries())
    dot.classList.toggle('pin-typed', index < now.length)
  announce(`${now.length} ${now.length === 1 ? 'digit' : 'digits'}`)
  return true
}
