import { relative, resolve } from 'node:path'
import { shortDuration } from '../../shared/text/duration-words.ts'
import type { ScenarioResult } from '../../testing/scenario/run.ts'
import type { ReportedScenario, ScenarioReport } from '../answer-shapes.ts'
import { clean } from '../output/clean.ts'
import { jsonText } from '../output/json-text.ts'
import { attributes, escaped } from '../output/xml.ts'
import { failureLines, outcomeCounts, type Reporter, type SpecReporter } from './reporter.ts'

/** One JSON document. docs/json.md */
export const jsonReporter = (): Reporter => ({
  end: (results, durationMs) =>
    jsonText(
      {
        ...outcomeCounts(results),
        durationMs,
        scenarios: results.map(reportedScenario),
      } satisfies ScenarioReport,
      2,
    ),
})

function reportedScenario({ failure, ...result }: ScenarioResult): ReportedScenario {
  if (failure === undefined) return result
  const { position, step, message, differences, story } = failure
  return {
    ...result,
    failure: {
      ...position,
      step,
      message,
      differences: differences.map(({ position: { line, column }, ...each }) => ({ ...each, line, column })),
      ...(story && {
        transactionId: story.record.transactionId,
        timeZone: story.timeZone,
        timeline: story.timeline.map(({ time, what, detail }) => ({ time, what, ...(detail && { detail }) })),
      }),
    },
  }
}

/** XML as JUnit writes it and CI systems read it: a suite a file, a test case a scenario. */
export const junitReporter = (): Reporter => ({
  end: (results, durationMs) => {
    const files = [...new Set(results.map(({ file }) => file))]
    const suites = files.map((file) =>
      testSuiteXml(
        file,
        results.filter((result) => result.file === file),
      ),
    )
    const head = attributes({ name: 'tillbox', ...totals(results), time: seconds(durationMs) })
    return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${head}>\n${suites.join('')}</testsuites>\n`
  },
})

function totals(results: readonly ScenarioResult[]) {
  const { failed, skipped } = outcomeCounts(results)
  return { tests: results.length, failures: failed, errors: 0, skipped }
}

const seconds = (milliseconds: number): string => (milliseconds / 1_000).toFixed(3)

function testSuiteXml(file: string, results: readonly ScenarioResult[]): string {
  const time = seconds(results.reduce((sum, { durationMs }) => sum + durationMs, 0))
  const cases = results.map(testCaseXml).join('')
  return `  <testsuite${attributes({ name: file, ...totals(results), time })}>\n${cases}  </testsuite>\n`
}

function testCaseXml({ file, name, durationMs, reason, failure }: ScenarioResult): string {
  const head = `    <testcase${attributes({ name, classname: file, file, time: seconds(durationMs) })}`
  if (failure === undefined && reason === undefined) return `${head}/>\n`
  const inside =
    failure === undefined
      ? `<skipped${attributes({ message: reason ?? '' })}/>`
      : `<failure${attributes({ message: failure.message, type: 'ScenarioFailure' })}>${escaped(failureLines(failure).join('\n'))}</failure>`
  return `${head}>\n      ${inside}\n    </testcase>\n`
}

/**
 * For GitHub Actions: a report for people, then an annotation for each failure, and a summary of the job in
 * Markdown. https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
export const githubReporter = (spec: SpecReporter): Reporter => ({
  result: (result) => escapedColons(spec.result(result)),
  end: (results, durationMs) =>
    escapedColons(spec.end(results, durationMs)) + results.map((result) => errorAnnotation(result)).join(''),
  summary: markdownSummary,
})

/** A line that begins with two colons would be a command of the workflow. */
export const escapedColons = (text: string): string => text.replace(/^(\s*):(?=:)/gm, '$1\\:')

/** The failure of a scenario at its line, as a command of the workflow. Paths: from the repository. */
function errorAnnotation({ name, failure }: ScenarioResult): string {
  if (failure === undefined) return ''
  const { file, line, column } = failure.position
  const root = process.env.GITHUB_WORKSPACE
  const path = root ? relative(root, resolve(file)) : file
  const [, ...lines] = failureLines({ ...failure, story: undefined })
  const place = `file=${escapedProperty(path)},line=${line},col=${column},title=${escapedProperty(clean(name))}`
  return `::error ${place}::${escapedMessage([clean(failure.step), ...lines].join('\n'))}\n`
}

export const escapedMessage = (text: string): string =>
  text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A')

export const escapedProperty = (text: string): string =>
  escapedMessage(text).replace(/:/g, '%3A').replace(/,/g, '%2C')

/** GitHub shows no larger summary of a step. Bytes. */
const mostSummaryBytes = 1024 * 1024

/** What failed, as it is reported, and what was skipped and why; what does not fit is left out. */
function markdownSummary(results: readonly ScenarioResult[], durationMs: number): string {
  const { passed, failed, skipped } = outcomeCounts(results)
  const counts = Object.entries({ failed, passed, skipped }).filter(([, count]) => count > 0)
  const counted = counts.map(([outcome, count]) => `${count} ${outcome}`).join(', ')
  let text = `### ${failed > 0 ? '❌' : '✅'} Scenarios: ${counted} in ${shortDuration(durationMs)}\n\n`
  let remaining = mostSummaryBytes - Buffer.byteLength(text)
  for (const { name, failure, reason } of results) {
    if (failure === undefined && reason === undefined) continue
    const lines = failure === undefined ? [`skipped: ${reason}`] : failureLines(failure)
    const part = `#### ${escapedMarkdown(name)}\n\n${lines.map((line) => `    ${line}\n`).join('')}\n`
    remaining -= Buffer.byteLength(part)
    if (remaining >= 0) text += part
  }
  return text
}

const escapedMarkdown = (text: string): string =>
  clean(text).replace(/[\\`*_[\]<>|#&~]/g, (character) => `\\${character}`)
