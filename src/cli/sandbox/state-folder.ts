import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { string } from '@oclif/core/flags'
import { defaultState } from '../../client/discover.ts'
import { shellQuote } from '../../text/shell-quote.ts'
import { UsageError } from '../errors/usage-error.ts'

/** `--state` of commands that read the folder itself. */
export const stateFolderFlag = {
  state: string({ description: 'State folder.', default: defaultState, env: 'TILLBOX_STATE' }),
}

/** The folder as an absolute path. Errors: UsageError when there is none. */
export function stateFolder(path: string): string {
  const folder = resolve(path)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder
  throw new UsageError(`There is no state folder ${folder}`, 'Name one with --state', 'state')
}

/** The flag that names the folder in another command; empty for the usual one. */
export const forState = (path: string): string =>
  resolve(path) === resolve(defaultState) ? '' : ` --state ${shellQuote(path)}`
