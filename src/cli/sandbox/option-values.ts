import { randomBytes } from 'node:crypto'
import { dirname, resolve } from 'node:path'
import * as v from 'valibot'
import {
  accessOptions,
  addressOptions,
  behaviourOptions,
  type OptionRows,
  type OptionValues,
  startOnly,
} from '../../contract/sandbox/sandbox-options.ts'
import { generateToken } from '../../contract/sandbox/tokens.ts'
import { suggestion } from '../../text/suggest.ts'
import { capitalize } from '../../text/words.ts'
import { keyIn } from '../connection/credentials.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { findProjectFile } from '../settings/project-file.ts'
import type { StartFlags } from './start-flags.ts'

const withFlags = { ...behaviourOptions, ...accessOptions, ...addressOptions }
const { fixtures: _, ...others } = behaviourOptions
const settable: OptionRows = { ...others, ...startOnly }

/** The options of a sandbox, as flags give them. */
type GivenOptions = Partial<OptionValues<typeof withFlags & typeof startOnly>>

/** The options that are given, of a flag before those of `--set`. Errors: UsageError. */
export const optionValues = (flags: StartFlags): GivenOptions => ({
  ...Object.fromEntries((flags.set ?? []).map(optionIn)),
  ...Object.fromEntries(
    Object.entries(withFlags as OptionRows).flatMap(([name, { schema, flag }]) => {
      const given = flag && flags[flag.name]
      if (flag === undefined || given === undefined) return []
      return [[name, read(schema, readers[name]?.(String(given)) ?? given, flag.name)]]
    }),
  ),
})

/** Values that name the value to use. */
const readers: Readonly<Record<string, (given: string) => string>> = {
  token: (given) => (given === generateToken ? randomBytes(24).toString('base64url') : given),
  apiKey: keyIn,
}

/** Never repeated. */
const secrets: ReadonlySet<string> = new Set(['token', 'api-key'])

/** Errors: UsageError with the flag. */
function read(schema: v.GenericSchema, value: unknown, flag: string): unknown {
  const result = v.safeParse(schema, value, { abortEarly: true, abortPipeEarly: true })
  if (result.success) return result.output
  const typed = secrets.has(flag) ? '' : ` ${String(value) || "''"}`
  throw new UsageError(
    `--${flag}${typed}: it ${result.issues[0].message}`,
    `See --${flag} in tillbox sandbox start --help`,
    flag,
  )
}

/** The option of a word of `--set`: `captureTip=50`. The value is JSON, or a text. Errors: UsageError. */
function optionIn(word: string): readonly [name: string, value: unknown] {
  const [, name = '', text = ''] = /^(\w+)=(.*)$/s.exec(word) ?? []
  const wrong = (why: string, remedy: string) => new UsageError(`--set ${word}: ${why}`, remedy, 'set')
  if (name === '')
    throw wrong('it is not <option>=<value>', 'Write --set captureTip=50; docs/options.md lists the options')
  const row = Object.hasOwn(settable, name) ? settable[name] : undefined
  if (row === undefined)
    throw wrong(`there is no option ${name}`, capitalize(suggestion(name, Object.keys(settable))))
  const result = v.safeParse(row.schema, jsonOrText(text), { abortEarly: true, abortPipeEarly: true })
  if (result.success) return [name, result.output]
  throw wrong(`${name} ${result.issues[0].message}`, 'docs/options.md lists the options and their values')
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * The flags with the options of the project's tillbox.config.json as words of `--set`, which typed ones follow. Errors:
 * UsageError for a file that cannot be read.
 */
export function withProject<F extends StartFlags>(flags: F): F {
  const { path = '', settings } = findProjectFile() ?? {}
  const { fixtures, ...options } = settings?.sandbox ?? {}
  const words = Object.entries(options).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  return {
    ...flags,
    ...(fixtures !== undefined && { fixtures: flags.fixtures ?? resolve(dirname(path), fixtures) }),
    ...(words.length > 0 && { set: [...words, ...(flags.set ?? [])] }),
  }
}
