import { execute } from '@oclif/core/execute'

/** Runs the command line. `dir` is the URL of a file in the package's bin folder. */
export async function run(dir: string): Promise<unknown> {
  const argv = process.argv.slice(2)
  if (argv.length === 2 && argv.includes('--json')) {
    const { commandsOfTopic, refuseTopic } = await import('./cli/errors/bare-topic.ts')
    const commands = commandsOfTopic(argv)
    if (commands.length > 0) return refuseTopic(commands)
  }
  return execute({ dir })
}
