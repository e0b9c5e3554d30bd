import { watchLink } from '../connection-notice.ts'
import { carry } from './card-animation.ts'
import { watchParts } from './fragments.ts'
import { type Key, watchKeys } from './keys.ts'
import { step } from './move-focus.ts'
import { pressOnPin } from './pin-pad.ts'
import { watchRefusals } from './refusals.ts'
import { signOn, wipe } from './signature-pad.ts'
import { pressOnTip } from './tip-pad.ts'

/** What the page of terminals does in the browser. Without it the page works too, and looks again by itself. */

const screenOf = (counter: HTMLElement) => counter.querySelector<HTMLElement>('[data-screen]')

function announce(counter: HTMLElement, text: string): void {
  const place = counter.querySelector('[data-announce]')
  if (place !== null) place.textContent = text
}

function press(counter: HTMLElement, key: Key): boolean {
  if (key === 'cancel') {
    counter.querySelector<HTMLButtonElement>('.key-cancel')?.click()
    return true
  }
  const screen = screenOf(counter)
  const pin = screen?.querySelector<HTMLElement>('.pin')
  if (pin) return pressOnPin(pin, key, (text) => announce(counter, text))
  switch (screen?.dataset.screen) {
    case 'tip':
      return pressOnTip(screen, key)
    case 'present-card':
    case 'insert-card':
      return (key === 'up' || key === 'down') && step(counter.querySelectorAll('.held-card'), key)
    case 'signature': {
      if (key === 'clear') wipe(screen)
      if (key === 'enter') screen.querySelector<HTMLButtonElement>('[type=submit]')?.click()
      return key === 'clear' || key === 'enter'
    }
    default:
      return false
  }
}

/** A new screen is read out, and made ready to be used. */
function ready(counter: HTMLElement): void {
  const screen = screenOf(counter)
  const canvas = screen?.querySelector<HTMLCanvasElement>('[data-signature]')
  if (canvas) signOn(canvas)
  announce(counter, screen?.dataset.says ?? '')
}

document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return
  const counter = target.closest<HTMLElement>('[data-terminal]')
  if (counter === null) return
  if (target.closest('[data-wipe]')) wipe(counter)
  if (target.closest('[data-print]')) print(counter)
  if (target.closest('[data-close]')) target.closest('.part-problem')?.replaceChildren()
  const way = target.closest<HTMLButtonElement>('button[name=card]')
  const card = way?.closest('li')?.querySelector<HTMLElement>('.card')
  if (way && card) carry(card, counter, way.value.split(' ')[1] ?? '')
})

/** Prints the receipts of one terminal, both copies. */
function print(counter: HTMLElement): void {
  counter.dataset.printing = ''
  window.addEventListener('afterprint', () => delete counter.dataset.printing, { once: true })
  window.print()
}

watchLink(document)
watchRefusals()
watchKeys(press)
watchParts((counter, kind) => {
  if (kind === 'screen') ready(counter)
})
for (const counter of document.querySelectorAll<HTMLElement>('[data-terminal]')) ready(counter)
