import { onHtmx } from '../htmx.ts'

/** On the clock's rail, the point that marks the present time can be dragged: the clock goes to the last event that it passed. */
export function dragClock(root: ParentNode): void {
  const form = root.querySelector<HTMLFormElement>('[data-rail]')
  if (form === null) return
  let isDragging = false
  onHtmx<{ shouldSwap: boolean }>('oobBeforeSwap', (target, swap) => {
    if (isDragging && form.contains(target)) swap.shouldSwap = false
  })
  form.addEventListener('pointerdown', (down) => {
    const now = down.target instanceof Element && down.target.closest<HTMLElement>('[data-rail-now]')
    if (!now || down.button !== 0) return
    down.preventDefault()
    isDragging = true
    const over = new AbortController()
    const stops = [...form.querySelectorAll<HTMLElement>('[data-rail-stop]')]
    const move = ({ clientY }: PointerEvent) => {
      now.style.setProperty('translate', `0 ${Math.max(0, clientY - down.clientY)}px`)
      for (const stop of stops) stop.classList.toggle('rail-passed', middleY(stop) <= clientY)
    }
    const end = ({ type }: PointerEvent) => {
      over.abort()
      isDragging = false
      const last = [...form.querySelectorAll('.rail-passed')].at(-1)?.querySelector('button')
      if (type === 'pointerup' && last) last.click()
      else move(down)
    }
    document.addEventListener('pointermove', move, over)
    document.addEventListener('pointerup', end, over)
    document.addEventListener('pointercancel', end, over)
  })
}

function middleY(element: HTMLElement): number {
  const { top, height } = element.getBoundingClientRect()
  return top + height / 2
}
