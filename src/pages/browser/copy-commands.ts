import { onHtmx } from './htmx.ts'

/** How long a button says that it copied. Milliseconds. */
const saysSo = 1_500

/** A button that says something else for a while. */
interface Saying {
  button: HTMLElement
  /** What is written on it otherwise. */
  label: string
  readonly said: string
  readonly timer: number
}

/** Lets the buttons that copy a command copy it, those that come later, too. */
export function copyCommands(page: Document): void {
  const saying = new Map<string, Saying>()
  page.addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-copy]') : null
    if (button === null) return
    const text = button.dataset.copy ?? ''
    const said = (await copied(text)) ? 'Copied' : 'Select it and copy'
    end(text)
    const timer = window.setTimeout(() => end(text), saysSo)
    saying.set(text, { button, label: button.innerHTML, said, timer })
    button.textContent = said
  })

  /** What is written on the button is as before. */
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
      const next = [...page.querySelectorAll<HTMLElement>('[data-copy]')].find(
        ({ dataset }) => dataset.copy === text,
      )
      if (next === undefined) continue
      Object.assign(each, { button: next, label: next.innerHTML })
      next.textContent = each.said
    }
  })
}

/** A browser may forbid it. */
const copied = (text: string): Promise<boolean> =>
  navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  )
