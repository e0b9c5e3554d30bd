/** Lets the point for now be dragged past events on the clock's rail: the clock goes to the last one passed. */
export function dragClock(root: ParentNode): void {
  const form = root.querySelector<HTMLFormElement>('[data-rail]')
  form?.addEventListener('pointerdown', (down) => {
    const now = down.target instanceof HTMLElement && down.target.closest<HTMLElement>('[data-rail-now]')
    if (!now || down.button !== 0) return
    down.preventDefault()
    const follow = new AbortController()
    const stops = () => [...form.querySelectorAll<HTMLElement>('[data-rail-stop]')]
    const passed = (y: number) => stops().filter((stop) => middleOf(stop) <= y)
    const move = ({ clientY }: PointerEvent) => {
      form
        .querySelector<HTMLElement>('[data-rail-now]')
        ?.style.setProperty('translate', `0 ${Math.max(0, clientY - down.clientY)}px`)
      const before = new Set(passed(clientY))
      for (const stop of stops()) stop.classList.toggle('rail-passed', before.has(stop))
    }
    const end = ({ clientY, type }: PointerEvent) => {
      follow.abort()
      move(down)
      if (type === 'pointerup') passed(clientY).at(-1)?.querySelector('button')?.click()
    }
    document.addEventListener('pointermove', move, follow)
    document.addEventListener('pointerup', end, follow)
    document.addEventListener('pointercancel', end, follow)
  })
}

function middleOf(element: HTMLElement): number {
  const { top, height } = element.getBoundingClientRect()
  return top + height / 2
}
