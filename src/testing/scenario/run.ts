import { ForeignAnswer, Unreachable } from '../../client/http.ts'
import { LostAnswer } from '../../client/lost-answer.ts'
import { ServiceRefusal } from '../../client/read-envelope.ts'
import type { Story } from '../../contract/control/control-answers.ts'
import { pathText } from '../../sandbox/fixture-files/fixtures-problems.ts'
import { elapsedTime, wallTime } from '../../shared/timers.ts'
import type { CallControl } from '../helpers/caller.ts'
import { controlActions, type OtherAction, operationOfAction } from './file/actions.ts'
import type { Difference } from './file/match.ts'
import type { Case, Scenario, Step } from './file/read-scenario.ts'
import { EmptyReference } from './file/references.ts'
import type { FilePosition } from './file/scenario-error.ts'
import type { Violation } from './merchant/laws.ts'
import { MerchantServer, ServerProblem } from './merchant/merchant-server.ts'
import { earlierOrders, judge, letPass, releaseWebhooks } from './merchant/settle.ts'
import { runClock, runControl } from './steps/control-step.ts'
import { runOperation } from './steps/operation.ts'
import { type Inbox, startReceiver } from './steps/receiver.ts'
import { type Done, type RunContext, type ScenarioService, StepFailure } from './steps/run-context.ts'
import {
  runCommand,
  runServerCrash,
  runServerReconcile,
  runServerRequest,
  runWebhookForge,
} from './steps/server-step.ts'
import { runWaitUntil } from './steps/wait-until.ts'
import { runReceiver, runWebhook } from './steps/webhook.ts'

/** How a scenario is run. */
export interface RunOptions {
  /** Where webhooks arrive; left out, their own URLs stay. */
  readonly inbox?: Inbox | undefined
  /** How long a status is waited for, in milliseconds; left out: 10,000. */
  readonly waitMs?: number | undefined
  readonly done?: ((done: Done) => void) | undefined
  /** The merchant's server, which runs already and is not ended; left out, it is started, and ended. */
  readonly server?: MerchantServer | undefined
  /** How long the server may go on by itself after each step, in milliseconds of real time; left out: 0. */
  readonly pauseMs?: number | undefined
  /** Nothing goes wrong in this run: each step of a drive must be possible. */
  readonly isKind?: boolean | undefined
  /** Called after each step, and the time that follows it; also after those in which everything ends. */
  readonly stepped?: ((step: Step) => Promise<void>) | undefined
  /** Called after a failure in a sandbox, which still has it. `since`: wall-clock time of the begin. */
  readonly failed?: ((result: ScenarioResult, call: CallControl, since: number) => Promise<void>) | undefined
  /** Called at once with the error of a step: what it says is the cause of a failure without a story. */
  readonly explain?: ((error: Error) => Promise<Error | undefined>) | undefined
}

/** How long a status is waited for. Milliseconds. */
const usualWait = 10_000

const others: Readonly<Record<OtherAction, (run: RunContext, step: Step) => void | Promise<void>>> = {
  clock: runClock,
  'wait until': runWaitUntil,
  webhook: runWebhook,
  receiver: runReceiver,
  'webhook release': releaseWebhooks,
  'webhook forge': runWebhookForge,
  'server request': runServerRequest,
  'server crash': runServerCrash,
  'server reconcile': runServerReconcile,
  command: runCommand,
}

/** Runs one step. Errors: StepFailure, EmptyReference, WrongAmount; those of requests. */
async function runStep(run: RunContext, step: Step): Promise<void> {
  const operation = operationOfAction(step.action)
  if (operation !== undefined) return runOperation(run, step, operation)
  if (Object.hasOwn(controlActions, step.action)) return runControl(run, step)
  await others[step.action as OtherAction](run, step)
}

function beginRun(
  scenario: Scenario,
  values: Case | undefined,
  service: ScenarioService,
  { inbox, waitMs = usualWait, done = () => undefined, isKind = false }: RunOptions = {},
  server?: MerchantServer,
  earlier: ReadonlySet<string> = new Set(),
): RunContext {
  const captured = new Map<string, unknown>([
    ...(values === undefined ? [] : [['case', values] as const]),
    ...(inbox === undefined ? [] : [['receiver', { url: inbox.url }] as const]),
  ])
  const wantsEvents = allSteps(scenario).some(
    ({ action, value }) => action === 'webhook' && (value as { event?: unknown }).event !== undefined,
  )
  return {
    service,
    captured,
    inbox,
    wantsEvents,
    waitMs,
    done,
    server,
    earlierOrders: earlier,
    isKind,
    armed: [],
    offline: new Set(),
    areStepsDone: false,
    terminal: undefined,
    session: undefined,
    subject: undefined,
  }
}

