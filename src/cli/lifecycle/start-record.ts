import { resolve } from 'node:path'
import type { StartRecord } from '../../contract/sandbox/state-folder/lock-file.ts'
import { type StartFlags, startFlags } from '../sandbox/start-flags.ts'

/** Flags that say where and how a sandbox runs this time, and not how it behaves. */
const notRecorded = new Set(['state', 'detach', 'background'])

/** Flags that name files. */
const paths = new Set(['fixtures', 'seed', 'import', 'export-on-exit'])

/** Flags that are kept out of a command line, which every user of the machine can read: a URL may have a password in it. */
const secrets = ['api-key', 'token', 'notify-url', 'forward-to', 'store'] as const

/** The record of a start: each flag that was given. `options`: the key and token in effect. */
export function startRecord(
  flags: StartFlags,
  options: { readonly apiKey?: string | undefined; readonly token: string | null },
): StartRecord {
  const given = Object.entries(flags).filter(
    ([name, value]) => value !== undefined && name in startFlags && !notRecorded.has(name),
  )
  return {
    ...(Object.fromEntries(given) as StartRecord),
    ...Object.fromEntries(
      given.filter(([name]) => paths.has(name)).map(([name, path]) => [name, resolve(String(path))]),
    ),
    ...(options.apiKey !== undefined && { 'api-key': options.apiKey }),
    ...(options.token !== null && { token: options.token }),
  }
}

/** The secrets of a record, as flags. */
export const startSecrets = (record: StartRecord): { readonly [name in (typeof secrets)[number]]?: string } =>
  Object.fromEntries(
    secrets.flatMap((name) => (typeof record[name] === 'string' ? [[name, record[name]]] : [])),
  )

/** The command line of a record, without its secrets: those are in `secretsOf`. */
export const argumentsOf = (record: StartRecord): string[] =>
  Object.entries(record).flatMap(([name, value]) => {
    if (secrets.some((secret) => secret === name)) return []
    if (typeof value === 'boolean') return [value ? `--${name}` : `--no-${name}`]
    return [value].flat().map((each) => `--${name}=${each}`)
  })

/** An environment in which a start takes the secrets of a record, and nothing that the record does not say. */
export function environmentOf(record: StartRecord, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const known: Readonly<Record<string, { readonly env?: string | undefined }>> = startFlags
  const own = new Set(Object.values(known).flatMap(({ env: name }) => name ?? []))
  const others = Object.entries(env).filter(([name]) => !own.has(name))
  const given = startSecrets(record)
  const named = secrets.flatMap((flag) => (given[flag] ? [[known[flag]?.env ?? '', given[flag]]] : []))
  return Object.fromEntries([...others, ...named])
}
