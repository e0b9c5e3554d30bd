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
