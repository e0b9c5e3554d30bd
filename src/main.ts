import { execute } from '@oclif/core/execute'
import { settings } from '@oclif/core/settings'

/** Runs the command line. `dir`: the URL of a file in the package's bin folder. */
export function run(dir: string): Promise<unknown> {
  settings.enableAutoTranspile = false // what runs is built, with NODE_ENV=test too
  return execute({ dir })
}
