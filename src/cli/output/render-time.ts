import type { ClockReading } from '../../contract/control/control-answers.ts'
import { offsetInWords } from '../../shared/text/duration-words.ts'
import { cleaned } from './clean.ts'
import { type Column, pairs } from './table.ts'
import { theme } from './theme.ts'

/** The time of day in UTC: `12:38:29Z`. */
export const clockTime = (at: number): string => `${new Date(at).toISOString().slice(11, 19)}Z`

/** The zone of a time that the service sends without offset: the merchant's, by its settings. */
const merchantTime = 'in the merchant’s time zone'

/**
 * A time as cards and tables show it, with its zone: `2026-11-20 12:38:29 UTC`. `zone`: of a time without
 * offset; left out, the merchant's.
 */
export const timeText = (time: string, zone = merchantTime): string => {
  const [, day, clock, offset = ''] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?(.*)$/.exec(time) ?? []
  if (day === undefined) return time
  return `${day} ${clock} ${offset === '' ? zone : offset === 'Z' || offset === '+00:00' ? 'UTC' : offset}`
}

/**
 * Date and time in UTC without the zone, for a column with it in its heading: `2026-11-20 12:38:29`; other
 * text unchanged.
 */
export const utcText = (time: string): string => {
  const at = /[Z]$|[+-]\d\d:?\d\d$/.test(time) ? new Date(time) : undefined
  return at === undefined || Number.isNaN(at.getTime())
    ? time.replace('T', ' ')
    : at.toISOString().slice(0, 19).replace('T', ' ')
}

/** Month, day, hour and minute in UTC, for a narrow window: `11-20 12:38`; other text unchanged. */
export const minuteText = (time: string): string => {
  const text = utcText(time)
  return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text) ? text.slice(5, 16) : text
}

/** A column of times in UTC; in a narrow window to the minute, and without the year. */
export const timeColumn = <T>(head: string, timeOf: (row: T) => string): Column<T> => ({
  head: `${head} (UTC)`,
  cell: (row) => theme.faint(utcText(timeOf(row))),
  brief: (row) => theme.faint(minuteText(timeOf(row))),
})

/** The state of the clock. */
export function renderClock(reading: ClockReading): string {
  const { now, offsetMs, frozen, speed } = cleaned(reading)
  return `${pairs([
    ['sandbox time', `${timeText(now)}${frozen ? `  ${theme.open('frozen')}` : ''}`],
    ['offset', offsetInWords(offsetMs)],
    ['speed', speed === 1 ? null : `${speed}×`],
  ])}\n`
}
