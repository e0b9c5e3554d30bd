import { writeFileSync } from 'node:fs'
import { UsageError } from '../errors/exit-codes.ts'
import { fileProblem } from '../errors/system-error.ts'

/** Writes a file that a flag or an argument `file` names. Errors: UsageError for one that is there, or cannot be written. */
export function writeNew(path: string, text: string, isReplaced: boolean): void {
  try {
    writeFileSync(path, text, { flag: isReplaced ? 'w' : 'wx' })
  } catch (error) {
    const problem = error as NodeJS.ErrnoException
    if (problem.code === 'EEXIST')
      throw new UsageError(`${path} is there already`, 'Name another file, or add --force', 'file')
    throw new UsageError(
      `${path} cannot be written: ${fileProblem(problem)}`,
      'Name a file in a folder that exists and that you can write',
      'file',
    )
  }
}
