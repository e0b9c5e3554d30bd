import { counted } from '../../shared/text/words.ts'

const minute = 60_000
const hour = 60 * minute

/** Milliseconds that are left, in words: `2 hours`, `29 minutes`, `less than a minute`. */
export function timeLeftInWords(remainingMs: number): string {
  if (remainingMs >= 2 * hour) return counted(Math.floor(remainingMs / hour), 'hour')
  if (remainingMs >= minute) return counted(Math.floor(remainingMs / minute), 'minute')
  return 'less than a minute'
}

/** Milliseconds that are left, in words, and below an hour as a clock: `29:41`. */
export function timeLeftOnClock(remainingMs: number): string {
  if (remainingMs >= hour) return timeLeftInWords(remainingMs)
  const seconds = Math.max(0, Math.ceil(remainingMs / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
