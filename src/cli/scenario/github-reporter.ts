import { relative, resolve } from 'node:path'
import { positionText } from '../../scenario/file/scenario-error.ts'
import type { ScenarioResult } from '../../scenario/run.ts'
import { shortDuration } from '../../text/duration-words.ts'
import { clean } from '../output/clean.ts'
import { countsOf, failureLines, type Reporter } from './reporter.ts'

/**
 * For GitHub Actions: a report for people, then an annotation for each failure, and a summary of the job in Markdown.
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
export const githubReporter = (spec: Reporter): Reporter => ({
  begin: (count) => asText(spec.begin(count)),
  result: (result) => asText(spec.result(result)),
  end: (results, durationMs) =>
    asText(spec.end(results, durationMs)) + results.map((result) => annotationOf(result)).join(''),
  summary: summaryOf,
})

/** A line that begins with two colons would be a command of the workflow. */
const asText = (text: string): string => text.replace(/^(\s*):(?=:)/gm, '$1\\:')

/** The failure of a scenario at its line, as a command of the workflow. Paths are relative to the repository. */
function annotationOf({ name, failure }: ScenarioResult): string {
  if (failure === undefined) return ''
  const { file, line, column } = failure.position
  const root = process.env.GITHUB_WORKSPACE
  const properties = {
    file: root ? relative(root, resolve(file)) : file,
    line: String(line),
    col: String(column),
    title: clean(name),
  }
  const written = Object.entries(properties).map(([key, value]) => `${key}=${escapedProperty(value)}`)
  const [, ...lines] = failureLines({ ...failure, story: undefined })
  return `::error ${written.join(',')}::${escapedMessage([clean(failure.step), ...lines].join('\n'))}\n`
}

const escapedMessage = (text: string): string =>
  text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A')

const escapedProperty = (text: string): string =>
  escapedMessage(text).replace(/:/g, '%3A').replace(/,/g, '%2C')

/** GitHub shows no larger summary of a step. Bytes. */
const mostBytes = 1024 * 1024

/** Failures as they are reported, below a table of all that did not pass; those that do not fit are left out. */
function summaryOf(results: readonly ScenarioResult[], durationMs: number): string {
  const { passed, failed, skipped } = countsOf(results)
  const counts = [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ]
  const rows = results
    .filter(({ outcome }) => outcome !== 'passed')
    .map(({ file, name, outcome, reason, failure }) => {
      const cells = [
        outcome,
        name,
        failure === undefined ? file : positionText(failure.position),
        reason ?? failure?.message ?? '',
      ]
      return `| ${cells.map(escapedMarkdown).join(' | ')} |\n`
    })
  const table =
    rows.length === 0 ? '' : `| result | scenario | where | why |\n|---|---|---|---|\n${rows.join('')}\n`
  const details = results.flatMap(({ name, failure }) =>
    failure === undefined
      ? []
      : [
          `#### ${escapedMarkdown(name)}\n\n${failureLines(failure)
            .map((line) => `    ${line}\n`)
            .join('')}\n`,
        ],
  )
  let text = `### ${failed > 0 ? '❌' : '✅'} Scenarios: ${counts.join(', ')} in ${shortDuration(durationMs)}\n\n`
  for (const part of [table, ...details]) if (Buffer.byteLength(text + part) <= mostBytes) text += part
  return text
}

const escapedMarkdown = (text: string): string =>
  clean(text).replace(/[\\`*_[\]<>|#&~]/g, (character) => `\\${character}`)
