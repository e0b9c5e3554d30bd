interface NetworkLogo {
  readonly word: string
  /** A hue of our own for each. */
  readonly ground: string
  readonly figure: string
}

/** Name, ground and figure of each network's chip: our own lettering and shapes; no network's logo or colours. */
const marks: Readonly<Record<string, NetworkLogo>> = {
  VISA: { word: 'Visa', ground: '#2b3f87', figure: 'M36 0h16v28H22z' },
  MASTERCARD: { word: 'Mastercard', ground: '#8c3b1c', figure: 'M52 4v24H22a30 24 0 0 1 30-24z' },
  AMEX: { word: 'Amex', ground: '#1a6079', figure: 'M0 20h52v8H0z' },
  DISCOVER: { word: 'Discover', ground: '#7d4e0a', figure: 'M0 28a26 14 0 0 1 52 0z' },
  JCB: { word: 'JCB', ground: '#2c6438', figure: 'M18 0h16v28H18z' },
  DINERS: { word: 'Diners', ground: '#4a4f63', figure: 'M26 0a14 14 0 0 1 0 28z' },
  UNIONPAY: { word: 'UnionPay', ground: '#85294a', figure: 'M16 0h16l-7 28H9z' },
  EBT: { word: 'EBT', ground: '#1f5c58', figure: 'M0 0h52L0 28z' },
  WECHAT: { word: 'WeChat', ground: '#37664a', figure: 'M0 0h12v12H0zM40 16h12v12H40z' },
  ALIPAY: { word: 'Alipay', ground: '#34608c', figure: 'M40 0h12v12H40zM0 16h12v12H0z' },
}

/** Size of the letters: the longer the word, the smaller. Units of the drawing. */
const sizeOf = (word: string): number => Math.min(13, Math.round(800 / word.length) / 10)

/** A small chip for a card network. It is decoration: the name is beside it. */
export const NetworkMark = ({ network }: { readonly network: string }) => {
  const { word, ground, figure } = marks[network] ?? {
    word: network.slice(0, 10),
    ground: '#56625c',
    figure: '',
  }
  return (
    <svg class="mark" viewBox="0 0 52 28" aria-hidden="true">
      <rect class="mark-ground" fill={ground} width="52" height="28" rx="5" />
      <path class="mark-figure" d={figure} />
      <text x="26" y="14" font-size={sizeOf(word)} text-anchor="middle" dominant-baseline="central">
        {word}
      </text>
    </svg>
  )
}
