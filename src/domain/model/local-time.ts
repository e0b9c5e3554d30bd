/** Formats by time zone: making one takes longer than a payment. */
const formats = new Map<string, Intl.DateTimeFormat>()

function dateTimeFormat(timeZone: string): Intl.DateTimeFormat {
  const cached = formats.get(timeZone)
  if (cached !== undefined) return cached
  const made = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  formats.set(timeZone, made)
  return made
}

/** The last result: the times of one record mostly share their second. */
let last = { second: Number.NaN, timeZone: '', text: '' }

/** `yyyy-MM-ddTHH:mm:ss` in that time zone, without offset. docs/api.md#record-create-time */
export function localDateTime(at: number, timeZone: string): string {
  const second = Math.floor(at / 1000)
  if (second === last.second && timeZone === last.timeZone) return last.text
  const text =
    timeZone === 'UTC'
      ? new Date(at).toISOString().slice(0, 19)
      : dateTimeFormat(timeZone).format(at).replace(' ', 'T')
  last = { second, timeZone, text }
  return text
}

/** ISO 8601 in that time zone, with its offset: `2026-01-31T12:00:00+01:00`. */
export function offsetDateTime(at: number, timeZone: string): string {
  const local = localDateTime(at, timeZone)
  if (timeZone === 'UTC') return `${local}+00:00`
  const minutes = Math.round((Date.parse(`${local}Z`) - at) / 60_000)
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return `${local}${minutes < 0 ? '-' : '+'}${two(hours)}:${two(rest)}`
}

const day = 86_400_000

/** Between them a local date has four digits for its year, in any time zone. */
const [firstWritten, lastWritten] = [Date.UTC(1000, 0, 2), Date.UTC(9999, 11, 30)]

/** Offset of the time zone from UTC at that time, in milliseconds. */
export function offsetAt(at: number, timeZone: string): number {
  const known = Math.min(Math.max(at, firstWritten), lastWritten)
  return Date.parse(`${localDateTime(known, timeZone)}Z`) - Math.floor(known / 1000) * 1000
}

/** When the local time in the zone is `local`, given as if it were UTC. `near`: a time close to it. */
function whenShown(local: number, timeZone: string, near: number): number {
  const estimate = local - offsetAt(near, timeZone)
  const time = local - offsetAt(estimate, timeZone) // the offset may change in between
  const shown = time + offsetAt(time, timeZone)
  return shown < local ? time + (local - shown) : time // a local time that the change to summer time skips
}

/** The time of `yyyy-MM-dd` or `yyyy-MM-ddTHH:mm` in the time zone; undefined for an invalid date. */
export function readLocalTime(text: string, timeZone: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d)?$/.test(text)) return undefined
  const local = Date.parse(text.length === 10 ? `${text}T00:00Z` : `${text}Z`)
  const isDate = !Number.isNaN(local) && new Date(local).toISOString().startsWith(text)
  return isDate ? whenShown(local, timeZone, local) : undefined
}

/** `yyyy-MM-dd`, `days` later; a negative number: earlier. */
export const daysAfter = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00Z`) + days * day).toISOString().slice(0, 10)

/**
 * The first time after `at` with that local time of day, `HH:mm`; on a day that skips it, as much later as
 * the clocks are put forward.
 */
export function nextTimeOfDay(at: number, timeOfDay: string, timeZone: string): number {
  const today = Date.parse(`${localDate(at, timeZone)}T${timeOfDay}:00Z`)
  for (const local of [today, today + day, today + 2 * day]) {
    const shownAt = whenShown(local, timeZone, at)
    if (shownAt > at) return shownAt
  }
  return at + day
}

/** `yyyy-MM-dd` in that time zone. */
export const localDate = (at: number, timeZone: string): string => localDateTime(at, timeZone).slice(0, 10)
