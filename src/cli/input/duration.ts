import { UsageError } from '../errors/usage-error.ts'

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** `500ms`, `90s`, `5m`, `2h`, `181d` in milliseconds. Errors: UsageError. */
export function durationOf(text: string, flag: string): number {
  const [, count, unit] = /^(\d{1,6})(ms|s|m|h|d)$/.exec(text) ?? []
  if (count === undefined)
    throw new UsageError(`--${flag} ${text} is not a duration`, 'Give 500ms, 90s, 5m, 2h or 181d', flag)
  return Number(count) * units[unit as keyof typeof units]
}