const allSteps = ({ setup, steps, teardown }: Scenario): readonly Step[] => [...setup, ...steps, ...teardown]

const needsReceiver = (scenario: Scenario): boolean =>
  allSteps(scenario).some(({ action }) => action === 'webhook' || action === 'receiver')

/** Runs a scenario, or one of its cases; its teardown also runs after a failure. */
export async function runScenario(
  scenario: Scenario,
  values: Case | undefined,
  service: ScenarioService,
  options: RunOptions = {},
): Promise<ScenarioResult> {
  const [begin, since] = [elapsedTime(), wallTime()]
  let { server } = options
  let ended: Ended
  try {
    server ??= scenario.server && (await MerchantServer.open(scenario.server, service.env, scenario.file))
    const earlier = server && (await earlierOrders(server))
    ended = await runSteps(scenario, beginRun(scenario, values, service, options, server, earlier), options)
  } catch (error) {
    if (!(error instanceof ServerProblem)) throw error
    ended = { done: 0, failure: await serverFailure(scenario, error.message) }
  } finally {
    if (options.server === undefined) await server?.close()
  }
  const { done, failure, violations } = ended
  const result: ScenarioResult = {
    file: scenario.file,
    name: runName(scenario, values),
    outcome: failure === undefined ? 'passed' : 'failed',
    steps: done,
    durationMs: Math.round(elapsedTime() - begin),
    ...(failure && { failure }),
    ...(violations && { violations }),
  }
  if (failure !== undefined && service.call !== undefined) await options.failed?.(result, service.call, since)
  return result
}

/** Runs a scenario in a running sandbox, once for each of its cases, until one fails; undefined: none did. */
export async function runCases(
  scenario: Scenario,
  service: ScenarioService,
  options: RunOptions = {},
): Promise<ScenarioFailure | undefined> {
  const receiver = needsReceiver(scenario) ? await startReceiver() : undefined
  try {
    for (const values of casesOf(scenario)) {
      const { failure } = await runScenario(scenario, values, service, {
        ...options,
        inbox: receiver?.open(),
      })
      if (failure !== undefined) return failure
    }
    return undefined
  } finally {
    await receiver?.close()
  }
}

/** How the steps of a scenario ended. */
interface Ended {
  readonly done: number
  readonly failure?: ScenarioFailure | undefined
  readonly violations?: readonly Violation[]
}

async function runSteps(scenario: Scenario, run: RunContext, options: RunOptions): Promise<Ended> {
  let done = 0
  const attempt = async (steps: readonly Step[]): Promise<ScenarioFailure | undefined> => {
    for (const step of steps) {
      try {
        await runStep(run, step)
      } catch (error) {
        // an unkind world may make any step of a drive impossible: the laws judge what came of it
        const isDrive = run.server !== undefined && step.expect === undefined && !mustBePossible(run, step)
        if (!isDrive || !isOutcome(error) || isMistake(error))
          return failureAt(scenario, step, error as Error, run, options)
      }
      if (run.server !== undefined) await letPass(run, options.pauseMs)
      await options.stepped?.(step)
      done += 1
    }
    return undefined
  }
  const failed = await attempt([...scenario.setup, ...scenario.steps])
  run.areStepsDone = true
  await Promise.all(run.armed)
  const judged = failed === undefined ? await judgement(scenario, run, options) : {}
  const teardownFailure = await attempt(scenario.teardown)
  return { ...judged, done, failure: failed ?? judged.failure ?? teardownFailure }
}

/** True in a kind run for a step of the drive itself. */
const mustBePossible = ({ isKind }: RunContext, { path }: Step): boolean => isKind && path[0] === 'steps'

/** The laws that a scenario with a server breaks, as a failure, as is a server that answers no more. */
async function judgement(
  scenario: Scenario,
  run: RunContext,
  { stepped, server }: RunOptions,
): Promise<Omit<Ended, 'done'>> {
  if (run.server === undefined) return {}
  try {
    const violations = await judge(run, run.server, scenario.server, stepped)
    const isExpected = scenario.server?.orders === undefined || scenario.steps.some(({ expect }) => expect)
    const isProof = server !== undefined || isExpected || (await hasSent(run))
    if (violations.length === 0 && isProof) return { violations }
    if (violations.length === 0)
      throw new ServerProblem('It sent no request to the sandbox: nothing is judged')
    const broken = violations.map(({ law, text }) => `${law}: ${text}`)
    return { violations, failure: await serverFailure(scenario, broken.join('\n')) }
  } catch (error) {
    if (!(error instanceof ServerProblem)) throw error
    return { failure: await serverFailure(scenario, error.message) }
  }
}

