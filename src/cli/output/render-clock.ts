import type { ClockReading } from '../../contract/sandbox/control-answers.ts'
import { cleaned } from './clean.ts'
import { timeText } from './render-time.ts'
import { pairs } from './table.ts'
import { themeOf } from './theme.ts'

/** The state of the clock, in two lines. */
export function renderClock(reading: ClockReading): string {
  const { now, offsetMs, frozen } = cleaned(reading)
  const theme = themeOf('stdout')
  return `${pairs(theme, [
    ['sandbox time', `${timeText(now)}${frozen ? `  ${theme.open('frozen')}` : ''}`],
    ['offset', offsetText(offsetMs)],
  ])}\n`
}

/** `in step with the wall clock`, or how far from it, to the second. */
export function offsetText(milliseconds: number): string {
  const seconds = Math.round(Math.abs(milliseconds) / 1000)
  if (seconds === 0) return 'in step with the wall clock'
  const days = Math.floor(seconds / 86_400)
  const time = new Date((seconds % 86_400) * 1000).toISOString().slice(11, 19)
  return `${milliseconds > 0 ? '+' : '-'}${days > 0 ? `${days} d ` : ''}${time} from the wall clock`
}
