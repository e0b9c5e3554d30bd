import { readFileSync } from 'node:fs'
import { basename, dirname, extname, resolve } from 'node:path'
import type { Catalogue } from '../../../domain/fixtures.ts'
import {
  checked,
  FixturesError,
  type Flaw,
  listed,
  type Path,
} from '../../../sandbox/fixture-files/fixtures-problems.ts'
import { readFixtures } from '../../../sandbox/fixture-files/read-fixtures.ts'
import {
  readJson,
  readYaml,
  type SourcePosition,
  UnreadableText,
} from '../../../sandbox/fixture-files/source-lines.ts'
import { fileProblem } from '../../../shared/files/file-problem.ts'
import { isObject } from '../../../shared/is-object.ts'
import { decodeText } from '../../../shared/text/decode-text.ts'
import { suggestion } from '../../../shared/text/suggest.ts'
import type { ServerSection } from '../merchant/server-schema.ts'
import { operationOfAction } from './actions.ts'
import { wrongMatchersIn } from './match.ts'
import { referencesIn } from './references.ts'
import { ScenarioError } from './scenario-error.ts'
import type { ScenarioSandbox } from './scenario-sandbox.ts'
import { actionsIn, type ScenarioFile, scenarioFile } from './scenario-schema.ts'
import { wrongAmountsIn } from './written-amounts.ts'

/** A step of a scenario: one action with its value, and what goes with it. */
export interface Step {
  /** `sale`, `terminal present`, `clock`, … */
  readonly action: string
  readonly value: unknown
  readonly title?: string
  readonly as?: string
  readonly expect?: Expectation
  readonly outcome?: string
  readonly fault?: string
  /** False, or how long its end is waited for. */
  readonly wait?: boolean | string
  /** Path in its file. */
  readonly path: Path
}

/** Expectations of an answer; absent members match anything. */
export interface Expectation {
  readonly status?: string
  readonly code?: unknown
  readonly lost?: boolean
  readonly answer?: unknown
  readonly record?: unknown
  readonly error?: unknown
}

/** Values of a case, by name. */
export type Case = Readonly<Record<string, unknown>>

/** A scenario as read. */
export interface Scenario {
  readonly file: string
  readonly name: string
  readonly summary?: string
  /** `any`: it runs against the real service too. */
  readonly needs: 'sandbox' | 'any'
  /** Options of its sandbox; undefined for the usual one. */
  readonly sandbox?: ScenarioSandbox
  /** The merchant's server that the steps drive; undefined for a scenario of the service alone. */
  readonly server?: ServerSection
  /** Undefined for a scenario without cases, which runs once. */
  readonly cases?: readonly Case[]
  readonly setup: readonly Step[]
  readonly steps: readonly Step[]
  readonly teardown: readonly Step[]
  readonly positionOf: (path: Path) => Promise<SourcePosition>
}

const scenarioExtensions = ['.yaml', '.yml', '.json'] as const

/**
 * Reads a scenario file. `shown`: its name in errors. `runsAlone`: it runs in a sandbox of its own, whose
 * outcomes are known before.
 */
export async function readScenario(path: string, shown = path, runsAlone = false): Promise<Scenario> {
  const text = attempt(shown, () => decodeText(readFileSync(path)))
  const { value, positionOf } = await readContent(path, shown, text)
  if (!isObject(value)) throw new ScenarioError([`${shown}:1:1: must be an object with steps`])
  const { output, wrong } = checked(scenarioFile, value)
  if (output === undefined) throw await scenarioError(shown, wrong, positionOf)
  const scenario = makeScenario(output, path)
  const problems = [...scenarioProblems(scenario), ...(await problemsOfFixtures(scenario, runsAlone))]
  if (problems.length > 0) throw await scenarioError(shown, problems, positionOf)
  return { ...scenario, file: shown, positionOf }
}

async function scenarioError(
  file: string,
  problems: readonly Flaw[],
  positionOf: Scenario['positionOf'],
): Promise<ScenarioError> {
  const lines = await listed(problems, async ({ path }) => {
    const { line, column } = await positionOf(path)
    return { shown: `${file}:${line}:${column}`, order: [line, column] }
  })
  return new ScenarioError(lines)
}

function attempt<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new ScenarioError([`${path}: ${fileProblem(error as Error)}`])
  }
}

