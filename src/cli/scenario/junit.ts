import type { ScenarioResult } from '../../scenario/run.ts'
import { cleanLines } from '../output/clean.ts'
import { countsOf, failureLines, type Reporter } from './reporter.ts'

/** XML as JUnit writes it and CI systems read it: a suite a file, a test case a scenario. */
export const junitReporter = (): Reporter => ({
  begin: () => '',
  result: () => '',
  end: (results, durationMs) => {
    const files = [...new Set(results.map(({ file }) => file))]
    const suites = files.map((file) =>
      suiteOf(
        file,
        results.filter((result) => result.file === file),
      ),
    )
    const head = attributes({ name: 'tillbox', ...totals(results), time: seconds(durationMs) })
    return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${head}>\n${suites.join('')}</testsuites>\n`
  },
})

function totals(results: readonly ScenarioResult[]) {
  const { failed, skipped } = countsOf(results)
  return { tests: results.length, failures: failed, errors: 0, skipped }
}

const seconds = (milliseconds: number): string => (milliseconds / 1_000).toFixed(3)

function suiteOf(file: string, results: readonly ScenarioResult[]): string {
  const time = seconds(results.reduce((sum, { durationMs }) => sum + durationMs, 0))
  const cases = results.map(caseOf).join('')
  return `  <testsuite${attributes({ name: file, ...totals(results), time })}>\n${cases}  </testsuite>\n`
}

function caseOf({ file, name, durationMs, reason, failure }: ScenarioResult): string {
  const head = `    <testcase${attributes({ name, classname: file, file, time: seconds(durationMs) })}`
  const inside =
    failure !== undefined
      ? `<failure${attributes({ message: failure.message, type: 'ScenarioFailure' })}>${escaped(failureLines(failure).join('\n'))}</failure>`
      : reason === undefined
        ? undefined
        : `<skipped${attributes({ message: reason })}/>`
  return inside === undefined ? `${head}/>\n` : `${head}>\n      ${inside}\n    </testcase>\n`
}

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(String(value)).replace(/\n/g, '&#10;')}"`)
    .join('')

/** Characters that XML 1.0 does not allow: control characters, lone surrogates, U+FFFE and U+FFFF. */
const unwritable = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\r': '&#13;',
}

const escaped = (text: string): string =>
  cleanLines(text)
    .replace(unwritable, '\ufffd')
    .replace(/[&<>"\t\r]/g, (character) => entities[character] ?? character)
