/** Final position and look of a card for each entry mode. */
const ends: Readonly<Record<string, { readonly y: number; readonly last: string }>> = {
  tap: { y: 0.3, last: 'scale(0.7) rotate(-6deg)' },
  scan: { y: 0.3, last: 'scale(0.7) rotate(4deg)' },
  insert: { y: 1, last: 'scale(0.8) rotate(90deg)' },
  swipe: { y: 0.9, last: 'scale(0.7) rotate(90deg)' },
  key: { y: 0.7, last: 'scale(0.5)' },
}

/** Animates the card's movement to the terminal. Nothing waits for it. */
export function animateCard(card: HTMLElement, workbench: HTMLElement, way: string): void {
  const device = workbench.querySelector('.device-body')
  const end = ends[way]
  if (device === null || end === undefined || matchMedia('(prefers-reduced-motion: reduce)').matches) return
  const [from, to] = [card.getBoundingClientRect(), device.getBoundingClientRect()]
  const copy = card.cloneNode(true) as HTMLElement
  copy.classList.add('carried')
  copy.setAttribute('aria-hidden', 'true')
  Object.assign(copy.style, { left: `${from.left}px`, top: `${from.top}px`, width: `${from.width}px` })
  document.body.append(copy)
  const x = to.left + to.width / 2 - from.left - from.width / 2
  const y = to.top + to.height * end.y - from.top - from.height / 2
  copy
    .animate(
      [
        { transform: 'none', opacity: 1 },
        { transform: `translate(${x}px, ${y}px) ${end.last}`, opacity: 1, offset: 0.7 },
        { transform: `translate(${x}px, ${y}px) ${end.last}`, opacity: 0 },
      ],
      { duration: 620, easing: 'cubic-bezier(0.3, 0.7, 0.3, 1)' },
    )
    .finished.finally(() => copy.remove())
}
