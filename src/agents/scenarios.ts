import { asText } from '../client/tolerant.ts'
import type { Members } from '../contract/validate.ts'
import { builtInFile } from '../testing/scenario/file/built-in.ts'
import { readScenario } from '../testing/scenario/file/read-scenario.ts'
import { differenceTexts, runCases } from '../testing/scenario/run.ts'
import type { Done } from '../testing/scenario/steps/run-context.ts'
import type { SelfClient } from './self-client.ts'

/** Runs a built-in scenario, or each of its cases, in the sandbox of the client. */
export async function runBuiltIn(self: SelfClient, name: string) {
  const scenario = await readScenario(builtInFile(name), name)
  const steps: { step: string; transactionId?: string | undefined }[] = []
  const done = ({ step, answer }: Done) =>
    steps.push({ step, transactionId: asText((answer as Members).transactionId) })
  const service = { operate: self.operation, call: self.control }
  const failure = await runCases(scenario, service, { done })
  if (failure === undefined) return { outcome: 'passed', steps }
  const lines = [`${failure.step}: ${failure.message}`, ...differenceTexts(failure)]
  return { outcome: 'failed', steps, failure: lines.join('; ') }
}
