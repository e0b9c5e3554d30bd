import { cleanLines } from '../output/clean.ts'
import { attributes, escaped } from '../output/xml.ts'
import { escapedMessage, escapedProperty } from '../scenario/machine-reporters.ts'

/** What became of a situation or a law. Right: `proved` by orders, or `seen` in requests. */
export type ExamState = 'proved' | 'seen' | 'gap' | 'unmet'

/** The mark of each state. */
export const examSigns: Readonly<Record<ExamState, string>> = { proved: '◆', seen: '✓', gap: '✗', unmet: '·' }

/** A situation, or a law. */
export interface ExamCase {
  readonly name: string
  readonly title: string
  /** What to do then. */
  readonly advice: string
  readonly state: ExamState
  /** The state in words. */
  readonly word: string
  /** What was left out, or is wrong. */
  readonly problems: readonly string[]
  /** Of one that was not met: how to meet it. */
  readonly hint: string | undefined
}

/** What coverage or an attack found, as reports for programs and the page of HTML are made of it. */
export interface ExamReport {
  readonly name: string
  /** One line. */
  readonly summary: string
  readonly groups: readonly { readonly title: string; readonly cases: readonly ExamCase[] }[]
  /** Lines with what it takes to break a law, and a drawing of it. */
  readonly found?: string
}

/** XML as JUnit writes it: a test case a situation or law; one that was not met is skipped. */
export function junitExam({ name, groups }: ExamReport): string {
  const suites = groups.map(({ title, cases }) => {
    const head = attributes({ name: title, ...totalsOf(cases) })
    return `  <testsuite${head}>\n${cases.map((each) => caseXml(each, title)).join('')}  </testsuite>\n`
  })
  const head = attributes({ name, ...totalsOf(groups.flatMap(({ cases }) => cases)) })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${head}>\n${suites.join('')}</testsuites>\n`
}

function totalsOf(cases: readonly ExamCase[]) {
  const count = (wanted: ExamState) => cases.filter(({ state }) => state === wanted).length
  return { tests: cases.length, failures: count('gap'), errors: 0, skipped: count('unmet') }
}

function caseXml({ name, state, word, hint, advice, problems }: ExamCase, group: string): string {
  const head = `    <testcase${attributes({ name, classname: group })}`
  if (state === 'proved' || state === 'seen') return `${head}/>\n`
  const inside =
    state === 'unmet'
      ? `<skipped${attributes({ message: hint === undefined ? word.toLowerCase() : `never met: ${hint}` })}/>`
      : `<failure${attributes({ message: advice, type: 'ExamFailure' })}>${escaped(problems.join('\n'))}</failure>`
  return `${head}>\n      ${inside}\n    </testcase>\n`
}

/** Commands of a workflow of GitHub Actions: an annotation for each case in which something is wrong. */
export const githubExam = ({ name, groups }: ExamReport): string =>
  groups
    .flatMap(({ cases }) => cases.filter(({ state }) => state === 'gap'))
    .map(
      (each) =>
        `::error title=${escapedProperty(`${name}, ${each.name}`)}::${escapedMessage(cleanLines([each.advice, ...each.problems].join('\n')))}\n`,
    )
    .join('')
