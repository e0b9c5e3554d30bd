import { chmodSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { RecordedClaim } from '../../contract/evidence/recorded.ts'
import { replaceFile, throughLinks } from '../../shared/files/files.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { usingFile } from '../errors/system-error.ts'
import { jsonText } from '../output/json-text.ts'
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

/** Writes the file, whole or not at all, for everybody who works on the project. */
export function writeAccepted(path: string, accepted: readonly RecordedClaim[]): void {
  const write = () => {
    const file = throughLinks(path)
    replaceFile(file, [`${jsonText({ accepted }, 2)}\n`])
    chmodSync(file, 0o644)
  }
  usingFile(write, `Cannot write ${path}`, 'Make it a file that you can write', 'accept')
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
