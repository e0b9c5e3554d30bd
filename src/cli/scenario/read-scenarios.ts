import { readdirSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileProblem } from '../../shared/files/file-problem.ts'
import type { Scenario } from '../../testing/scenario/file/read-scenario.ts'
import { ScenarioError } from '../../testing/scenario/file/scenario-error.ts'
import { exitCodes, FailureError, UsageError } from '../errors/exit-codes.ts'
import { clean } from '../output/clean.ts'

/** Reads scenario files; `runAlone`: as `readScenario`. */
export async function readScenarios(files: readonly string[], runAlone = false): Promise<Scenario[]> {
  const { readScenario } = await import('../../testing/scenario/file/read-scenario.ts')
  const read = await Promise.all(
    files.map((file) => readScenario(file, file, runAlone).catch((error: Error) => error)),
  )
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

/** Says on standard error which programs the runs of these scenarios start, before the first. */
export function tellPrograms(scenarios: readonly Scenario[]): void {
  const programs = scenarios.flatMap(({ server, setup, steps, teardown }) => [
    server?.start,
    server?.orders?.command,
    ...[...setup, ...steps, ...teardown].flatMap(({ action, value }) =>
      action === 'command' ? [value] : [],
    ),
  ])
  for (const program of new Set(programs))
    if (program !== undefined) process.stderr.write(`Starts \`${clean(String(program))}\`\n`)
}

/** Extensions of files to read in a folder; JSON files may have other uses, so they must be named. */
const inFolders = ['.yaml', '.yml']

/** The scenario files that paths name: files, and all of a folder and below it. */
export function scenarioFiles(paths: readonly string[]): string[] {
  if (paths.length === 0)
    throw new UsageError('No scenario is named', 'Name files or folders: `tillbox test scenarios/`', 'file')
  return [...new Set(paths.flatMap(filesAt))]
}

function filesAt(path: string): string[] {
  if (!requireStats(path).isDirectory()) return [path]
  const found = readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => inFolders.includes(extname(name)) && !name.split(/[\\/]/).includes('node_modules'))
    .sort()
    .map((name) => join(path, name))
  if (found.length > 0) return found
  throw new UsageError(
    `${path} has no scenario`,
    `Name a file that ends with ${inFolders.join(' or ')}`,
    'file',
  )
}

function requireStats(path: string) {
  try {
    return statSync(path)
  } catch (error) {
    throw new UsageError(
      `${path}: ${fileProblem(error as Error)}`,
      'Name a scenario file, or a folder of them',
      'file',
    )
  }
}
