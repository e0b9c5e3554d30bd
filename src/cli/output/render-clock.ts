import type { ClockReading } from '../../contract/sandbox/control-answers.ts'
import { offsetInWords } from '../../text/duration-words.ts'
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
    ['offset', offsetInWords(offsetMs)],
  ])}\n`
}
