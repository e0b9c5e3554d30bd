import { readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { asText } from '../../client/tolerant.ts'
import { parseStatuses } from '../../contract/statuses.ts'
import { packageRoot } from '../../package-root.ts'
import type { Scenario, Step } from '../../scenario/file/read-scenario.ts'
import { positionText } from '../../scenario/file/scenario-error.ts'
import type { Done, RunContext, StepFailure } from '../../scenario/steps/run-context.ts'
import { command } from '../../text/commands.ts'
import type { Profile } from '../connection/profile.ts'
import { exitCodes, requireKnownName } from '../errors/exit-codes.ts'
import { FailureError } from '../errors/failure.ts'
import { hintText } from '../hints/hint-text.ts'
import { type WaitingFacts, waitingFacts } from '../operation/waiting-line.ts'
import { clean } from '../output/clean.ts'
import { columns } from '../output/table.ts'
import { themeOf } from '../output/theme.ts'
import { readScenarios } from './read-scenarios.ts'

/** A scenario that `tillbox trigger` knows by name: a file of fixtures/triggers. */
export interface Trigger {
  readonly name: string
  readonly summary: string
  readonly scenario: Scenario
}

const folder = join(packageRoot, 'fixtures/triggers')

/** Every trigger, by name. Adding a file adds one. */
export async function triggers(): Promise<Trigger[]> {
  const files = readdirSync(folder)
    .filter((file) => extname(file) === '.yaml')
    .sort()
  const read = await readScenarios(files.map((file) => join(folder, file)))
  return read.map((scenario) => ({ name: scenario.name, summary: scenario.summary ?? '', scenario }))
}

/** The trigger with that name, or the scenario in a file. Errors: UsageError; FailureError for a wrong file. */
export async function triggerNamed(name: string): Promise<Pick<Trigger, 'name' | 'scenario'>> {
  const isFile = /[\\/]/.test(name) || ['.yaml', '.yml', '.json'].includes(extname(name))
  if (!isFile) return requireKnownName('trigger', name, await triggers())
  const [scenario] = await readScenarios([name])
  await refuseOptions(scenario as Scenario)
  return { name, scenario: scenario as Scenario }
}

/** A trigger runs in the running sandbox with its own options. Errors: FailureError. */
async function refuseOptions({ sandbox, file, positionOf }: Scenario): Promise<void> {
  if (sandbox === undefined) return
  throw new FailureError({
    exitCode: exitCodes.usage,
    message: `${positionText({ file, ...(await positionOf(['sandbox'])) })}: sandbox: a trigger runs in the sandbox that runs, with its options`,
    remedy: `Run it in a sandbox of its own: ${command('test', file)}. Or leave sandbox out`,
  })
}

/**
 * Runs a scenario with real requests, once for each of its cases. Errors: those of requests;
 * FailureError for unmet expectations.
 */
export async function runTrigger(
  scenario: Scenario,
  profile: Profile,
  done: (done: Done) => void,
): Promise<void> {
  const { beginRun, needsReceiver } = await import('../../scenario/run.ts')
  const { serviceAt } = await import('../../scenario/service.ts')
  const receiver = needsReceiver(scenario)
    ? await (await import('../../scenario/steps/receiver.ts')).startReceiver()
    : undefined
  try {
    for (const values of scenario.cases ?? [undefined]) {
      const run = beginRun(scenario, values, serviceAt(profile), { inbox: receiver?.open(), done })
      const failureIn = (steps: readonly Step[]) =>
        runAll(scenario, run, steps, profile).then(
          () => undefined,
          (error: Error) => error,
        )
      const failed = await failureIn([...scenario.setup, ...scenario.steps])
      const teardownError = await failureIn(scenario.teardown)
      if (failed ?? teardownError) throw failed ?? teardownError
    }
  } finally {
    await receiver?.close()
  }
}

async function runAll(scenario: Scenario, run: RunContext, steps: readonly Step[], profile: Profile) {
  const { runStep, failureAt } = await import('../../scenario/run.ts')
  const { StepFailure } = await import('../../scenario/steps/run-context.ts')
  for (const step of steps) {
    try {
      await runStep(run, step)
    } catch (error) {
      if (error instanceof StepFailure && error.cause !== undefined) throw error.cause
      if (error instanceof StepFailure && error.otherStatus !== undefined) {
        const { transactionId, isFinal } = error.otherStatus
        const waits = isFinal ? undefined : await waitingFacts(profile, transactionId)
        throw statusNotReached(error.otherStatus, waits)
      }
      const isOfScenario = ['StepFailure', 'EmptyReference', 'WrongAmount'].includes((error as Error).name)
      if (!isOfScenario) throw error
      const { position, message, differences } = await failureAt(scenario, step, error as Error, run)
      const off = differences.map(({ path, expected, actual }) =>
        `${path} expected ${expected}, actual ${actual}`.trim(),
      )
      throw new FailureError({
        exitCode: exitCodes.refused,
        message: `${positionText(position)}: ${message}`,
        detail: off.length === 0 ? undefined : off.join('; '),
        remedy: 'Run it as a test to see the timeline: `tillbox test <file>`',
      })
    }
  }
}

/** The error for a transaction with another status than the scenario expects. `waits`: what it waits for, if known. */
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
        : `Go on with it: ${waits.act}`,
  })
}

/** Every trigger with what it does. */
export function renderTriggers(triggers: readonly Trigger[]): string {
  const theme = themeOf('stdout')
  const rows = triggers.map(({ name, summary }) => [name, theme.faint(summary)])
  const back = hintText('`tillbox sandbox clock --reset` returns an advanced clock to the wall clock.', theme)
  return `${columns(['trigger', ''], rows, theme)}\n\n${theme.faint(back)}\n`
}

/** A step that was done. */
export function renderStep({ step, answer }: Done): string {
  const theme = themeOf('stdout')
  const { transactionId, sessionId, batchNo } = answer as Readonly<Record<string, unknown>>
  const batch = asText(batchNo)
  const subject = asText(transactionId) ?? asText(sessionId) ?? (batch === undefined ? '' : `batch ${batch}`)
  const line = `${theme.good('✓')} ${step.padEnd(18)} ${theme.faint(clean(subject))}`
  return `${line.trimEnd()}\n`
}
