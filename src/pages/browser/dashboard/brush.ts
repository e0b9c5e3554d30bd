/** How far the pointer moves before it is a drag, not a press on a bar. Pixels. */
const slack = 5

/**
 * A drag over the bars of a chart makes their time that of the page; arrow keys move between bars. The time
 * range does the same without.
 */
export function brushCharts(): void {
  /** Where a drag began; null while there is none. */
  let from: number | null = null
  let isDrag = false

  const allBars = () => [...document.querySelectorAll<HTMLAnchorElement>('[data-bars] a')]

  /** The bars between the beginning of the drag and the pointer. */
  const covered = (to: number) =>
    allBars().filter((bar) => {
      const { left, right } = bar.getBoundingClientRect()
      return right > Math.min(from ?? to, to) && left < Math.max(from ?? to, to)
    })

  const end = () => {
    from = null
    for (const bar of allBars()) bar.classList.remove('brushed')
  }

  document.addEventListener('pointerdown', ({ target, clientX, button, isPrimary }) => {
    isDrag = false
    if (target instanceof Element && target.closest('[data-bars]') && button === 0 && isPrimary)
      from = clientX
  })
  document.addEventListener('pointermove', ({ clientX }) => {
    if (from === null || (!isDrag && Math.abs(clientX - from) < slack)) return
    isDrag = true
    const brushed = covered(clientX)
    for (const bar of allBars()) bar.classList.toggle('brushed', brushed.includes(bar))
  })
  document.addEventListener('pointerup', ({ clientX }) => {
    const bars = from !== null && isDrag ? covered(clientX) : []
    end()
    const [first, last] = [bars[0], bars.at(-1)]
    if (first === undefined || last === undefined) return
    const address = new URL(first.href)
    address.searchParams.set('until', new URL(last.href).searchParams.get('until') ?? '')
    location.assign(address)
  })
  document.addEventListener('pointercancel', end)

  /** A bar is a link: a drag that ends on it does not follow it, nor drags it away. */
  document.addEventListener('dragstart', (event) => {
    if (from !== null) event.preventDefault()
  })
  document.addEventListener('click', (event) => {
    if (isDrag) event.preventDefault()
    isDrag = false
  })

  document.addEventListener('keydown', ({ key, target }) => {
    if (key === 'Escape') end()
    const bars = allBars()
    const at = bars.indexOf(target as HTMLAnchorElement)
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key]
    if (at >= 0 && step !== undefined) bars[at + step]?.focus()
  })
}
