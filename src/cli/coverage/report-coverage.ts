import { appendFileSync, readFileSync } from 'node:fs'
import * as v from 'valibot'
import {
  type CoverageReport,
  type CoveredSituation,
  coveragePercent,
  nothingMet,
} from '../../contract/control/coverage-answers.ts'
import { decodeText } from '../../shared/text/decode-text.ts'
import { counted } from '../../shared/text/words.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { usingFile } from '../errors/system-error.ts'
import { programHint } from '../hints/same-sandbox.ts'
import { clean } from '../output/clean.ts'
import { columns } from '../output/table.ts'
import type { Theme } from '../output/theme.ts'
import { attributes, escaped } from '../output/xml.ts'

function grouped({
  situations,
}: CoverageReport): readonly (readonly [string, readonly CoveredSituation[]])[] {
  const groups = [...new Set(situations.map(({ group }) => group))]
  return groups.map((name) => [name, situations.filter(({ group }) => group === name)])
}

/** A report for people. `before`: of an earlier run, to say what changed since. */
export function textReport(report: CoverageReport, theme: Theme, before?: CoverageReport): string {
  const paint = { handled: theme.good, gap: theme.bad, unmet: theme.faint }
  const signs = { handled: '✓', gap: '✗', unmet: '·' }
  const rows = grouped(report).map(([name, all]) => {
    const lines = all.map((each) => [
      paint[each.state](`${signs[each.state]} ${each.name}`),
      each.state === 'unmet' ? theme.faint(programHint(each.how)) : each.title,
    ])
    const count = all.filter(({ state }) => state === 'handled').length
    return `${theme.strong(name)} ${theme.faint(`${count} of ${all.length}`)}\n${columns([], lines, [], theme)}`
  })
  const gaps = report.situations.filter(({ state }) => state === 'gap')
  return [
    ...rows,
    ...gaps.map((each) => gapText(each, theme)),
    ...(before === undefined ? [] : changes(report, before)),
    ...(report.met === 0 ? [nothingMet] : []),
    summaryLine(report, theme),
    '',
  ].join('\n')
}

function gapText({ name, sound, gaps }: CoveredSituation, theme: Theme): string {
  const lines = gaps.map(({ gap, transactionId, traceId }) => {
    // no command: its sandbox has ended
    const where = transactionId === null ? `request ${traceId}` : `transaction ${transactionId}`
    return `  ${clean(gap)}\n    ${theme.faint(where)}`
  })
  return `${theme.bad(`✗ ${name}`)}  ${sound}\n${lines.join('\n')}`
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

/** The last line of the report for people: how many were dealt with. */
export function summaryLine(report: CoverageReport, theme: Theme): string {
  const { handled, met, situations } = report
  const gaps = met - handled
  const parts = [
    `${handled} of ${situations.length} situations were dealt with: ${coveragePercent(handled, situations.length)} %`,
    ...(gaps > 0 ? [theme.bad(counted(gaps, 'gap'))] : []),
    `${situations.length - met} never met`,
  ]
  return parts.join(', ')
}

/** A test case a situation: failed where something was left out, skipped where it was never met. */
export function junitReport(report: CoverageReport): string {
  const { situations, met, handled } = report
  const totals = {
    tests: situations.length,
    failures: met - handled,
    errors: 0,
    skipped: situations.length - met,
  }
  const suites = grouped(report).map(([name, all]) => {
    const count = (state: CoveredSituation['state']) => all.filter((each) => each.state === state).length
    const head = { name, tests: all.length, failures: count('gap'), errors: 0, skipped: count('unmet') }
    return `  <testsuite${attributes(head)}>\n${all.map(situationXml).join('')}  </testsuite>\n`
  })
  const head = attributes({ name: 'tillbox coverage', ...totals })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${head}>\n${suites.join('')}</testsuites>\n`
}

function situationXml({ name, group, state, how, sound, gaps }: CoveredSituation): string {
  const head = `    <testcase${attributes({ name, classname: group })}`
  if (state === 'handled') return `${head}/>\n`
  const text = gaps.map(({ gap, transactionId, traceId }) => `${gap}: ${transactionId ?? traceId}`).join('\n')
  const inside =
    state === 'unmet'
      ? `<skipped${attributes({ message: `never met: ${programHint(how)}` })}/>`
      : `<failure${attributes({ message: sound, type: 'CoverageGap' })}>${escaped(text)}</failure>`
  return `${head}>\n      ${inside}\n    </testcase>\n`
}

/** A run in a history: a line of JSON. `at`: ISO 8601, by the wall clock. */
const pastRun = v.object({
  at: v.string(),
  handled: v.number(),
  met: v.number(),
  situations: v.pipe(v.number(), v.minValue(1)),
})

/** From 0 to 100 %. */
const bars = '▁▂▃▄▅▆▇█'

/**
 * The shares of the runs in a history, the oldest first. `added`: a line that it gets first; a file that is
 * not there is made.
 */
export function pastShares(file: string, added = ''): number[] {
  const text = usingFile(
    () => {
      appendFileSync(file, added)
      return decodeText(readFileSync(file))
    },
    `Cannot keep the run in ${file}`,
    'Name a file that you can read and write, with --history',
    'history',
  )
  const lines = text.trimEnd().split('\n')
  return lines.map((line, index) => shareIn(line, `Line ${index + 1} of ${file}`))
}

/** Adds a run to its history, and draws the shares of the latest runs. */
export function keepRun(file: string, { handled, met, situations }: CoverageReport): string {
  const run = { at: new Date().toISOString(), handled, met, situations: situations.length }
  const shares = pastShares(file, `${JSON.stringify(run)}\n`)
  const drawn = shares.slice(-20).map((share) => bars[Math.min(Math.floor((share * 8) / 100), 7)])
  const lately = shares.slice(-2).map((share) => `${share} %`)
  return `${drawn.join('')} ${lately.join(' → ')}, after ${counted(shares.length, 'run')}\n`
}

function shareIn(line: string, where: string): number {
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), pastRun), line)
  if (success) return coveragePercent(output.handled, output.situations)
  throw new UsageError(
    `${where} is no run of tillbox coverage`,
    'Remove the line, or name another file with --history',
    'history',
  )
}
