import { openDrawers } from '../action-drawer.ts'
import { copyCommands } from '../copy-commands.ts'
import { watchMenus } from '../menus.ts'
import { announce, keepToast, sendOnce, watchConnection, watchLoading } from '../notices.ts'
import { onPage, reloadKept } from '../on-page.ts'
import { watchPalette } from '../palette.ts'
import { followCurrency, pressOnSale, pressOnTip, saleIn } from './amounts.ts'
import { watchFragments, watchRefusals } from './fragments.ts'
import { moveFocus, type PadKey, pressOnPin, watchKeys } from './keys.ts'
import { signOn, wipe } from './signature-pad.ts'

/** Script of the terminal page. Without it the page works too, and reloads itself. */

const findScreen = (workbench: HTMLElement) => workbench.querySelector<HTMLElement>('[data-screen]')

function press(workbench: HTMLElement, key: PadKey): boolean {
  if (key === 'cancel') {
    workbench.querySelector<HTMLButtonElement>('.key-cancel')?.click()
    return true
  }
  const screen = findScreen(workbench)
  const sale = saleIn(workbench)
  if (sale) return pressOnSale(sale, key, (text) => announce(text, workbench))
  const pin = screen?.querySelector<HTMLElement>('.pin')
  if (pin) return pressOnPin(pin, key, (text) => announce(text, workbench))
  switch (screen?.dataset.screen) {
    case 'tip':
      return pressOnTip(screen, key)
    case 'present-card':
    case 'insert-card':
      return (
        (key === 'up' || key === 'down') && moveFocus(workbench.querySelectorAll('.card-choice-button'), key)
      )
    case 'signature': {
      if (key === 'clear') wipe(screen)
      if (key === 'enter') screen.querySelector<HTMLButtonElement>('[type=submit]')?.click()
      return key === 'clear' || key === 'enter'
    }
    default:
      return false
  }
}

/** A new screen is read out, and made ready to be used. The next outcome is that of one payment. */
function ready(workbench: HTMLElement): void {
  const screen = findScreen(workbench)
  const canvas = screen?.querySelector<HTMLCanvasElement>('[data-signature]')
  if (canvas) signOn(canvas)
  const outcome = workbench.querySelector<HTMLSelectElement>('select[name=outcome]')
  if (outcome !== null && screen?.dataset.screen === 'result') outcome.selectedIndex = 0
  announce(screen?.dataset.announcement ?? '', workbench)
}

document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return
  const workbench = target.closest<HTMLElement>('[data-terminal]')
  if (workbench === null) return
  if (target.closest('.key-cancel')) {
    const sale = saleIn(workbench)
    if (sale) pressOnSale(sale, 'cancel', (text) => announce(text, workbench))
  }
  if (target.closest('[data-wipe]')) wipe(workbench)
  if (target.closest('[data-close]')) target.closest('.fragment-refusal')?.replaceChildren()
})

onPage('change', 'form.sale', followCurrency)

onPage('click', '[data-print]', () => window.print())

copyCommands()
openDrawers()
watchConnection()
watchLoading()
watchMenus()
watchPalette()
keepToast()
sendOnce()
reloadKept()
watchRefusals()
watchKeys(press)
watchFragments((workbench, kind) => {
  if (kind === 'screen') ready(workbench)
})
for (const workbench of document.querySelectorAll<HTMLElement>('[data-terminal]')) ready(workbench)
