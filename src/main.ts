import { fileURLToPath } from 'node:url'
import { execute } from '@oclif/core/execute'
import { commandsPlugin } from './cli/start/commands-plugin.ts'

/** Runs the command line. `dir` is the URL of a file in the package's bin folder. */
export function run(dir: string): Promise<unknown> {
  const plugin = commandsPlugin(fileURLToPath(new URL('..', dir)))
  return execute({ loadOptions: { root: plugin.root, plugins: new Map([[plugin.name, plugin]]) } })
}
