/** Makes a canvas a field to sign on. The drawing stays in the page. */
export function signOn(canvas: HTMLCanvasElement): void {
  const pen = canvas.getContext('2d')
  if (pen === null) return
  Object.assign(pen, { lineWidth: 5, lineCap: 'round', lineJoin: 'round' })
  pen.strokeStyle = getComputedStyle(canvas).color
  const pad = canvas.parentElement
  const at = ({ offsetX, offsetY }: PointerEvent): [number, number] => [
    (offsetX * canvas.width) / canvas.clientWidth,
    (offsetY * canvas.height) / canvas.clientHeight,
  ]
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId)
    pad?.classList.add('signed')
    pen.beginPath()
    pen.moveTo(...at(event))
  })
  canvas.addEventListener('pointermove', (event) => {
    if (!canvas.hasPointerCapture(event.pointerId)) return
    pen.lineTo(...at(event))
    pen.stroke()
  })
}

/** Clears the drawing. */
export function wipe(screen: HTMLElement): void {
  const canvas = screen.querySelector<HTMLCanvasElement>('[data-signature]')
  canvas?.getContext('2d')?.clearRect(0, 0, canvas.width, canvas.height)
  canvas?.parentElement?.classList.remove('signed')
}
