/** What a long test did and saw, by name. */
export type RunFigures = Record<string, number | string>

/** Figures, and a line for each promise that was broken. */
export interface Findings {
  readonly figures: Readonly<Record<string, number>>
  readonly problems: readonly string[]
}

/** Prints the figures of a long run as one line that docs/reliability.md can take as it is. */
export function printFigures(title: string, figures: RunFigures): void {
  if (!process.env.TILLBOX_LONG) return
  const written = Object.entries(figures).map(([name, value]) => `${name} ${format(name, value)}`)
  process.stdout.write(`- **${title}**: ${written.join(' · ')}\n`)
}

/** A seed is copied into a command; every other number is read by a person. */
const format = (name: string, value: number | string): string =>
  typeof value === 'number' && name !== 'seed' ? value.toLocaleString('en-US') : String(value)

/** Adds the numbers of one to those of the other. */
export function addFigures(sum: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(more)) sum[name] = (sum[name] ?? 0) + value
}
