import { join } from 'node:path'
import { makeEphemeralFolder, removeEphemeralFolder } from '../files/ephemeral.ts'
import { type Path, pathText } from '../fixture-files/fixtures-problems.ts'
import { makeCaller } from '../library/caller.ts'
import { connectSandbox } from '../library/open/connect-sandbox.ts'
import { operateWith } from '../library/service-client.ts'
import { exportState, type SeedFile, type SeedOptions, type SeedSource } from '../sandbox/seed-at-start.ts'
import { readScenario, type Scenario } from '../scenario/file/read-scenario.ts'
import { positionText, ScenarioError } from '../scenario/file/scenario-error.ts'
import { differenceTexts, runCases } from '../scenario/run.ts'
import { type RunningSandbox, startSandbox } from '../server/server.ts'

/** A seed cannot be made. The message has file, line and column. */
export class SeedError extends Error {
  override readonly name = 'SeedError'
}

/** The option of a start, where a seed is named. */
export const seedOption = (path: string | undefined): { seed?: SeedSource } =>
  path === undefined ? {} : { seed: seedFrom(path) }

/** A scenario whose transactions a new sandbox begins with. Nothing is read yet. */
export const seedFrom = (path: string): SeedSource => ({ path, make: (options) => makeSeed(path, options) })

/** Runs the scenario in a temporary sandbox and exports what it made. Errors: SeedError. assumption: seed */
async function makeSeed(path: string, options: SeedOptions): Promise<SeedFile> {
  const scenario = await scenarioIn(path)
  const folder = makeEphemeralFolder()
  const discard = () => removeEphemeralFolder(folder)
  try {
    const running = await startSandbox({ ...options, ...apart, state: join(folder, 'state') })
    try {
      await runAll(scenario, running)
      const made = join(folder, 'seed.jsonl')
      await exportState(running.sandbox, made)
      return { path: made, discard }
    } finally {
      await running.close()
    }
  } catch (error) {
    discard()
    throw error
  }
}

/** What the temporary sandbox has otherwise: only this process reaches it, it tells nobody, and outcomes can be named. */
const apart = {
  port: 0,
  host: '127.0.0.1',
  https: false,
  token: null,
  publicUrl: null,
  notifyUrl: null,
  forwardTo: null,
  extras: true,
  report: () => undefined,
  onRequest: null,
  lost: () => undefined,
  runs: 'program',
  logFile: null,
} as const

/** Errors: SeedError. */
async function scenarioIn(path: string): Promise<Scenario> {
  const scenario = await readScenario(path).catch((error: Error) => {
    throw error instanceof ScenarioError ? new SeedError(error.message) : error
  })
  const { file, sandbox, setup, steps, teardown, positionOf } = scenario
  const refuse = async (at: Path, why: string): Promise<never> => {
    throw new SeedError(`${positionText({ file, ...(await positionOf(at)) })}: ${pathText(at)}: ${why}`)
  }
  if (sandbox !== undefined) return refuse(['sandbox'], 'a seed has the options of the start')
  const asking = [...setup, ...steps, ...teardown].find(({ action }) =>
    ['webhook', 'receiver'].includes(action),
  )
  if (asking === undefined) return scenario
  return refuse(asking.path, `a seed has no ${asking.action} step: it sends no webhook`)
}

/** Does all of it, once for each case. Errors: SeedError. */
async function runAll(scenario: Scenario, { connection }: RunningSandbox): Promise<void> {
  const { url, apiKey: key } = connection
  const { client, url: baseUrl, apiKey } = await connectSandbox({ url, apiKey: key })
  const service = { operate: operateWith(client), call: makeCaller({ baseUrl, apiKey }) }
  await service.call('hold-webhooks', { hold: true })
  const failure = await runCases(scenario, service)
  if (failure === undefined) return
  const { position, step, message } = failure
  throw new SeedError(
    [`${positionText(position)}: ${step}: ${message}`, ...differenceTexts(failure)].join('; '),
  )
}