async function readContent(path: string, shown: string, text: string) {
  const extension = extname(path)
  if (!scenarioExtensions.some((each) => each === extension))
    throw new ScenarioError([
      `${shown}: is not a scenario; its name must end with ${scenarioExtensions.join(', ')}`,
    ])
  try {
    return await (extension === '.json' ? readJson : readYaml)(text, () => true)
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error
    const { line, column, message } = error
    const position = [line, column].filter((each) => each !== undefined).map((each) => `:${each}`)
    const hint = /\$\{/.test(text) ? '. A reference that is not in quotes is written $name' : ''
    throw new ScenarioError([`${shown}${position.join('')}: ${message}${hint}`])
  }
}

type ReadScenario = Omit<Scenario, 'file' | 'positionOf'>

const makeScenario = (
  {
    name,
    summary,
    needs = 'sandbox',
    sandbox,
    server,
    cases,
    setup = [],
    steps,
    teardown = [],
  }: ScenarioFile,
  path: string,
): ReadScenario => ({
  name: name ?? basename(path, extname(path)),
  ...(summary !== undefined && { summary }),
  needs,
  ...(sandbox && { sandbox: sandboxOptions(sandbox, path) }),
  ...(server !== undefined && { server }),
  ...(cases !== undefined && { cases: cases as readonly Case[] }),
  setup: setup.map(stepAt('setup')),
  steps: steps.map(stepAt('steps')),
  teardown: teardown.map(stepAt('teardown')),
})

/** A path of fixtures is one from the folder of the scenario. */
function sandboxOptions(section: object, path: string): ScenarioSandbox {
  const options: ScenarioSandbox = section
  return typeof options.fixtures === 'string'
    ? { ...options, fixtures: resolve(dirname(path), options.fixtures) }
    : options
}

const stepAt =
  (section: string) =>
  (step: unknown, index: number): Step => {
    const [action = ''] = actionsIn(step as object)
    const { [action]: value, ...beside } = step as Readonly<Record<string, unknown>>
    return { ...beside, action, value, path: [section, index] }
  }

/** Problems beyond the schema: names that no step captured, and steps that the real service does not have. */
function scenarioProblems({ setup, steps, teardown, needs, sandbox, server, cases }: ReadScenario) {
  const namesSoFar = new Set(['receiver', 'case'])
  const problems: Flaw[] = wrongAmountsIn({ cases })
  if (needs === 'any' && sandbox !== undefined) problems.push({ path: ['sandbox'], reason: ofSandbox })
  if (needs === 'any' && server !== undefined) problems.push({ path: ['server'], reason: ofSandbox })
  for (const { path, as, ...step } of [...setup, ...steps, ...teardown]) {
    const members = { [step.action]: step.value, ...step }
    for (const { name, path: inside, rest } of referencesIn(members)) {
      if (inside[0] === 'value' || inside[0] === 'action') continue
      const at = [...path, ...inside]
      const reason = `nothing before is named ${name}; ${suggestion(name, [...namesSoFar])}`
      if (!namesSoFar.has(name)) problems.push({ path: at, reason })
      else if (name === 'case') problems.push(...problemOfCase(at, rest[0], cases))
    }
    if (as !== undefined) namesSoFar.add(as)
    const { action, value, expect } = step
    if (action !== 'server request') problems.push(...wrongAmountsIn({ [action]: value, expect }, path))
    const compared = { ...(action === 'webhook' && { webhook: value }), expect }
    problems.push(...wrongMatchersIn(compared, path))
    if (needs === 'any') problems.push(...problemsOfAny({ path, ...step }))
  }
  return problems
}

function problemOfCase(path: Path, name: string | undefined, cases: readonly Case[] | undefined) {
  if (cases === undefined) return [{ path, reason: 'the scenario has no cases' }]
  const without = cases.findIndex((each) => name === undefined || !Object.hasOwn(each, name))
  return without < 0 ? [] : [{ path, reason: `case ${without + 1} has no ${name ?? 'such value'}` }]
}

const ofSandbox = 'only a sandbox does this: leave it out, or write needs: sandbox'

/** Problems of fixtures beyond their schemas: a separate file reports its own lines. */
async function problemsOfFixtures(scenario: ReadScenario, runsAlone: boolean): Promise<Flaw[]> {
  const { sandbox } = scenario
  const at = ['sandbox', 'fixtures']
  try {
    const catalogue = await readFixtures(sandbox?.fixtures ?? {})
    return runsAlone ? unknownOutcomes(scenario, catalogue) : []
  } catch (error) {
    if (!(error instanceof FixturesError)) throw error
    if (typeof sandbox?.fixtures === 'string') return error.problems.map((reason) => ({ path: at, reason }))
    return error.found.map(({ path, reason }) => ({ path: [...at, ...path], reason }))
  }
}

/** Outcomes that no fixture has, where a step expects no refusal. */
const unknownOutcomes = (
  { setup, steps, teardown }: ReadScenario,
  { outcomeNamed, outcomes }: Catalogue,
): Flaw[] => {
  const names = outcomes.map(({ name }) => name)
  return [...setup, ...steps, ...teardown].flatMap(({ outcome, expect, path }) => {
    if (outcome === undefined || outcome.includes('$') || outcomeNamed(outcome)) return []
    if (expect?.code !== undefined || expect?.error !== undefined) return []
    const reason = `there is no outcome ${outcome}; ${suggestion(outcome, names)}`
    return [{ path: [...path, 'outcome'], reason }]
  })
}

/** What only a sandbox does. */
function problemsOfAny({ action, outcome, fault, value, path }: Step): Flaw[] {
  const isWaitForPayment = action === 'wait until' && isObject(value) && 'payment' in value
  const isService = operationOfAction(action) !== undefined || isWaitForPayment
  const beside = outcome !== undefined ? 'outcome' : fault !== undefined ? 'fault' : undefined
  return isService && beside === undefined ? [] : [{ path: [...path, beside ?? action], reason: ofSandbox }]
}
