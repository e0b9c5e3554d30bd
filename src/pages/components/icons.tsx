const shapes = {
  check: 'M5 12.5l4.5 4.5L19 7.5',
  cross: 'M7 7l10 10M17 7L7 17',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 2',
  info: 'M12 11v6M12 7v.5',
  alert: 'M12 6.5v7M12 17v.5',
  arrow: 'M5 12h14M13 6l6 6-6 6',
  chevron: 'M7 10l5 5 5-5',
  lock: 'M8 11V8a4 4 0 0 1 8 0v3M6.5 11h11v8.5h-11z',
  tap: 'M7 8.5a6 6 0 0 1 0 7M11 6a10 10 0 0 1 0 12M15 3.5a14 14 0 0 1 0 17',
  insert: 'M6 3h12v10H6zM12 21v-5M9.5 18.5L12 16l2.5 2.5M9 7h2.5',
  swipe: 'M4 6h16v9H4zM4 9.5h16M8 19h8M13.5 16.5L16 19l-2.5 2.5',
  plug: 'M9 4v5M15 4v5M7 9h10v3a5 5 0 0 1-10 0zM12 17v4',
  back: 'M9 6h11v12H9l-5-6zM12 10l4 4M16 10l-4 4',
  up: 'M7 14l5-5 5 5',
  key: 'M4 7h16v10H4zM7.5 11v.5M12 11v.5M16.5 11v.5M9 14h6',
  theme: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 4v16M14 7v10M16 9v6',
  drag: 'M12 4v16M8 8l4-4 4 4M8 16l4 4 4-4',
  plus: 'M12 5v14M5 12h14',
  fault: 'M13 3L5 14h6l-1 7 8-11h-6z',
  queue: 'M5 6h14M5 12h14M5 18h8',
  signal: 'M5 18v-3M10 18v-6M15 18v-9M20 18V6',
  stack: 'M12 4l8 4-8 4-8-4zM4 12l8 4 8-4M4 16l8 4 8-4',
  camera: 'M4 8h4l2-3h4l2 3h4v11H4zM12 10.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  grid: 'M5 5h5v5H5zM14 5h5v5h-5zM5 14h5v5H5zM14 14h5v5h-5z',
  page: 'M6 3h12v18H6zM10 8h4M10 12h4M10 16h2',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5',
  open: 'M13 5h6v6M19 5l-9 9M10 7H5v12h12v-5',
  scan: 'M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4M8 8h3v3H8zM14 14h2v2h-2z',
} as const

export type IconName = keyof typeof shapes

interface IconProps {
  readonly name: IconName
  /** Classes of its width, from which its height follows, and of its place. */
  readonly look?: string
}

/** A line icon in the colour of the text around it. It is decoration: words beside it say the same. */
export const Icon = ({ name, look = 'w-[1.25em]' }: IconProps) => (
  <svg class={`flex-none ${look}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path
      d={shapes[name]}
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
    />
  </svg>
)

/** Name, ground and figure of each network's chip: our own lettering and shapes, no logo or colours. */
const marks = new Map(
  Object.entries({
    VISA: { word: 'Visa', ground: '#2b3f87', figure: 'M36 0h16v28H22z' },
    MASTERCARD: { word: 'MC', ground: '#8c3b1c', figure: 'M52 4v24H22a30 24 0 0 1 30-24z' },
    AMEX: { word: 'Amex', ground: '#1a6079', figure: 'M0 20h52v8H0z' },
    DISCOVER: { word: 'Disc', ground: '#7d4e0a', figure: 'M0 28a26 14 0 0 1 52 0z' },
    JCB: { word: 'JCB', ground: '#2c6438', figure: 'M18 0h16v28H18z' },
    DINERS: { word: 'Diners', ground: '#4a4f63', figure: 'M26 0a14 14 0 0 1 0 28z' },
    UNIONPAY: { word: 'UP', ground: '#85294a', figure: 'M16 0h16l-7 28H9z' },
  }),
)

/** A small chip for a card network. It is decoration: the name is beside it. */
export const NetworkMark = ({ network }: { readonly network: string }) => {
  const { word, ground, figure } = marks.get(network) ?? {
    word: network.slice(0, 6),
    ground: '#56625c',
    figure: '',
  }
  return (
    <svg class="card-mark flex-none overflow-hidden" viewBox="0 0 52 28" aria-hidden="true">
      <rect fill={ground} width="52" height="28" rx="5" />
      <path class="fill-[#fff] opacity-14" d={figure} />
      <text x="26" y="14" font-size="13" text-anchor="middle" dominant-baseline="central">
        {word}
      </text>
    </svg>
  )
}
