import { parseDuration } from '../../shared/text/duration.ts'

/** Delays between attempts, in milliseconds of the sandbox clock. */
export type Retries = readonly number[]

/** The retries called `default`. */
export const usualRetries = '5s,30s,2m,10m,1h,6h'

const named: ReadonlyMap<string, string> = new Map([
  ['fast', '100ms,200ms,400ms,800ms,1600ms'],
  ['default', usualRetries],
])

/** Reads `none`, `fast`, `default`, or durations: `50ms,1s,5m`; or undefined. assumption: webhook-delivery */
export function retriesFrom(text: string): Retries | undefined {
  const list = text === 'none' ? [] : (named.get(text) ?? text).split(',')
  const delays = list.map((delay) => parseDuration(delay.trim()))
  return delays.some((delay) => delay === undefined) ? undefined : delays.flatMap((delay) => delay ?? [])
}
