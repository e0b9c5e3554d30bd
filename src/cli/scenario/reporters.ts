import { fitText, hangingText } from '../../shared/text/display-width.ts'
import { shortDuration } from '../../shared/text/duration-words.ts'
import { positionText } from '../../testing/scenario/file/scenario-error.ts'
import type { ScenarioFailure, ScenarioResult } from '../../testing/scenario/run.ts'
import { clean } from '../output/clean.ts'
import { renderTimeline } from '../output/draw-timeline.ts'
import { githubReporter, jsonReporter, junitReporter } from './machine-reporters.ts'
import { outcomeCounts, type Reporter, type ReportStyle, type SpecReporter } from './reporter.ts'

/** Every reporter by name. */
export const reporters: Readonly<
  Record<'spec' | 'junit' | 'json' | 'github', (style: ReportStyle) => Reporter>
> = {
  spec: specReporter,
  junit: junitReporter,
  json: jsonReporter,
  github: (style) => githubReporter(specReporter(style)),
}

/** A report for people: a line a scenario below its file, then what failed, in full. */
function specReporter(style: ReportStyle): SpecReporter {
  const { theme } = style
  let file: string | undefined
  return {
    result: (result) => {
      const head =
        result.file === file ? '' : `${file === undefined ? '' : '\n'}${theme.strong(clean(result.file))}\n`
      file = result.file
      return `${head}${resultLine(result, style)}`
    },
    end: (results, durationMs) => {
      const failed = results.filter(({ failure }) => failure !== undefined)
      const failureTexts = failed.map((result, index) => failureText(result, index + 1, style))
      return `${failureTexts.map((text) => `\n${text}`).join('')}\n${totalsLine(results, durationMs, style)}`
    },
  }
}

function resultLine({ outcome, name, reason, durationMs }: ScenarioResult, { theme, width }: ReportStyle) {
  const mark = { passed: theme.good('✓'), failed: theme.bad('✗'), skipped: theme.faint('–') }[outcome]
  const beside = outcome === 'skipped' ? `skipped: ${reason}` : shortDuration(durationMs)
  const [first = '', ...further] = fitText(clean(name), width - 6 - beside.length)
  const rest = further.map((line) => `    ${line}\n`).join('')
  return `  ${mark} ${first}  ${theme.faint(beside)}\n${rest}`
}

function failureText({ name, failure }: ScenarioResult, number: number, style: ReportStyle): string {
  const { theme, width } = style
  const { position, step, message, differences, story } = failure as ScenarioFailure
  const lines = [
    `${theme.bad('✗')} ${theme.strong(hangingText(`${number}. ${clean(name)}`, 2, width))}`,
    `  ${theme.link(clean(positionText(position)))}  ${clean(step)}`,
    ...indented(message, 2, width),
    ...differences.flatMap(({ path, expected, actual }) => [
      '',
      ...(path === '' ? [] : [`  ${clean(path)}`]),
      ...labelled('expected', expected, theme.good, width),
      ...labelled('actual', actual, theme.bad, width),
    ]),
  ]
  const timeline = story === undefined ? '' : `\n${renderTimeline(story, width, theme)}`
  return `${lines.join('\n')}\n${timeline}`
}

const indented = (text: string, columns: number, width: number): string[] =>
  text
    .split('\n')
    .flatMap((line) => fitText(clean(line), Math.max(width - columns, 20)))
    .map((line) => ' '.repeat(columns) + line)

function labelled(label: string, text: string, paint: (text: string) => string, width: number): string[] {
  const [first = '', ...rest] = fitText(clean(text), Math.max(width - 14, 20))
  return [`    ${label.padEnd(10)}${paint(first)}`, ...rest.map((line) => `${' '.repeat(14)}${paint(line)}`)]
}

function skipReasons(results: readonly ScenarioResult[]): string {
  const counts = new Map<string, number>()
  for (const { outcome, reason = '' } of results)
    if (outcome === 'skipped') counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return [...counts].map(([reason, count]) => `${count}: ${reason}`).join('; ')
}

function totalsLine(results: readonly ScenarioResult[], durationMs: number, { theme }: ReportStyle): string {
  const { passed, failed, skipped } = outcomeCounts(results)
  const parts = [
    ...(failed > 0 ? [theme.bad(`${failed} failed`)] : []),
    ...(passed > 0 || failed === 0 ? [theme.good(`${passed} passed`)] : []),
    ...(skipped > 0 ? [theme.faint(`${skipped} skipped (${skipReasons(results)})`)] : []),
  ]
  return `${parts.join(', ')}  ${theme.faint(shortDuration(durationMs))}\n`
}
