import { dirname, resolve } from 'node:path'
import type { RecordedClaim } from '../../contract/evidence/recorded.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { findProjectFile, findRecordedFile, recordedPath } from '../settings/settings-files.ts'

/** What to do about a file of accepted differences that cannot be used. */
export const recordedRemedy =
  'Nothing was changed. Correct the file, or remove it and accept the differences again: docs/drift.md'

/** The differences that the project accepted, and the path of their file, which may not exist. */
export async function acceptedDifferences(): Promise<{ path: string; accepted: readonly RecordedClaim[] }> {
  const path = findRecordedFile()
  if (path === undefined) return { path: recordedPath(), accepted: [] }
  const { readRecorded } = await import('../../sandbox/fixture-files/recorded-file.ts')
  const accepted = await readRecorded(path).catch((error: Error) => {
    throw error.name === 'WrongRecordedFile' ? new UsageError(error.message, recordedRemedy) : error
  })
  return { path, accepted }
}

/** Options that a comparison sets itself, or that would let it wait. */
const notCompared = ['likeProduction', 'extras', 'terminals', 'pace', 'autoClose', 'retries']

/** How the sandbox of the project answers. */
export function projectAnswers(): object {
  const { path = '', settings } = findProjectFile() ?? {}
  const { fixtures, ...options } = settings?.sandbox ?? {}
  return {
    ...Object.fromEntries(Object.entries(options).filter(([name]) => !notCompared.includes(name))),
    ...(fixtures !== undefined && { fixtures: resolve(dirname(path), fixtures) }),
  }
}
