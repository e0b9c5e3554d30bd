const shapes = {
  check: 'M5 12.5l4.5 4.5L19 7.5',
  cross: 'M7 7l10 10M17 7L7 17',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 2',
  info: 'M12 11v6M12 7v.5',
  alert: 'M12 6.5v7M12 17v.5',
  arrow: 'M5 12h14M13 6l6 6-6 6',
  chevron: 'M7 10l5 5 5-5',
  lock: 'M8 11V8a4 4 0 0 1 8 0v3M6.5 11h11v8.5h-11z',
} as const

/** What an icon shows. */
export type IconName = keyof typeof shapes

/** A line icon in the colour of the text around it. It is decoration: words beside it say the same. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class={`icon icon-${name}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
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
