import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { packageRoot } from '../../../shared/package-root.ts'

const folder = join(packageRoot, 'fixtures/triggers')

/** Names of the built-in scenarios: those of `tillbox trigger`. */
export const builtInNames = (): readonly string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => basename(file, '.yaml'))
    .sort()

/** The file of a built-in scenario. */
export const builtInFile = (name: string): string => join(folder, `${name}.yaml`)
