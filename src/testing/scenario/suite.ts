import { untilAborted } from '../../shared/timers.ts'
import { makeCaller } from '../helpers/caller.ts'
import { operateWith } from '../helpers/service-client.ts'
import type { TestSandbox } from '../helpers/test-sandbox.ts'
import type { Case, Scenario } from './file/read-scenario.ts'
import type { ScenarioSandbox } from './file/scenario-sandbox.ts'
import { casesOf, type RunOptions, runName, runScenario, type ScenarioResult } from './run.ts'
import { type InboxReceiver, startReceiver } from './steps/receiver.ts'
import type { ScenarioService } from './steps/run-context.ts'

/** A scenario, or one of its cases. */
export interface ScenarioRun {
  readonly scenario: Scenario
  readonly values: Case | undefined
  readonly name: string
}

/** The runs of scenarios, in their order. */
export const scenarioRunsOf = (scenarios: readonly Scenario[]): ScenarioRun[] =>
  scenarios.flatMap((scenario) =>
    casesOf(scenario).map((values) => ({ scenario, values, name: runName(scenario, values) })),
  )

/** Starts a sandbox with the options of a scenario, or of an attack on it. */
export type StartSandbox = (options: ScenarioSandbox & { readonly port?: number }) => Promise<TestSandbox>

/** How runs are done. */
export interface ScenarioSuiteOptions {
  /** The number of parallel runs, each in its own sandbox; one for a given service. */
  readonly workers: number
  /** Stop with the first that fails: the others are skipped. */
  readonly bail: boolean
  readonly start: StartSandbox
  /** The service to run against; left out, sandboxes that `start` starts. */
  readonly service?: ScenarioService | undefined
  /** How long a status is waited for, in milliseconds. */
  readonly waitMs?: number | undefined
  readonly failed?: RunOptions['failed']
  /** When it aborts, running scenarios are cancelled and no others begin. */
  readonly signal?: AbortSignal | undefined
  readonly begun?: ((run: ScenarioRun) => void) | undefined
  /** Called in the order of the runs. */
  readonly ended?: ((result: ScenarioResult) => void) | undefined
}

/** The environment of a worker. */
interface ScenarioRunner {
  run(run: ScenarioRun): Promise<ScenarioResult>
  close(): Promise<void>
}

/** Runs the scenarios and returns their results, in order. */
export async function runSuite(
  runs: readonly ScenarioRun[],
  options: ScenarioSuiteOptions,
): Promise<ScenarioResult[]> {
  const { workers, bail, service, signal, begun = () => undefined } = options
  const results: (ScenarioResult | undefined)[] = runs.map(() => undefined)
  const tell = inOrder(results, options.ended)
  const aborted = untilAborted(signal)
  let next = 0
  let stopped = false
  const work = async () => {
    const runner = service === undefined ? sandboxRunner(options) : serviceRunner(service, options)
    try {
      for (let index = next++; index < runs.length; index = next++) {
        const run = runs[index] as ScenarioRun
        const isStopped = stopped || signal?.aborted === true
        const reason = isStopped ? (bail ? 'one before it failed' : 'interrupted') : whyNot(run, options)
        if (reason === undefined) begun(run)
        const result =
          reason === undefined
            ? await Promise.race([runner.run(run), aborted.then(() => skipped(run, 'interrupted'))])
            : skipped(run, reason)
        if (bail && result.outcome === 'failed') stopped = true
        results[index] = result
        tell()
      }
    } finally {
      await runner.close()
    }
  }
  const count = service === undefined ? Math.max(1, Math.min(workers, runs.length)) : 1
  await Promise.all(Array.from({ length: count }, work))
  return results as ScenarioResult[]
}

/** Reports results in order, each as soon as all earlier ones are known. */
function inOrder(
  results: readonly (ScenarioResult | undefined)[],
  ended: (result: ScenarioResult) => void = () => undefined,
): () => void {
  let reported = 0
  return () => {
    for (let result = results[reported]; result !== undefined; result = results[reported]) {
      reported += 1
      ended(result)
    }
  }
}

/** Why a scenario does not run in an existing service or sandbox. */
const whyNot = ({ scenario }: ScenarioRun, { service }: ScenarioSuiteOptions): string | undefined =>
  service !== undefined && scenario.needs === 'sandbox' ? 'needs a sandbox of its own' : undefined

const skipped = ({ scenario, name }: ScenarioRun, reason: string): ScenarioResult => ({
  file: scenario.file,
  name,
  outcome: 'skipped',
  reason,
  steps: 0,
  durationMs: 0,
})

/** The given service: nothing is reset, and no webhook is received. */
const serviceRunner = (
  service: ScenarioService,
  { waitMs, failed }: ScenarioSuiteOptions,
): ScenarioRunner => ({
  run: ({ scenario, values }) => runScenario(scenario, values, service, { waitMs, failed }),
  close: async () => undefined,
})

/**
 * A sandbox in a temporary folder, fresh before each run, and a receiver beside it; both start when they are
 * needed. A scenario with other options than the one before has another sandbox. assumption: scenarios
 */
function sandboxRunner({ start, waitMs, failed }: ScenarioSuiteOptions): ScenarioRunner {
  let started: { readonly sandbox: TestSandbox; readonly options: string } | undefined
  let receiver: InboxReceiver | undefined
  const sandboxFor = async ({ sandbox: sandboxOptions = {} }: Scenario): Promise<TestSandbox> => {
    const options = JSON.stringify(sandboxOptions)
    if (started?.options === options) {
      await started.sandbox.reset({ everything: true })
      return started.sandbox
    }
    await end()
    const sandbox = await start({ retries: 'fast', ...sandboxOptions })
    started = { sandbox, options }
    return sandbox
  }
  const end = async () => {
    if (started === undefined) return
    const { sandbox } = started
    started = undefined
    await sandbox.close()
  }
  return {
    run: async ({ scenario, values }) => {
      const sandbox = await sandboxFor(scenario)
      receiver ??= await startReceiver()
      const { client, env } = sandbox
      const call = makeCaller({ baseUrl: sandbox.url, apiKey: sandbox.apiKey })
      const service = { operate: operateWith(client), call, env }
      return runScenario(scenario, values, service, { waitMs, failed, inbox: receiver.open() })
    },
    close: async () => {
      await end()
      await receiver?.close()
    },
  }
}
