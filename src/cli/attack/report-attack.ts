import { durationInWords } from '../../shared/text/duration-words.ts'
import { counted } from '../../shared/text/words.ts'
import type { AttackResult, Found } from '../../testing/attack/attack.ts'
import { attackSequence } from '../../testing/attack/attack-sequence.ts'
import { foundScenarioText } from '../../testing/attack/found-scenario.ts'
import { inWords } from '../../testing/attack/in-words.ts'
import type { Move } from '../../testing/attack/moves.ts'
import type { Step } from '../../testing/scenario/file/read-scenario.ts'
import { laws } from '../../testing/scenario/merchant/laws.ts'
import type { AttackReport } from '../answer-shapes.ts'
import { cleaned, cleanLines } from '../output/clean.ts'
import { drawSequence } from '../output/draw-timeline.ts'
import { plainTheme, type Theme } from '../output/theme.ts'

/** What the report needs beside the result. */
export interface ReportFacts {
  readonly seed: number
  readonly durationMs: number
  /** File of the scenario; undefined where nothing was found. */
  readonly file: string | undefined
}

/** The report of an attack for people. */
export function attackText(result: AttackResult, facts: ReportFacts, theme: Theme, width: number): string {
  const { tries, situations, isStopped, found } = result
  const time = `${counted(tries, 'try', 'tries')} in ${durationInWords(facts.durationMs)}, seed ${facts.seed}`
  const head = theme.faint(`${time}, ${situations.tried} of ${situations.all} situations tried alone`)
  if (found === undefined)
    return `${isStopped ? theme.faint('Stopped.') : theme.good('✓')} No law is broken. ${head}\n${theme.faint('An attack shows faults, and never that there is none.')}\n`
  const { violations, message, moves, observed, failed, runs } = found
  const [first] = violations
  return [
    `${theme.bad(`✗ ${first?.law ?? 'server'}`)}  ${first === undefined ? 'The server does not recover' : laws[first.law]}`,
    ...cleanLines(message)
      .split('\n')
      .map((line) => `  ${line}`),
    '',
    theme.strong(
      runs === 0
        ? 'Not confirmed, because the attack was stopped. Failed once with:'
        : `Failed in ${failed} of ${runs} runs with:`,
    ),
    ...moves.flatMap(moveLines).map((line) => `  ${line}`),
    '',
    drawSequence(cleaned(attackSequence(observed)), width, theme),
    head,
    ...(facts.file === undefined ? [] : [`Run it again: ${theme.link(`tillbox test ${facts.file}`)}`]),
    '',
  ].join('\n')
}

/** A move in words: its steps as a scenario has them. */
export function moveLines({ at, before = [], instead, after = [] }: Move): string[] {
  const text = (steps: readonly Pick<Step, 'action' | 'value'>[]) => steps.map(inWords).join(', then ')
  const step = `step ${at + 1}`
  return [
    ...(before.length > 0 ? [`before ${step}: ${text(before)}`] : []),
    ...(instead === undefined
      ? []
      : [instead.length === 0 ? `${step} does not happen` : `in place of ${step}: ${text(instead)}`]),
    ...(after.length > 0 ? [`after ${step}: ${text(after)}`] : []),
  ]
}

/** The report as JSON. */
export function attackJson(
  { tries, situations, found }: AttackResult,
  { seed, durationMs, file }: ReportFacts,
): AttackReport {
  const head = { seed, tries, situations, durationMs }
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
    drawSequence(attackSequence(found.observed), 90, plainTheme).split('\n').slice(0, -1),
    file,
  )
