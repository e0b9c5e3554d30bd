import { fileURLToPath } from 'node:url'
import { execute } from '@oclif/core/execute'
import { settings } from '@oclif/core/settings'

/** Runs the command line. `dir`: the URL of a file in the package's bin folder. */
export function run(dir: string): Promise<unknown> {
  settings.enableAutoTranspile = false // what runs is built, with NODE_ENV=test too
  // no plugins: looking for them warns about a home that this user may not read
  return execute({ loadOptions: { root: fileURLToPath(dir), userPlugins: false } })
}
