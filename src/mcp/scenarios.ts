import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { asText } from '../client/tolerant.ts'
import { operationNames } from '../contract/operations.ts'
import type { Members } from '../contract/validate.ts'
import { type CallOptions, methodName, type ServiceClient } from '../library/service-client.ts'
import { packageRoot } from '../package-root.ts'
import { readScenario } from '../scenario/file/read-scenario.ts'
import { needsReceiver, runScenario } from '../scenario/run.ts'
import { startReceiver } from '../scenario/steps/receiver.ts'
import type { Done } from '../scenario/steps/run-context.ts'
import type { SelfClient } from './self-client.ts'

const folder = join(packageRoot, 'fixtures/triggers')

/** Names of the scenarios that `tillbox trigger` knows, too. */
export const scenarioNames = (): readonly string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => basename(file, '.yaml'))
    .sort()

/** Runs a built-in scenario, or each of its cases, in the sandbox of the client. */
export async function runBuiltIn(self: SelfClient, name: string) {
  const scenario = await readScenario(join(folder, `${name}.yaml`), name)
  const receiver = needsReceiver(scenario) ? await startReceiver() : undefined
  const steps: { step: string; transactionId?: string | undefined }[] = []
  const done = ({ step, answer }: Done) =>
    steps.push({ step, transactionId: asText((answer as Members).transactionId) })
  try {
    for (const values of scenario.cases ?? [undefined]) {
      const service = { client: serviceClient(self), call: self.control }
      const options = { inbox: receiver?.open(), done }
      const { outcome, failure } = await runScenario(scenario, values, service, options)
      if (failure === undefined) continue
      const differences = failure.differences.map(
        ({ path, expected, actual }) => `${path} expected ${expected}, actual ${actual}`,
      )
      return { outcome, steps, failure: [`${failure.step}: ${failure.message}`, ...differences].join('; ') }
    }
    return { outcome: 'passed', steps }
  } finally {
    await receiver?.close()
  }
}

/** The operations as methods, as a client of the library has them. */
const serviceClient = (self: SelfClient): ServiceClient =>
  Object.fromEntries(
    operationNames.map((name) => [
      methodName(name),
      (members: Members, options?: CallOptions) => self.operation(name, members, options),
    ]),
  ) as unknown as ServiceClient
