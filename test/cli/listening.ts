import { type StartedCommand, startCommand } from '../support/commands/command.ts'
import { untilStderr } from '../support/commands/launched.ts'

/** Runs `tillbox listen` beside a sandbox; resolves when it hears everything from now on. */
export async function listening(
  { cwd }: { readonly cwd: string },
  ...args: readonly string[]
): Promise<StartedCommand> {
  const listener = startCommand(['listen', ...args], { cwd })
  await untilStderr(listener, /Listening/)
  return listener
}
