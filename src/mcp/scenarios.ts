import { asText } from '../client/tolerant.ts'
import { operationNames } from '../contract/operations.ts'
import type { Members } from '../contract/validate.ts'
import { type CallOptions, methodName, type ServiceClient } from '../library/service-client.ts'
import { builtInFile } from '../scenario/file/built-in.ts'
import { readScenario } from '../scenario/file/read-scenario.ts'
import { casesOf, differenceTexts, needsReceiver, runScenario } from '../scenario/run.ts'
import { startReceiver } from '../scenario/steps/receiver.ts'
import type { Done } from '../scenario/steps/run-context.ts'
import type { SelfClient } from './self-client.ts'

/** Runs a built-in scenario, or each of its cases, in the sandbox of the client. */
export async function runBuiltIn(self: SelfClient, name: string) {
  const scenario = await readScenario(builtInFile(name), name)
  const receiver = needsReceiver(scenario) ? await startReceiver() : undefined
  const steps: { step: string; transactionId?: string | undefined }[] = []
  const done = ({ step, answer }: Done) =>
    steps.push({ step, transactionId: asText((answer as Members).transactionId) })
  try {
    for (const values of casesOf(scenario)) {
      const service = { client: serviceClient(self), call: self.control }
      const options = { inbox: receiver?.open(), done }
      const { outcome, failure } = await runScenario(scenario, values, service, options)
      if (failure === undefined) continue
      const lines = [`${failure.step}: ${failure.message}`, ...differenceTexts(failure)]
      return { outcome, steps, failure: lines.join('; ') }
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
