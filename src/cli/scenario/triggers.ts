import { extname } from 'node:path'
import { asText } from '../../client/tolerant.ts'
import { parseStatuses } from '../../contract/statuses.ts'
import { command } from '../../shared/text/commands.ts'
import { controlOfAction } from '../../testing/scenario/file/actions.ts'
import { builtInFile, builtInNames } from '../../testing/scenario/file/built-in.ts'
import type { Scenario } from '../../testing/scenario/file/read-scenario.ts'
import { positionText } from '../../testing/scenario/file/scenario-error.ts'
import type { Done, StepFailure } from '../../testing/scenario/steps/run-context.ts'
import type { Profile } from '../connection/profile.ts'
import { type Told, toldBy } from '../connection/sandbox-address.ts'
import { exitCodes, FailureError, requireKnownName } from '../errors/exit-codes.ts'
import { hintText } from '../hints/hint-text.ts'
import { type WaitingFacts, waitingFacts } from '../operation/waiting-notes.ts'
import { clean } from '../output/clean.ts'
import { columns } from '../output/table.ts'
import { theme } from '../output/theme.ts'
import { readScenarios } from './read-scenarios.ts'

/** A scenario that `tillbox trigger` knows by name: a file of fixtures/triggers. */
export interface Trigger {
  readonly name: string
  readonly summary: string
  readonly scenario: Scenario
}

/** Every trigger, by name. Adding a file adds one. */
export async function triggers(): Promise<Trigger[]> {
  const read = await readScenarios(builtInNames().map(builtInFile))
  return read.map((scenario) => ({ name: scenario.name, summary: scenario.summary ?? '', scenario }))
}

/** The trigger with that name, or the scenario in a file. */
export async function triggerNamed(name: string): Promise<Pick<Trigger, 'name' | 'scenario'>> {
  const isFile = /[\\/]/.test(name) || ['.yaml', '.yml', '.json'].includes(extname(name))
  if (!isFile) return requireKnownName('trigger', name, await triggers())
  const [scenario] = await readScenarios([name])
  await refuseOptions(scenario as Scenario)
  return { name, scenario: scenario as Scenario }
}

/** A trigger runs in the running sandbox with its own options. */
async function refuseOptions({ sandbox, file, positionOf }: Scenario): Promise<void> {
  if (sandbox === undefined) return
  throw new FailureError({
    exitCode: exitCodes.usage,
    message: `${positionText({ file, ...(await positionOf(['sandbox'])) })}: sandbox: a trigger runs in the sandbox that runs, with its options`,
    remedy: `Run it in a sandbox of its own: ${command('test', file)}. Or leave sandbox out`,
  })
}

/** A trigger that changes the sandbox is refused where nobody named it; others tell where they run. */
export const toldFor = ({ setup, steps, teardown }: Scenario): Told =>
  [...setup, ...steps, ...teardown].some(({ action }) => toldBy(controlOfAction(action)) === 'refused')
    ? 'refused'
    : 'people'

/** Runs a scenario with real requests, once for each of its cases, and starts no server of it. */
export async function runTrigger(
  { server: _, ...scenario }: Scenario,
  profile: Profile,
  done: (done: Done) => void,
): Promise<void> {
  const { differenceTexts, runCases } = await import('../../testing/scenario/run.ts')
  const { serviceAt } = await import('../../testing/scenario/service.ts')
  const explain = (error: Error) => requestErrorIn(error, profile)
  const failure = await runCases(scenario, serviceAt(profile), { done, explain })
  if (failure === undefined) return
  if (failure.cause !== undefined) throw failure.cause
  const differences = differenceTexts(failure)
  throw new FailureError({
    exitCode: exitCodes.refused,
    message: `${positionText(failure.position)}: ${failure.message}`,
    detail: differences.length === 0 ? undefined : differences.join('; '),
    remedy: 'Run it as a test to see the timeline: `tillbox test <file>`',
  })
}

/** The error of a step as a command has it; undefined where a line of the scenario is not met. */
async function requestErrorIn(error: Error, profile: Profile): Promise<Error | undefined> {
  const { StepFailure } = await import('../../testing/scenario/steps/run-context.ts')
  if (!(error instanceof StepFailure))
    return ['EmptyReference', 'WrongAmount'].includes(error.name) ? undefined : error
  const { cause, otherStatus } = error
  if (cause !== undefined || otherStatus === undefined) return cause
  const waits = otherStatus.isFinal ? undefined : await waitingFacts(profile, otherStatus.transactionId)
  return statusNotReached(otherStatus, waits)
}

/** The error for a transaction with another status than expected. `waits`: what it waits for, if known. */
export function statusNotReached(
  { transactionId, status, wanted, isFinal }: NonNullable<StepFailure['otherStatus']>,
  waits: WaitingFacts | undefined,
): FailureError {
  const [until = 'SUCCESS'] = parseStatuses(wanted) ?? []
  const why = waits === undefined ? '' : `: it waits for ${waits.what}`
  return new FailureError({
    exitCode: isFinal ? exitCodes.unsuccessful : exitCodes.notFinal,
    message: `Transaction ${transactionId} is ${status}, not ${until}${why}`,
    remedy:
      waits?.act === undefined
        ? 'Look for a queued outcome, changed terminal settings or a frozen clock: `tillbox sandbox status`'
        : `Go on with it: \`${waits.act}\``,
  })
}

/** Every trigger with what it does. */
export function renderTriggers(triggers: readonly Trigger[]): string {
  const rows = triggers.map(({ name, summary }) => [name, theme.faint(summary)])
  const back = hintText('`tillbox sandbox clock --reset` returns an advanced clock to the wall clock.')
  return `${columns(['trigger', ''], rows)}\n\n${theme.faint(back)}\n`
}

/** A step that was done. */
export function renderStep({ step, answer }: Done): string {
  const { transactionId, sessionId, batchNo } = answer as Readonly<Record<string, unknown>>
  const batch = asText(batchNo)
  const subject = asText(transactionId) ?? asText(sessionId) ?? (batch === undefined ? '' : `batch ${batch}`)
  const line = `${theme.good('✓')} ${step.padEnd(18)} ${theme.faint(clean(subject))}`
  return `${line.trimEnd()}\n`
}
