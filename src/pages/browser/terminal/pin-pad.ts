import { pinLength } from '../../../contract/sandbox/pin.ts'
import type { PadKey } from './keys.ts'

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
