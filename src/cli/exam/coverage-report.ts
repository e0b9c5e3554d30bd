import {
  type CoverageReport,
  type CoveredSituation,
  coveragePercent,
  nothingMet,
  unjudgedText,
} from '../../contract/control/coverage-answers.ts'
import { counted } from '../../shared/text/words.ts'
import { programHint } from '../hints/same-sandbox.ts'
import { clean } from '../output/clean.ts'
import { columns } from '../output/table.ts'
import { plainTheme, type Theme } from '../output/theme.ts'
import { type ExamCase, type ExamReport, type ExamState, examSigns } from './exam-report.ts'

function grouped({
  situations,
}: CoverageReport): readonly (readonly [string, readonly CoveredSituation[]])[] {
  const groups = [...new Set(situations.map(({ group }) => group))]
  return groups.map((name) => [name, situations.filter(({ group }) => group === name)])
}

/** A report for people. `before`: of an earlier run, to say what changed since. */
export function textReport(report: CoverageReport, theme: Theme, before?: CoverageReport): string {
  const rows = coverageExam(report).groups.map(({ title, cases }) => {
    const names = Math.max(...cases.map(({ name }) => name.length))
    const lines = cases.map((each) => caseText(each, names, theme))
    const count = cases.filter(({ state }) => state === 'proved' || state === 'seen').length
    return [`${theme.strong(title)} ${theme.faint(`${count} of ${cases.length}`)}`, ...lines].join('\n')
  })
  const gaps = report.situations.filter(({ state }) => state === 'gap')
  return [
    ...rows,
    ...gaps.map((each) => gapText(each, theme)),
    ...(before === undefined ? [] : changes(report, before)),
    ...(report.met === 0 ? [nothingMet] : []),
    ...(report.unjudged === 0 ? [] : [theme.bad(`✗ ${unjudgedText(report)}`)]),
    ...(report.met === 0 && report.orders === null ? [] : [ordersLine(report.orders, theme)]),
    summaryLine(report, theme),
    '',
  ].join('\n')
}

/** A command that does not fit beside the name has a line of its own, whole: it is there to be copied. */
function caseText({ name, state, title, hint }: ExamCase, names: number, theme: Theme): string {
  const paint = { proved: theme.good, seen: theme.good, gap: theme.bad, unmet: theme.faint }[state]
  const row = (text: string) =>
    columns([], [[paint(`${examSigns[state]} ${name.padEnd(names)}`), text]], [], theme)
  if (hint === undefined) return row(title)
  const command = theme.faint(programHint(hint))
  const whole = row(command)
  return whole.includes('\n') ? `${row(title)}\n    ${command}` : whole
}

function gapText({ name, advice, gaps }: CoveredSituation, theme: Theme): string {
  const lines = gaps.map(({ gap, transactionId, traceId }) => {
    // no command: its sandbox has ended
    const where = transactionId === null ? `request ${traceId}` : `transaction ${transactionId}`
    return `  ${clean(gap)}\n    ${theme.faint(where)}`
  })
  return `${theme.bad(`✗ ${name}`)}  ${advice}\n${lines.join('\n')}`
}

/** Situations that are dealt with now and were not before, and the other way round. */
function changes({ situations }: CoverageReport, before: CoverageReport): string[] {
  const stateBefore = new Map(before.situations.map(({ name, state }) => [name, state]))
  const changed = situations.filter(
    ({ name, state }) => (state === 'handled') !== (stateBefore.get(name) === 'handled'),
  )
  return changed.map(({ name, state }) =>
    state === 'handled' ? `+ ${name} is dealt with now` : `- ${name} was dealt with before`,
  )
}

/** What the marks mean, or why the merchant did not list its orders. */
function ordersLine(orders: CoverageReport['orders'], theme: Theme): string {
  if (orders === null)
    return theme.faint(`${examSigns.seen} seen in requests; --orders compares the orders of your server, too`)
  const { asked, problem } = orders
  const marks = `${examSigns.proved} proved by orders, ${examSigns.seen} seen in requests; orders were listed ${counted(asked, 'time')}`
  return problem === null
    ? theme.faint(marks)
    : `${theme.bad('✗ The orders could not be read')}: ${clean(problem)}`
}

/** The last line of the report for people: how many were dealt with. */
function summaryLine(report: CoverageReport, theme: Theme): string {
  const { handled, met, situations } = report
  const gaps = met - handled
  const parts = [
    `${handled} of ${situations.length} situations were dealt with: ${coveragePercent(handled, situations.length)} %`,
    ...(gaps > 0 ? [theme.bad(counted(gaps, 'gap'))] : []),
    `${situations.length - met} never met`,
  ]
  return parts.join(', ')
}

const examWords: Readonly<Record<ExamState, string>> = {
  proved: 'Proved by orders',
  seen: 'Seen in requests',
  gap: 'Gap',
  unmet: 'Never met',
}

/** The report in the form that other reports are made of. */
export function coverageExam(report: CoverageReport): ExamReport {
  const stateOf = ({ state, proved, times }: CoveredSituation): ExamState =>
    state === 'handled' ? (proved === times ? 'proved' : 'seen') : state
  return {
    name: 'tillbox coverage',
    summary: summaryLine(report, plainTheme),
    groups: grouped(report).map(([title, all]) => ({
      title,
      cases: all.map((each) => ({
        name: each.name,
        title: each.title,
        advice: each.advice,
        state: stateOf(each),
        word: examWords[stateOf(each)],
        problems: each.gaps.map(({ gap, transactionId, traceId }) => `${gap}: ${transactionId ?? traceId}`),
        hint: each.state === 'unmet' ? each.how : undefined,
      })),
    })),
  }
}
