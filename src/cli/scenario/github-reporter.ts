import { relative, resolve } from 'node:path'
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
  const path = root ? relative(root, resolve(file)) : file
  const [, ...lines] = failureLines({ ...failure, story: undefined })
  const place = `file=${escapedProperty(path)},line=${line},col=${column},title=${escapedProperty(clean(name))}`
  return `::error ${place}::${escapedMessage([clean(failure.step), ...lines].join('\n'))}\n`
}

const escapedMessage = (text: string): string =>
  text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A')

const escapedProperty = (text: string): string =>
  escapedMessage(text).replace(/:/g, '%3A').replace(/,/g, '%2C')

/** GitHub shows no larger summary of a step. Bytes. */
const mostBytes = 1024 * 1024

/** What failed, as it is reported, and what was skipped and why; what does not fit is left out. */
function summaryOf(results: readonly ScenarioResult[], durationMs: number): string {
  const { passed, failed, skipped } = countsOf(results)
  const counts = Object.entries({ failed, passed, skipped }).filter(([, count]) => count > 0)
  const counted = counts.map(([outcome, count]) => `${count} ${outcome}`).join(', ')
  let text = `### ${failed > 0 ? '❌' : '✅'} Scenarios: ${counted} in ${shortDuration(durationMs)}\n\n`
  let left = mostBytes - Buffer.byteLength(text)
  for (const { name, failure, reason } of results) {
    if (failure === undefined && reason === undefined) continue
    const lines = failure === undefined ? [`skipped: ${reason}`] : failureLines(failure)
    const part = `#### ${escapedMarkdown(name)}\n\n${lines.map((line) => `    ${line}\n`).join('')}\n`
    left -= Buffer.byteLength(part)
    if (left >= 0) text += part
  }
  return text
}

const escapedMarkdown = (text: string): string =>
  clean(text).replace(/[\\`*_[\]<>|#&~]/g, (character) => `\\${character}`)
