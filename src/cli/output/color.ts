/** When colours are used. */
export const colorModes = ['auto', 'always', 'never'] as const

/** How this process prints: `--color`; whether no person reads along, as with JSON and CSV; `--quiet`. */
export const printing: { color: (typeof colorModes)[number]; isForPrograms: boolean; isQuiet: boolean } = {
  color: 'auto',
  isForPrograms: false,
  isQuiet: false,
}

/** Writes what is neither an error nor a warning to standard error; `--quiet` leaves it out. */
export function tell(text: string): void {
  if (!printing.isQuiet) process.stderr.write(text)
}
