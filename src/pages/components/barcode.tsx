/** Bars of a till slip, drawn from the digits of a number. Decoration: the number is printed beside it. */
export const Barcode = ({ digits }: { readonly digits: string }) => {
  const widths = [...digits].flatMap((digit) => [0, 1, 2, 3].map((bit) => 1 + ((Number(digit) >> bit) & 1)))
  let x = 0
  let path = ''
  for (const [index, width] of widths.entries()) {
    if (index % 2 === 0) path += `M${x} 0h${width}v24h-${width}z`
    x += width
  }
  return (
    <svg class="barcode" viewBox={`0 0 ${x} 24`} preserveAspectRatio="none" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}
