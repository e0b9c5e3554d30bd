import type { ClockReading } from '../../contract/sandbox/answers.ts'
import { cleaned } from './clean.ts'
import { pairs } from './table.ts'
import { themeOf } from './theme.ts'
import { timeText } from './time.ts'

/** The state of the clock, in two lines. */
export function renderClock(reading: ClockReading): string {
  const { now, offsetMs, frozen } = cleaned(reading)
  const theme = themeOf('stdout')
  return `${pairs(theme, [
    ['sandbox time', `${timeText(now)}${frozen ? `  ${theme.open('frozen')}` : ''}`],
    ['against wall', offsetText(offsetMs)],
  ])}\n`
}

/** `in step`, or how far ahead or behind, to the second. */
export function offsetText(milliseconds: number): string {
  const seconds = Math.round(Math.abs(milliseconds) / 1000)
  if (seconds === 0) return 'in step'
  const days = Math.floor(seconds / 86_400)
  const time = new Date((seconds % 86_400) * 1000).toISOString().slice(11, 19)
  return `${days > 0 ? `${days} d ` : ''}${time} ${milliseconds > 0 ? 'ahead' : 'behind'}`
}
