/** Delays between attempts, in milliseconds of the sandbox clock. */
export type Retries = readonly number[]

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

const named: Readonly<Record<string, string>> = {
  fast: '100ms,200ms,400ms,800ms,1600ms',
  default: '5s,30s,2m,10m,1h,6h',
}

/** `none`, `fast`, `default`, or durations: `50ms,1s,5m`. Undefined for anything else. assumption: webhook-retries */
export function retriesFrom(text: string): Retries | undefined {
  const list = text === 'none' ? [] : (named[text] ?? text).split(',')
  const delays = list.map(durationFrom)
  return delays.some((delay) => delay === undefined) ? undefined : delays.flatMap((delay) => delay ?? [])
}

function durationFrom(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6})(ms|s|m|h|d)$/.exec(text.trim()) ?? []
  return count === undefined ? undefined : Number(count) * units[unit as keyof typeof units]
}
