import { readdirSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { UsageError } from '../errors/usage-error.ts'

/** Extensions of files to read in a folder; JSON files may have other uses, so they must be named. */
const inFolders = ['.yaml', '.yml']

/** The scenario files that paths name: files, and all of a folder and below it. Errors: UsageError. */
export function scenarioFiles(paths: readonly string[]): string[] {
  if (paths.length === 0)
    throw new UsageError('No scenario is named', 'Name files or folders: tillbox test scenarios/', 'file')
  return [...new Set(paths.flatMap(filesAt))]
}

function filesAt(path: string): string[] {
  if (!statsOf(path).isDirectory()) return [path]
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

function statsOf(path: string) {
  try {
    return statSync(path)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'does not exist' : `cannot be read: ${message}`
    throw new UsageError(`${path} ${why}`, 'Name a scenario file, or a folder of them', 'file')
  }
}
