/** When colours are used. */
export const colorModes = ['auto', 'always', 'never'] as const

/** How this process prints: what `--color` says, and whether no person reads along: the answer is JSON, CSV, or nothing. */
export const printing: { color: (typeof colorModes)[number]; isForPrograms: boolean } = {
  color: 'auto',
  isForPrograms: false,
}