/** Whether a request came to the payment API. */
async function hasSent({ service: { call } }: RunContext): Promise<boolean> {
  const requests = (await call?.('requests', {}))?.requests ?? []
  return requests.some(({ operation }) => operation !== null)
}

/** An error that tells how a step ended, and not one of this program. */
const isOutcome = (error: unknown): boolean =>
  [StepFailure, EmptyReference, ServerProblem, ServiceRefusal, Unreachable, ForeignAnswer, LostAnswer].some(
    (kind) => error instanceof kind,
  )

/** A step that no world makes possible: what it names is wrong, or not there. */
function isMistake(error: unknown): boolean {
  const refusal = error instanceof StepFailure ? error.cause : error
  return refusal instanceof ServiceRefusal && ['C17', 'SBX_UNREGISTERED'].includes(refusal.envelope.code)
}

/** In place of a step. */
const merchantServer = "the merchant's server"

/** A failure as a text: the step with its line, what is wrong, and how values differ. */
export function failureText(failure: ScenarioFailure): string {
  const { step, position, message } = failure
  const where = step === merchantServer ? '' : `${step} in line ${position.line}: `
  return [`${where}${message}`, ...differenceTexts(failure)].join('\n')
}

async function serverFailure({ file, positionOf }: Scenario, message: string): Promise<ScenarioFailure> {
  const position = { file, ...(await positionOf(['server'])) }
  return { position, step: merchantServer, message, differences: [], story: undefined }
}

/** The cases of a scenario; without any, it runs once. */
export const casesOf = ({ cases }: Scenario): readonly (Case | undefined)[] => cases ?? [undefined]

/** The name of a scenario, with the name of its case, or with the values of an unnamed case. */
export function runName({ name, cases = [] }: Scenario, values: Case | undefined): string {
  if (values === undefined) return name
  const { name: caseName } = values
  if (caseName !== undefined) return `${name}: ${String(caseName)}`
  return `${name}: case ${cases.indexOf(values) + 1}`
}

/** The report of a failed step: its position, the reason, and the timeline of its payment. */
async function failureAt(
  { file, positionOf }: Scenario,
  step: Step,
  error: Error,
  run: RunContext,
  { explain }: RunOptions,
): Promise<ScenarioFailure> {
  const differences = error instanceof StepFailure ? error.differences : []
  const locatedDifferences = await Promise.all(
    differences.map(async ({ path, expected, actual }) => ({
      position: { file, ...(await positionOf([...step.path, ...path])) },
      path: pathText(path),
      expected,
      actual,
    })),
  )
  return {
    position: locatedDifferences[0]?.position ?? { file, ...(await positionOf(step.path)) },
    step: step.title ?? `${step.action}${step.as === undefined ? '' : ` as ${step.as}`}`,
    message: failureMessage(error),
    differences: locatedDifferences,
    story: explain ? undefined : await findStory(run.service.call, run.subject),
    cause: await explain?.(error),
  }
}

/** A refusal of a look-up that belongs to a step says its code; other errors speak for themselves. */
const failureMessage = (error: Error): string =>
  error instanceof ServiceRefusal
    ? `It was refused: ${error.envelope.code} ${error.envelope.msg}`
    : error.message

/** The story of a transaction; undefined when there is none, so that the original failure is reported. */
async function findStory(call: CallControl | undefined, id: string | undefined): Promise<Story | undefined> {
  if (call === undefined || id === undefined) return undefined
  return call('transaction', { attempts: 'true' }, { id }).catch(() => undefined)
}

/** Why a scenario failed. */
export interface ScenarioFailure {
  readonly position: FilePosition
  /** The step's title, or its action. */
  readonly step: string
  readonly message: string
  /** Values that differ from the expected ones, with the position and the path of the expectation. */
  readonly differences: readonly (Omit<Difference, 'path'> & {
    readonly position: FilePosition
    readonly path: string
  })[]
  /** The payment of the step, with its timeline; undefined when unknown. */
  readonly story: Story | undefined
  /** What `explain` says. */
  readonly cause?: Error | undefined
}

/** How values differ from the expected ones: `amount.total expected 10, actual 20`. */
export const differenceTexts = ({ differences }: ScenarioFailure): string[] =>
  differences.map(({ path, expected, actual }) => `${path} expected ${expected}, actual ${actual}`.trim())

/** The result of a scenario, or of one of its cases. */
export interface ScenarioResult {
  readonly file: string
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Why it was skipped. */
  readonly reason?: string
  readonly steps: number
  readonly durationMs: number
  readonly failure?: ScenarioFailure
  /** Laws that are broken in the end, of a scenario with a server. */
  readonly violations?: readonly Violation[]
}
