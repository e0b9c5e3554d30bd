import { onHtmx } from './htmx.ts'
import { announce } from './notices.ts'
import { onPage } from './on-page.ts'

/** How long a button says that it copied. Milliseconds. */
const saysSo = 1_500

/** Buttons that copy: a text of their own, or the body beside them. */
const copying = '[data-copy], [data-copy-body]'

const toCopy = (button: HTMLElement): string => button.dataset.copy ?? bodyBeside(button)

/** Makes the copy buttons work, including later ones. */
export function copyCommands(): void {
  /** Buttons that say something else for a while, with their usual label, by what they copied. */
  const saying = new Map<
    string,
    { button: HTMLElement; label: string; confirmation: string; timer: number }
  >()
  onPage('click', copying, async (button) => {
    const text = toCopy(button)
    const confirmation = (await copied(text)) ? 'Copied' : 'Select it and copy'
    end(text)
    const timer = window.setTimeout(() => end(text), saysSo)
    saying.set(text, { button, label: button.innerHTML, confirmation, timer })
    button.textContent = confirmation
    announce(confirmation)
  })

  function end(text: string): void {
    const before = saying.get(text)
    if (before === undefined) return
    clearTimeout(before.timer)
    before.button.innerHTML = before.label
    saying.delete(text)
  }

  /** The page was pushed meanwhile: the button that took its place says it on. */
  onHtmx('oobAfterSwap', () => {
    for (const [text, each] of saying) {
      if (each.button.isConnected) continue
      const next = [...document.querySelectorAll<HTMLElement>(copying)].find((one) => toCopy(one) === text)
      if (next === undefined) continue
      Object.assign(each, { button: next, label: next.innerHTML })
      next.textContent = each.confirmation
    }
  })
}

const bodyBeside = (button: Element): string =>
  button.closest('.body')?.querySelector('.body-text')?.textContent ?? ''

/** Copies a text; false where the browser forbids it or has no clipboard, as over plain HTTP. */
export const copied = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
