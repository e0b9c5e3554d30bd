import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { decodeText } from '../../shared/text/decode-text.ts'
import { usingFile } from '../errors/system-error.ts'
import { envFileFlag, typedFlag, wordsBeforeDashes } from '../hints/same-sandbox.ts'
import { requirePath } from './path-flags.ts'

let variables: Readonly<Record<string, string | undefined>> = {}
let file = ''

/** Reads the file that the command line names. Variables of tillbox that are not set are set, no others. */
export function loadEnvFile(argv: readonly string[]): void {
  const path = typedFlag(wordsBeforeDashes(argv), envFileFlag)
  variables = {}
  if (path === undefined) return
  requirePath(path, `--${envFileFlag}`, envFileFlag)
  file = path
  const text = usingFile(
    () => decodeText(readFileSync(path)),
    `--${envFileFlag} ${path} cannot be read`,
    'Check the file',
    envFileFlag,
  )
  const all = parseEnv(text)
  variables = Object.fromEntries(Object.entries(all).filter(([name]) => process.env[name] === undefined))
  for (const [name, value] of Object.entries(variables))
    if (name.startsWith('TILLBOX_')) process.env[name] = value
}

/** A variable of the environment, or of the file. */
export const variable = (name: string): string | undefined =>
  process.env[name] || variables[name] || undefined

/** True for a variable that only the file sets. */
export const isOfEnvFile = (name: string): boolean => variables[name] !== undefined

/** Where a variable is from: its name, and the file that sets it. */
export const sourceOfVariable = (name: string): string => (isOfEnvFile(name) ? `${name} in ${file}` : name)
