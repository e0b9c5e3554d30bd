import { confirm } from '@inquirer/prompts'

/** Asks yes or no on standard error, no being the default. Ctrl-C means no. */
export async function ask(message: string): Promise<boolean> {
  try {
    return await confirm({ message, default: false }, { output: process.stderr })
  } catch (error) {
    if ((error as Error).name === 'ExitPromptError') return false
    throw error
  }
}
