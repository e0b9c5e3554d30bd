import type { Scenario } from '../../scenario/file/read-scenario.ts'
import { ScenarioError } from '../../scenario/file/scenario-error.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { FailureError } from '../errors/failure.ts'

/** Reads scenario files. Errors: FailureError with every problem of every file. */
export async function readScenarios(files: readonly string[]): Promise<Scenario[]> {
  const { readScenario } = await import('../../scenario/file/read-scenario.ts')
  const read = await Promise.all(files.map((file) => readScenario(file).catch((error: Error) => error)))
  const problems = read.flatMap((each) => {
    if (!(each instanceof Error)) return []
    if (each instanceof ScenarioError) return each.problems
    throw each
  })
  if (problems.length === 0) return read as Scenario[]
  throw new FailureError({
    exitCode: exitCodes.usage,
    message: problems.join('\n'),
    remedy: 'Fix the file; docs/scenarios.md shows every step',
  })
}
