import { counted } from '../../shared/text/words.ts'
import type { ComparedExchange } from '../../testing/drift/drift.ts'
import { clean, cleanLines } from '../output/clean.ts'
import { jsonText } from '../output/json-text.ts'
import type { Theme } from '../output/theme.ts'
import { attributes, escaped } from '../output/xml.ts'
import { escapedMessage } from '../scenario/machine-reporters.ts'

/** A difference with its place in the recording: the number of its exchange, from 1. */
const placesIn = (compared: readonly ComparedExchange[]) =>
  compared.flatMap(({ operation, at, differences }, index) =>
    differences.map((difference) => ({
      exchange: index + 1,
      operation,
      at: new Date(at).toISOString(),
      ...difference,
    })),
  )

const titleOf = ({ exchange, operation, where }: ReturnType<typeof placesIn>[number]): string =>
  `${exchange} ${operation}: ${where || 'the body'}`

/** The last line: how many were compared, how many differ, how many were left out. */
export function driftSummary(compared: readonly ComparedExchange[]): string {
  const leftOut = compared.filter((each) => each.leftOut !== null).length
  const found = placesIn(compared).length
  return `${counted(compared.length - leftOut, 'request')} compared, ${counted(found, 'difference')}, ${leftOut} left out`
}

/** For people: each difference, both sides, the claim that it contradicts, and how to follow it. */
export function driftText(compared: readonly ComparedExchange[], theme: Theme): string {
  const lines = placesIn(compared).map((each) =>
    [
      `${theme.bad('✗')} ${theme.strong(clean(titleOf(each)))}`,
      `  sandbox  ${clean(each.sandbox)}`,
      `  service  ${clean(each.service)}`,
      `  claim    ${each.claim}  ${theme.faint(each.follow)}`,
    ].join('\n'),
  )
  const leftOut = compared.flatMap(({ operation, leftOut }, index) =>
    leftOut === null ? [] : [theme.faint(`· ${index + 1} ${operation}: ${leftOut}`)],
  )
  return `${[...lines, ...leftOut, driftSummary(compared)].join('\n')}\n`
}

/** For GitHub Actions: an annotation for each difference, then the report for people. */
export const driftGithub = (compared: readonly ComparedExchange[], theme: Theme): string =>
  placesIn(compared)
    .map((each) => {
      const said = `${titleOf(each)}\nsandbox ${each.sandbox}\nservice ${each.service}\nclaim ${each.claim}`
      return `::error title=tillbox drift::${escapedMessage(cleanLines(said))}\n`
    })
    .join('') + driftText(compared, theme)

/** A document. docs/drift.md */
export const driftJson = (compared: readonly ComparedExchange[]): string =>
  `${jsonText(
    {
      compared: compared.filter(({ leftOut }) => leftOut === null).length,
      differences: placesIn(compared),
      leftOut: compared.flatMap(({ operation, leftOut }, index) =>
        leftOut === null ? [] : [{ exchange: index + 1, operation, reason: leftOut }],
      ),
    },
    2,
  )}\n`

/** JUnit XML: a test case an exchange. */
export function driftJunit(compared: readonly ComparedExchange[]): string {
  const cases = compared.map(({ operation, differences, leftOut }, index) => {
    const head = `  <testcase${attributes({ name: `${index + 1} ${operation}`, classname: 'drift' })}>`
    const said = differences.map(({ where, sandbox, service }) => `${where}: ${sandbox} / ${service}`)
    const inside =
      leftOut !== null
        ? `<skipped${attributes({ message: leftOut })}/>`
        : said.length > 0
          ? `<failure${attributes({ message: said[0] ?? '' })}>${escaped(said.join('\n'))}</failure>`
          : ''
    return `${head}${inside}</testcase>\n`
  })
  const failures = compared.filter(({ differences }) => differences.length > 0).length
  const counts = attributes({ name: 'tillbox drift', tests: compared.length, failures })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite${counts}>\n${cases.join('')}</testsuite>\n`
}
