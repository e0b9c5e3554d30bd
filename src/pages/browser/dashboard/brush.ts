import { ownPath } from '../htmx.ts'

/** How far the pointer moves before it is a drag, not a press on a bar. Pixels. */
const slack = 5

/** A drag over a chart. */
interface Drag {
  readonly from: number
  readonly box: DOMRect
  /** When each bar begins, and when the last one ends. */
  readonly times: readonly string[]
  readonly tip: Element | null
  /** The shaded range of hours; null while it may still be a click on a bar. */
  shade: HTMLElement | null
}

/** A drag over the bars of a chart filters the list by their time; the date fields do the same by keyboard. */
export function brushCharts(page: Document): void {
  let drag: Drag | null = null
  let wasDrag = false

  const end = () => {
    drag?.shade?.remove()
    drag = null
  }

  /** The bars that the drag covers: the first, and the one after the last. */
  const covered = ({ from, box, times }: Drag, to: number): [number, number] => {
    const bars = times.length - 1
    const at = (x: number) => Math.min(bars - 1, Math.max(0, Math.floor(((x - box.left) / box.width) * bars)))
    return [at(Math.min(from, to)), at(Math.max(from, to)) + 1]
  }

  page.addEventListener('pointerdown', ({ target, clientX, button, isPrimary }) => {
    wasDrag = false
    const bars = target instanceof Element ? target.closest<SVGElement>('[data-times]') : null
    if (bars === null || button !== 0 || !isPrimary) return
    drag = {
      from: clientX,
      box: bars.getBoundingClientRect(),
      times: bars.dataset.times?.split(' ') ?? [],
      tip: bars.closest('[data-chart]')?.querySelector('[data-chart-tip]') ?? null,
      shade: null,
    }
  })

  page.addEventListener('pointermove', ({ clientX }) => {
    if (drag === null || (drag.shade === null && Math.abs(clientX - drag.from) < slack)) return
    drag.shade ??= page.body.appendChild(shadeOver(page, drag.box))
    const [first, last] = covered(drag, clientX)
    const width = drag.box.width / (drag.times.length - 1)
    drag.shade.style.left = `${drag.box.left + first * width}px`
    drag.shade.style.width = `${(last - first) * width}px`
    if (drag.tip) drag.tip.textContent = `${hour(drag.times[first])} – ${hour(drag.times[last])}`
  })

  page.addEventListener('pointerup', ({ clientX }) => {
    const done = drag
    end()
    if (done === null || done.shade === null) return
    wasDrag = true
    const [first, last] = covered(done, clientX)
    const query = new URLSearchParams(location.search)
    for (const name of ['when', 'before', 'after', 'notice', 'start', 'span']) query.delete(name)
    query.set('since', done.times[first] ?? '')
    query.set('until', done.times[last] ?? '')
    location.assign(ownPath(`/?${query}`))
  })

  page.addEventListener('pointercancel', end)
  page.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') end()
  })
  /** A bar is a link: a drag that ends on it does not follow it, nor drags it away. */
  page.addEventListener('dragstart', (event) => {
    if (drag !== null) event.preventDefault()
  })
  page.addEventListener('click', (event) => {
    if (wasDrag) event.preventDefault()
    wasDrag = false
  })
}

const hour = (time = ''): string => time.slice(5).replace('T', ' ')

function shadeOver(page: Document, { top, height }: DOMRect): HTMLElement {
  const shade = page.createElement('div')
  shade.className = 'brush'
  shade.style.top = `${top}px`
  shade.style.height = `${height}px`
  return shade
}

/** Describes the bar under the pointer or focus; arrow keys move between bars. */
export function readCharts(page: Document): void {
  const barOf = (target: EventTarget | null) =>
    target instanceof Element ? target.closest<SVGAElement>('[data-chart] a') : null
  const tipOf = (bar: SVGAElement) => bar.closest('[data-chart]')?.querySelector('[data-chart-tip]')
  const tell = ({ target }: Event) => {
    const bar = barOf(target)
    const tip = bar && tipOf(bar)
    if (tip) tip.textContent = (bar.getAttribute('aria-label') ?? '').replace(/^\d{4}-/, '')
  }
  const hush = ({ target }: Event) => {
    const bar = barOf(target)
    const tip = bar && tipOf(bar)
    if (tip) tip.textContent = ''
  }
  for (const name of ['pointerover', 'focusin']) page.addEventListener(name, tell)
  for (const name of ['pointerout', 'focusout']) page.addEventListener(name, hush)
  page.addEventListener('keydown', (event) => {
    const bar = barOf(event.target)
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (bar === null || step === undefined) return
    const bars = [...(bar.parentElement?.querySelectorAll<SVGAElement>('a') ?? [])]
    bars[bars.indexOf(bar) + step]?.focus()
    event.preventDefault()
  })
}
