import { confirm } from '@inquirer/prompts'

/** Asks yes or no, no being the default. Ctrl-C means no. */
export async function ask(message: string): Promise<boolean> {
  try {
    return await confirm({ message, default: false })
  } catch (error) {
    if ((error as Error).name === 'ExitPromptError') return false
    throw error
  }
}
