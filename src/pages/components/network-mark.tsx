interface Mark {
  readonly word: string
  /** A hue of our own for each. */
  readonly ground: string
  readonly figure: string
}

/** Wordmark, ground and figure of each network's chip. Drawn for this page; no network's logo. */
const marks: Readonly<Record<string, Mark>> = {
  VISA: { word: 'VISA', ground: '#2b3f87', figure: 'M28 0h12v28H16z' },
  MASTERCARD: { word: 'MC', ground: '#8c3b1c', figure: 'M40 4v24H16a24 24 0 0 1 24-24z' },
  AMEX: { word: 'AMEX', ground: '#1a6079', figure: 'M0 18h40v10H0z' },
  DISCOVER: { word: 'DISC', ground: '#7d4e0a', figure: 'M0 28a20 14 0 0 1 40 0z' },
  JCB: { word: 'JCB', ground: '#2c6438', figure: 'M13 0h13v28H13z' },
  DINERS: { word: 'DC', ground: '#4a4f63', figure: 'M20 0a14 14 0 0 1 0 28z' },
  UNIONPAY: { word: 'UP', ground: '#85294a', figure: 'M10 0h14l-7 28H3z' },
}

/** A small chip that tells networks apart at a glance. It is decoration: the name stands beside it. */
export const NetworkMark = ({ network }: { readonly network: string }) => {
  const { word, ground, figure } = marks[network] ?? {
    word: network.slice(0, 4),
    ground: '#56625c',
    figure: '',
  }
  return (
    <svg class="mark" viewBox="0 0 40 28" aria-hidden="true">
      <rect class="mark-ground" fill={ground} width="40" height="28" rx="5" />
      <path class="mark-figure" d={figure} />
      <text x="20" y="18" text-anchor="middle">
        {word}
      </text>
    </svg>
  )
}
