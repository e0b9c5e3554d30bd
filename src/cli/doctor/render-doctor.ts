import { hangingText } from '../../text/display-width.ts'
import { hint } from '../hints/same-sandbox.ts'
import { cleaned } from '../output/clean.ts'
import { type Theme, themeOf } from '../output/theme.ts'
import type { Diagnosis } from './doctor.ts'
import type { CheckResult, CheckStatus } from './examination.ts'

const marks: Readonly<Record<CheckStatus, string>> = { ok: '✓', warning: '!', failed: '✗', skipped: '–' }
const colours = { ok: 'good', warning: 'open', failed: 'bad', skipped: 'faint' } as const

/** Each check in a line, with what mends it below, and a sum at the end. */
export function renderDiagnosis(diagnosis: Diagnosis): string {
  const theme = themeOf('stdout')
  const { checks } = cleaned(diagnosis)
  const names = Math.max(...checks.map(({ check }) => check.length))
  return `${checks.map((result) => drawn(result, names, theme)).join('')}\n${sum(checks, theme)}\n`
}

function drawn({ check, status, text, fix }: CheckResult, names: number, theme: Theme): string {
  const before = names + 4 // the mark, and spaces around the name
  const line = `${theme[colours[status]](marks[status])} ${check.padEnd(names)}  ${hangingText(text, before, theme.width)}\n`
  if (fix === undefined) return line
  return `${line}${' '.repeat(before)}do  ${hangingText(hint(fix), before + 4, theme.width)}\n`
}

function sum(checks: readonly CheckResult[], theme: Theme): string {
  const count = (status: CheckStatus) => checks.filter((each) => each.status === status).length
  const [wrong, doubtful] = [count('failed'), count('warning')]
  if (wrong > 0) return theme.bad(wrong === 1 ? '1 check failed' : `${wrong} checks failed`)
  if (doubtful > 0) return theme.open(doubtful === 1 ? '1 warning' : `${doubtful} warnings`)
  return theme.good('All checks passed')
}
