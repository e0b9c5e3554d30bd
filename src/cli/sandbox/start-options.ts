import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { defaultPort } from '../../client/discover.ts'
import { isExport } from '../../files/portable.ts'
import { urlFrom } from '../connection/sandbox-address.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { optionValues } from './option-values.ts'
import type { StartFlags } from './start-flags.ts'
import { stateNamed } from './state-folder.ts'

export { withProject } from './option-values.ts'

/** The options of the sandbox; `token`: as given or made. Errors: UsageError. */
export function startOptions(flags: StartFlags) {
  if (flags.seed !== undefined && flags.import !== undefined)
    throw new UsageError(
      '--seed makes the state that a new folder begins with, and --import names another one',
      'Keep one of them',
      'seed',
    )
  const { fixtures, ...given } = optionValues(flags)
  const options = { port: defaultPort, host: '127.0.0.1', token: null, ...given }
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
  if (flags.store !== undefined) requireSharable(flags, options.host)
  return {
    ...options,
    state: stateNamed(flags.state),
    ...(fixtures !== undefined && { fixtures: String(fixtures) }),
    ...(flags.import !== undefined && { importFrom: { path: flags.import, replace: flags.yes === true } }),
    ...(flags['export-on-exit'] !== undefined && { exportTo: exportTarget(flags['export-on-exit']) }),
    ...(flags.store !== undefined && { store: flags.store }),
    ...(flags['node-url'] !== undefined && { nodeUrl: urlFrom(flags['node-url'], 'node-url') }),
  }
}

/** Flags that work only with a state folder, and what to do with a database instead. */
const fileFlags = {
  seed: 'Start it, then make the transactions with commands or a scenario',
  import: 'Start it, then import the file: tillbox sandbox import <file>',
  'export-on-exit': 'Export it while it runs: tillbox sandbox export <file>',
  https: 'Let a reverse proxy serve TLS; docs/shared.md has an example',
} as const

/** Errors: UsageError for a flag that does not go with --store, and for a node that others could not reach. */
function requireSharable(flags: StartFlags, host: string): void {
  if (/^(0\.0\.0\.0|::)$/.test(host) && flags['node-url'] === undefined)
    throw new UsageError(
      `--host ${host} is every address of this machine, and other nodes need one to reach this node`,
      'Say which: --node-url http://<name or address>:8455',
      'node-url',
    )
  for (const [name, remedy] of Object.entries(fileFlags))
    if (flags[name])
      throw new UsageError(`--${name} goes with a state folder, and --store names a database`, remedy, name)
}

/** A new file, or an earlier export. Errors: UsageError at the start, not at the end. */
function exportTarget(file: string): string {
  const folder = dirname(resolve(file))
  const wrong = (why: string) =>
    new UsageError(
      `--export-on-exit ${file}: ${why}`,
      'Name a new file in a folder that exists',
      'export-on-exit',
    )
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw wrong(`there is no folder ${folder}`)
  if (existsSync(file) && !isExport(file)) throw wrong('it exists and is not an export of tillbox')
  return file
}
