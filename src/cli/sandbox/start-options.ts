import { randomBytes } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import * as v from 'valibot'
import { bodyValue } from '../../client/tolerant.ts'
import {
  accessOptions,
  addressOptions,
  behaviourOptions,
  type OptionRows,
  type OptionValues,
  startOnly,
} from '../../contract/control/sandbox-options.ts'
import { generateToken } from '../../contract/control/tokens.ts'
import { defaultPort } from '../../contract/headers.ts'
import { isExport } from '../../shared/files/portable.ts'
import { command } from '../../shared/text/commands.ts'
import { suggestion } from '../../shared/text/suggest.ts'
import { capitalize } from '../../shared/text/words.ts'
import { keyIn } from '../connection/credentials.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { findProjectFile, findRecordedFile } from '../settings/settings-files.ts'
import type { StartFlags } from './start-flags.ts'
import { stateNamed } from './state-folder.ts'

/** The options of the sandbox; `token`: as given or made. */
export function startOptions(flags: StartFlags) {
  const { fixtures, ...typedOptions } = optionValues(flags)
  const nextPort = typedOptions.port === undefined && flags.store === undefined
  const options = { port: defaultPort, nextPort, host: '127.0.0.1', token: null, ...typedOptions }
  if (options.webhookConcurrency !== undefined && options.webhookOrder !== 'concurrent')
    throw new UsageError(
      `webhookConcurrency ${options.webhookConcurrency} is only for the concurrent order`,
      'Add --set webhookOrder=concurrent, or remove webhookConcurrency',
      'set',
    )
  if (flags.detach && options.withParent)
    throw new UsageError(
      '--detach keeps the sandbox running without its parent; withParent stops it together with its parent',
      'Keep one of them',
      'set',
    )
  if (flags.watch && fixtures === undefined)
    throw new UsageError(
      ['--watch', 'follows the files of --fixtures, and none are given'],
      'Add --fixtures <path>, or leave out --watch',
    )
  if (flags.store !== undefined) requireSharable(flags, options)
  else if (options.nodeUrl !== undefined)
    throw new UsageError(
      'nodeUrl is for nodes of a database',
      'Name it with --store, or leave nodeUrl out',
      'set',
    )
  return {
    ...options,
    state: stateNamed(flags.state),
    ...(fixtures !== undefined && { fixtures: String(fixtures) }),
    ...(flags.import !== undefined && { importFrom: { path: flags.import, replace: flags.yes === true } }),
    ...(flags['export-on-exit'] !== undefined && { exportTo: exportTarget(flags['export-on-exit']) }),
    ...(flags.store !== undefined && { store: flags.store }),
  }
}

/** Flags that work only with a state folder, and what to do with a database instead. */
const fileFlags = {
  import: 'Start it, then import the file: `tillbox sandbox import <file>`',
  watch: 'Start each node again when the fixtures change',
  'export-on-exit': 'Export it while it runs: `tillbox sandbox export <file>`',
  https: 'Let a reverse proxy serve TLS; docs/shared.md has an example',
} as const

/** Refuses a flag that does not go with --store, and a node that others could not reach. */
function requireSharable(
  flags: StartFlags,
  { host, nodeUrl }: { readonly host: string; readonly nodeUrl?: string },
): void {
  if (/^(0\.0\.0\.0|::)$/.test(host) && nodeUrl === undefined)
    throw new UsageError(
      `--host ${host} is every address of this machine, and other nodes need one to reach this node`,
      'Say which: --set nodeUrl=http://<name or address>:8455',
      'set',
    )
  for (const [name, remedy] of Object.entries(fileFlags))
    if (flags[name])
      throw new UsageError([`--${name}`, 'goes with a state folder, and --store names a database'], remedy)
}

/** A new file, or an earlier export: checked at the start, not at the end. */
function exportTarget(file: string): string {
  const folder = dirname(resolve(file))
  const wrong = (why: string) =>
    new UsageError(['--export-on-exit', `${file}: ${why}`], 'Name a new file in a folder that exists')
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw wrong(`there is no folder ${folder}`)
  if (existsSync(file) && !isExport(file)) throw wrong('it exists and is not an export of tillbox')
  return file
}

const withFlags = { ...behaviourOptions, ...accessOptions, ...addressOptions }
const { fixtures: _, ...others } = behaviourOptions
const settable: OptionRows = { ...others, ...startOnly }

/** The options that are given, of a flag before those of `--set`. */
const optionValues = (flags: StartFlags): Partial<OptionValues<typeof withFlags & typeof startOnly>> => ({
  ...Object.fromEntries((flags.set ?? []).map(optionIn)),
  ...Object.fromEntries(
    Object.entries(withFlags as OptionRows).flatMap(([name, { schema, flag }]) => {
      const typed = flag && flags[flag.name]
      if (flag === undefined || typed === undefined) return []
      return [[name, read(schema, readers[name]?.(String(typed)) ?? typed, flag.name)]]
    }),
  ),
})

/** Values that name the value to use. */
const readers: Readonly<Record<string, (text: string) => string>> = {
  token: (text) => (text === generateToken ? randomBytes(24).toString('base64url') : text),
  apiKey: keyIn,
}

function read(schema: v.GenericSchema, value: unknown, flag: string): unknown {
  const result = v.safeParse(schema, value, { abortEarly: true, abortPipeEarly: true })
  if (result.success) return result.output
  const isSecret = flag === 'token' || flag === 'api-key'
  const typed = isSecret ? '' : ` ${String(value) || "''"}`
  throw new UsageError(
    `--${flag}${typed}: it ${result.issues[0].message}`,
    `See --${flag} in ${command('sandbox start --help')}`,
    flag,
  )
}

/** The option of a word of `--set`: `captureTip=50`. The value is JSON, or a text. */
function optionIn(word: string): readonly [name: string, value: unknown] {
  const [, name = '', text = ''] = /^(\w+)=(.*)$/s.exec(word) ?? []
  const wrong = (why: string, remedy: string) => new UsageError(['--set', `${word}: ${why}`], remedy)
  if (name === '')
    throw wrong('it is not <option>=<value>', 'Write --set captureTip=50; docs/options.md lists the options')
  const row = Object.hasOwn(settable, name) ? settable[name] : undefined
  if (row === undefined)
    throw wrong(`there is no option ${name}`, capitalize(suggestion(name, Object.keys(settable))))
  const result = v.safeParse(row.schema, bodyValue(text), { abortEarly: true, abortPipeEarly: true })
  if (result.success) return [name, result.output]
  throw wrong(`${name} ${result.issues[0].message}`, 'docs/options.md lists the options and their values')
}

/**
 * The flags with the options of the project's tillbox.config.json, and the differences that it accepted, as
 * words of `--set`, which typed ones follow. `from`: a folder of the project; left out, the current one.
 */
export function withProject<F extends StartFlags>(flags: F, from?: string): F {
  const { path = '', settings } = findProjectFile(from) ?? {}
  const { fixtures, ...options } = settings?.sandbox ?? {}
  const recorded = findRecordedFile()
  const words = Object.entries({ ...options, recorded })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  return {
    ...flags,
    ...(fixtures !== undefined && { fixtures: flags.fixtures ?? resolve(dirname(path), fixtures) }),
    ...(words.length > 0 && { set: [...words, ...(flags.set ?? [])] }),
  }
}

/** The files of the project whose options hold; undefined: none. */
export function projectFiles(): string | undefined {
  const { path, settings } = findProjectFile() ?? {}
  const files = [settings?.sandbox && path, findRecordedFile()].filter((each) => each !== undefined)
  return files.length === 0 ? undefined : files.join(', ')
}
