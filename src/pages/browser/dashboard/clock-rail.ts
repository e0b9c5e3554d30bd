import { onHtmx } from '../htmx.ts'
import { onPage } from '../on-page.ts'

/** On the clock's rail, the point of the present time can be dragged: to the last event it passed. */
export function dragClock(): void {
  const form = document.querySelector('[data-rail]')
  if (form === null || document.documentElement.dataset.viewer !== undefined) return
  let isDragging = false
  onHtmx<{ shouldSwap: boolean }>('oobBeforeSwap', (target, swap) => {
    if (isDragging && form.contains(target)) swap.shouldSwap = false
  })
  onPage('pointerdown', '[data-rail-now]', (now, down) => {
    if (down.button !== 0) return
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
