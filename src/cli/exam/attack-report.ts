import { situations } from '../../contract/exam/catalogue.ts'
import { type Law, laws } from '../../contract/exam/situation.ts'
import { durationInWords } from '../../shared/text/duration-words.ts'
import { shellQuote } from '../../shared/text/shell-quote.ts'
import { counted } from '../../shared/text/words.ts'
import type { AttackResult, Found } from '../../testing/attack/attack.ts'
import { attackSequence } from '../../testing/attack/attack-sequence.ts'
import { foundScenarioText } from '../../testing/attack/found-scenario.ts'
import { inWords } from '../../testing/attack/in-words.ts'
import type { Move } from '../../testing/attack/moves.ts'
import type { Step } from '../../testing/scenario/file/read-scenario.ts'
import type { AttackReport } from '../answer-shapes.ts'
import { cleaned, cleanLines } from '../output/clean.ts'
import { drawSequence } from '../output/draw-timeline.ts'
import { plainTheme, type Theme } from '../output/theme.ts'
import type { ExamCase, ExamReport } from './exam-report.ts'

/** What the report needs beside the result. */
export interface ReportFacts {
  readonly seed: number
  readonly durationMs: number
  /** File of the scenario; undefined where nothing was found. */
  readonly file: string | undefined
}

/** The report of an attack for people. */
export function attackText(result: AttackResult, facts: ReportFacts, theme: Theme, width: number): string {
  const { isStopped, found, unchecked } = result
  const head = theme.faint(triesLine(result, facts))
  if (found === undefined)
    return [
      `${isStopped ? theme.faint('Stopped.') : theme.good('✓')} No law is broken. ${head}`,
      ...(unchecked.length === 0
        ? []
        : [`Not checked: ${unchecked.join(', ')}. docs/exam.md says what they need`]),
      theme.faint('An attack shows faults, and never that there is none.'),
      '',
    ].join('\n')
  const { violations, message, moves, steps, failed, runs } = found
  const [first] = violations
  return [
    `${theme.bad(`✗ ${first?.law ?? 'server'}`)}  ${first === undefined ? 'The server does not recover, or its orders cannot be read' : laws[first.law]}`,
    ...cleanLines(message)
      .split('\n')
      .map((line) => `  ${line}`),
    '',
    theme.strong(
      runs === 0
        ? `Not confirmed, because ${isStopped ? 'the attack was stopped' : 'the time was over'}. Failed once with:`
        : `Failed in ${failed} of ${runs} runs with:`,
    ),
    ...moves.flatMap(moveLines).map((line) => `  ${line}`),
    ...(moves.length === 0
      ? []
      : steps.map((step, index) => theme.faint(`  step ${index + 1} is ${inWords(step)}`))),
    '',
    ...drawn(found, width, theme),
    head,
    ...(facts.file === undefined
      ? []
      : [`Run it again: ${theme.link(`tillbox test ${shellQuote(facts.file)}`)}`]),
    '',
  ].join('\n')
}

function triesLine({ tries, situations: all }: AttackResult, { durationMs, seed }: ReportFacts): string {
  const tried = all.filter((each) => each.tries > 0).length
  const time = `${counted(tries, 'try', 'tries')} in ${durationInWords(durationMs)}, seed ${seed}`
  return `${time}, ${tried} of ${all.length} situations tried`
}

/** A move in words: its steps as a scenario has them. */
export function moveLines({ edits }: Move): string[] {
  const text = (steps: readonly Pick<Step, 'action' | 'value'>[]) => steps.map(inWords).join(', then ')
  return edits.flatMap(({ step: index, before = [], instead, after = [] }) => {
    const step = `step ${index + 1}`
    return [
      ...(before.length > 0 ? [`before ${step}: ${text(before)}`] : []),
      ...(instead === undefined
        ? []
        : [instead.length === 0 ? `${step} does not happen` : `in place of ${step}: ${text(instead)}`]),
      ...(after.length > 0 ? [`after ${step}: ${text(after)}`] : []),
    ]
  })
}

/** The report in the form that other reports are made of: laws and situations. */
export function attackExam(result: AttackResult, facts: ReportFacts): ExamReport {
  const { found, situations: tried } = result
  const fits = situations.flatMap((each) => {
    const { tries } = tried.find(({ name }) => name === each.name) ?? {}
    return tries === undefined ? [] : [{ ...each, tries }]
  })
  return {
    name: 'tillbox attack',
    summary: triesLine(result, facts),
    ...(found && { found: attackText(result, facts, plainTheme, 100) }),
    groups: [
      {
        title: 'Laws',
        cases: lawCases(result),
      },
      {
        title: 'Situations that fit the drive',
        cases: fits.map(({ name, title, advice, tries }) => {
          const [state, word] =
            tries > 0
              ? (['seen', counted(tries, 'try', 'tries')] as const)
              : (['unmet', 'Not tried'] as const)
          return { name, title, advice, state, word, problems: [], hint: undefined }
        }),
      },
    ],
  }
}

/** A server that does not answer any more breaks a law without a name; no other is judged then. */
function lawCases({ found, unchecked, tries }: AttackResult): ExamCase[] {
  const { violations = [], message = '' } = found ?? {}
  const isJudged = found === undefined || violations.length > 0
  const cases = (Object.keys(laws) as Law[]).map((name): ExamCase => {
    const problems = violations.filter(({ law }) => law === name).map(({ text }) => text)
    const [state, word] =
      problems.length > 0
        ? (['gap', 'Broken'] as const)
        : isJudged && !unchecked.includes(name)
          ? (['seen', `Not broken in ${counted(tries, 'try', 'tries')}`] as const)
          : (['unmet', 'Not checked'] as const)
    return { name, title: laws[name], advice: laws[name], state, word, problems, hint: undefined }
  })
  if (isJudged) return cases
  const title = 'The server recovers'
  const server = { name: 'server', title, advice: title, state: 'gap', word: 'Broken' } as const
  return [{ ...server, problems: message.split('\n'), hint: undefined }, ...cases]
}

/** The report as JSON. */
export function attackJson(
  { tries, situations: tried, unchecked, found }: AttackResult,
  { seed, durationMs, file }: ReportFacts,
): AttackReport {
  const head = { seed, tries, situations: tried, unchecked, durationMs }
  if (found === undefined || file === undefined) return { ...head, found: null }
  const { violations: laws, message, failed, runs } = found
  return {
    ...head,
    found: { laws, message, moves: found.moves.flatMap(moveLines), failed, runs, scenario: file },
  }
}

/** The scenario of what was found, to be written to `file`, with its drawing, 90 columns wide. */
export const attackScenario = (found: Found, seed: number, file: string): string =>
  foundScenarioText(
    found,
    seed,
    drawn(found, 90, plainTheme).flatMap((drawing) => drawing.split('\n').slice(0, -1)),
    file,
  )

/** What happened as a sequence diagram; none where it was not watched. */
const drawn = ({ observed }: Found, width: number, theme: Theme): string[] =>
  observed.length === 0 ? [] : [drawSequence(cleaned(attackSequence(observed)), width, theme)]
