import { hangingText } from '../../shared/text/display-width.ts'
import type { CheckResult, Diagnosis } from '../answer-shapes.ts'
import { cleaned } from '../output/clean.ts'
import { theme } from '../output/theme.ts'

const marks = { failed: '✗', warning: '!', ok: '✓', skipped: '–' }
const colours = { failed: 'bad', warning: 'open', ok: 'good', skipped: 'faint' } as const

/** Each check in a line, with what mends it below, and a sum at the end. */
export function renderDiagnosis(diagnosis: Diagnosis): string {
  const { checks } = cleaned(diagnosis)
  const before = Math.max(...checks.map(({ check }) => check.length)) + 4 // the mark, and spaces around the name
  const lines = checks.map(({ check, status, text, fix }) => {
    const mark = theme[colours[status]](marks[status])
    const line = `${mark} ${check.padEnd(before - 4)}  ${hangingText(text, before, theme.width)}\n`
    return fix ? `${line}${' '.repeat(before)}do  ${hangingText(fix, before + 4, theme.width)}\n` : line
  })
  return `${lines.join('')}\n${sum(checks)}\n`
}

/** How many of each kind. What did not pass is named; what was not checked may be what is wrong. */
function sum(checks: readonly CheckResult[]): string {
  const words = { failed: 'failed', warning: 'with a warning', ok: 'passed', skipped: 'not checked' } as const
  const counts = Object.entries(words).flatMap(([kind, word]) => {
    const names = checks.flatMap(({ check, status }) => (status === kind ? check : []))
    return names.length > 0 ? `${names.length} ${word}${kind === 'ok' ? '' : `: ${names.join(', ')}`}` : []
  })
  if (checks.every(({ status }) => status === 'ok')) return theme.good('All checks passed')
  return theme[checks.some(({ status }) => status === 'failed') ? 'bad' : 'open'](counts.join('; '))
}
