import { confirm } from '@inquirer/prompts'
import { UsageError } from '../errors/usage-error.ts'

/** Errors: UsageError when there is nobody to ask. `what`: "A reset". */
export function requireTerminal(what: string): void {
  if (process.stdin.isTTY) return
  throw new UsageError(`${what} needs a confirmation, and there is no terminal to ask on`, 'Add --yes', 'yes')
}

/** Asks yes or no on standard error, no being the default. Ctrl-C means no. */
export async function ask(message: string): Promise<boolean> {
  try {
    return await confirm({ message, default: false }, { output: process.stderr })
  } catch (error) {
    if ((error as Error).name === 'ExitPromptError') return false
    throw error
  }
}
