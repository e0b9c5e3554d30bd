import { type ClaimName, claims } from '../../contract/evidence/evidence.ts'
import { settingText, sidesOf } from '../../contract/evidence/recorded.ts'
import { counted } from '../../shared/text/words.ts'
import { type Finding, type Followed, keyOf, type Verdict } from '../../testing/drift/findings.ts'
import type { ExamCase, ExamReport } from '../exam/exam-report.ts'
import type { ExamForms } from '../exam/write-exam.ts'
import { clean } from '../output/clean.ts'
import type { Theme } from '../output/theme.ts'

/** What a report says beside the differences. */
export interface DriftFacts {
  readonly followed: Followed
  /** Path of the file with the accepted differences. */
  readonly file: string
  /** True where the differences were accepted now. */
  readonly isAccepted: boolean
}

/** The report of a comparison in its forms. docs/drift.md */
export const driftForms = (verdict: Verdict, facts: DriftFacts): ExamForms => ({
  text: (theme) => driftText(verdict, facts, theme),
  json: () => driftDocument(verdict, facts),
  exam: () => driftExam(verdict, facts),
})

/** Claims of refusals whose setting has a value that no recording tells. */
const chosen: readonly ClaimName[] = ['auth-validity', 'balance']

/** How the sandbox follows the service: a setting that was tried, a fixture, or a setting to choose. */
function followed(finding: Finding, { followed }: DriftFacts): string {
  const setting = followed.get(keyOf(finding))
  if (setting !== undefined) return `Setting: ${settingText(setting)}`
  if (/\.transactionResult(Code|Msg)$/.test(finding.where)) return 'Fixture: an outcome, docs/fixtures.md'
  const isAcceptedThere = finding.where === 'code' && finding.kept[1] === '0'
  return isAcceptedThere && chosen.includes(finding.claim)
    ? `Setting: ${claims[finding.claim].setting}`
    : 'Report it'
}

/** The requests that were not compared, by operation and reason. */
function leftOut({ compared }: Verdict) {
  const reasons = new Map<string, { operation: string; reason: string; requests: number }>()
  for (const { operation, leftOut: reason } of compared) {
    if (reason === null) continue
    const known = reasons.get(`${operation} ${reason}`) ?? { operation, reason, requests: 0 }
    reasons.set(`${operation} ${reason}`, { ...known, requests: known.requests + 1 })
  }
  return [...reasons.values()]
}

const comparedIn = ({ compared }: Verdict): number => compared.filter((each) => each.leftOut === null).length

/** The last line: how many were compared, how many differ, how many were left out. */
function summaryOf(verdict: Verdict, { isAccepted, file }: DriftFacts): string {
  const { compared, unknown, known, gone } = verdict
  const parts = [
    `${counted(comparedIn(verdict), 'request')} compared`,
    `${counted(unknown.length, 'difference')}${isAccepted && unknown.length > 0 ? ` accepted in ${file}` : ''}`,
    ...(known.length > 0 ? [`${known.length} known`] : []),
    ...(isAccepted && gone.length > 0 ? [`${gone.length} removed from ${file}`] : []),
    `${compared.length - comparedIn(verdict)} left out`,
  ]
  return parts.join(', ')
}

/** For people: each difference, both sides, the claim that it contradicts, and how to follow it. */
function driftText(verdict: Verdict, facts: DriftFacts, theme: Theme): string {
  const differences = verdict.unknown.map((each) => {
    const [first = 0, ...others] = each.exchanges
    const more = others.length > 0 ? theme.faint(`  in ${others.length + 1} requests`) : ''
    return [
      `${theme.bad('✗')} ${theme.strong(clean(`${first} ${each.operation}: ${each.where || 'the body'}`))}${more}`,
      `  sandbox  ${clean(each.sandbox)}`,
      `  service  ${clean(each.service)}`,
      `  claim    ${each.claim}  ${theme.faint(followed(each, facts))}`,
    ].join('\n')
  })
  const gone = verdict.gone.map((each) => clean(`○ ${each.of} ${each.where}: no longer ${sidesOf(each)}`))
  const others = leftOut(verdict).map(({ operation, reason, requests }) =>
    theme.faint(`· ${operation}: ${reason}${requests > 1 ? ` (${requests})` : ''}`),
  )
  const next =
    gone.length === 0 || facts.isAccepted ? [] : [`--accept removes what is no longer so from ${facts.file}`]
  return `${[...differences, ...gone, ...others, ...next, summaryOf(verdict, facts)].join('\n')}\n`
}

function driftDocument(verdict: Verdict, facts: DriftFacts) {
  return {
    compared: comparedIn(verdict),
    differences: verdict.unknown.map((finding) => {
      const { kept: _, exchanges, at, ...each } = finding
      return {
        exchange: exchanges[0],
        requests: exchanges.length,
        at: new Date(at).toISOString(),
        ...each,
        setting: facts.followed.get(keyOf(finding)) ?? null,
        follow: followed(finding, facts),
      }
    }),
    known: verdict.known.length,
    gone: verdict.gone.map(({ of, where }) => ({ of, where })),
    leftOut: leftOut(verdict),
  }
}

/** The report in the form that other reports are made of: a case for each difference. */
function driftExam(verdict: Verdict, facts: DriftFacts): ExamReport {
  const { compared, unknown, known } = verdict
  const other = { advice: '', problems: [], hint: undefined }
  const caseLeftOut = (name: string, title: string, word: string): ExamCase => {
    return { ...other, name, title, state: 'unmet', word }
  }
  const caseOf = (each: Finding, isKnown: boolean): ExamCase => ({
    name: `${each.of} ${each.where}`.trim(),
    title: `${each.operation}: ${each.where || 'the body'}`,
    advice: followed(each, facts),
    state: isKnown ? 'seen' : 'gap',
    word: isKnown ? 'Known' : 'Differs',
    problems: isKnown ? [] : [`sandbox ${each.sandbox}`, `service ${each.service}`, `claim ${each.claim}`],
    hint: undefined,
  })
  const groups = [...new Set(compared.map(({ operation }) => operation))].map((operation) => {
    const isOf = (each: { readonly operation: string }) => each.operation === operation
    const cases: readonly ExamCase[] = [
      ...unknown.filter(isOf).map((each) => caseOf(each, facts.isAccepted)),
      ...known.filter(isOf).map((each) => caseOf(each, true)),
      ...leftOut(verdict)
        .filter(isOf)
        .map(({ reason }) => caseLeftOut(reason, operation, reason)),
    ]
    const agreed: ExamCase = { ...other, name: operation, title: operation, state: 'seen', word: 'Agrees' }
    return { title: operation, cases: cases.length > 0 ? cases : [agreed] }
  })
  const gone = verdict.gone.map(({ of, where }) => caseLeftOut(`${of} ${where}`, facts.file, 'No longer so'))
  return {
    name: 'tillbox drift',
    summary: summaryOf(verdict, facts),
    groups: gone.length === 0 ? groups : [...groups, { title: 'Accepted before', cases: gone }],
  }
}
