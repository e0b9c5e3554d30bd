/** Folds that open over the page, as menus do. */
const overPage = 'details[open]:has(> .popover)'

/** Closes a menu by Escape, and a menu or dialog by a press beside it. Without scripts: its button. */
export function watchMenus(): void {
  // A form that adds to a list opens at its first field.
  document.addEventListener(
    'toggle',
    ({ target }) =>
      target instanceof Element && target.querySelector<HTMLElement>('.add[open] input')?.focus(),
    { capture: true },
  )
  const opened = () => document.querySelector<HTMLDetailsElement>(overPage)
  let pressed: EventTarget | null = null
  document.addEventListener('pointerdown', ({ target }) => {
    pressed = target
  })
  document.addEventListener('click', ({ target }) => {
    const menu = opened()
    if (menu !== null && target instanceof Node && !menu.contains(target)) menu.open = false
    if (target instanceof HTMLDialogElement && target === pressed) target.close()
  })
  // Before the keys of a terminal, which would cancel the payment.
  window.addEventListener(
    'keydown',
    (event) => {
      const menu = opened()
      if (event.key !== 'Escape' || menu === null) return
      event.preventDefault()
      event.stopImmediatePropagation()
      menu.open = false
      menu.querySelector('summary')?.focus()
    },
    { capture: true },
  )
}
