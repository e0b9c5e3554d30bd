import { confirm, input, password, select } from '@inquirer/prompts'
import { Interrupted } from '../errors/interrupted.ts'
import { UsageError } from '../errors/usage-error.ts'

/** Questions, on standard error. Errors of each: Interrupted for Ctrl-C. */

/** Errors: UsageError when there is nobody to ask. `what`: "A reset". */
export function requireTerminal(what: string): void {
  if (process.stdin.isTTY) return
  throw new UsageError(`${what} needs a confirmation, and there is no terminal to ask on`, 'Add --yes', 'yes')
}

/** Asks yes or no, no being the default; input that ends without an answer means no. */
export const ask = (message: string): Promise<boolean> =>
  asked(confirm({ message, default: false }, where()), false)

const where = () => ({ output: process.stderr })

/** The answer; `atEnd`: the one for input that ends without. Errors: Interrupted for Ctrl-C, and for such an end without one. */
async function asked<T>(answer: Promise<T>, atEnd?: T): Promise<T> {
  try {
    return await answer
  } catch (error) {
    const { name, message } = error as Error
    if (name !== 'ExitPromptError') throw error
    if (atEnd === undefined || message.includes('SIGINT')) throw new Interrupted()
    return atEnd
  }
}

/** Asks for a text. `problem`: what is wrong with one, or undefined. */
export const askText = (
  message: string,
  usual: string,
  problem: (text: string) => string | undefined,
): Promise<string> =>
  asked(input({ message, default: usual, validate: (text) => problem(text) ?? true }, where()))

/** Asks for a secret; nothing of it is shown. */
export const askSecret = (message: string): Promise<string> =>
  asked(password({ message, mask: false }, where()))

/** Asks yes or no, yes being the default. */
export const askYes = (message: string): Promise<boolean> =>
  asked(confirm({ message, default: true }, where()))

/** What can be chosen: its line in the list, and its value, which stands there once it is chosen. */
export interface Choice {
  readonly name: string
  readonly value: string
}

/** Asks to choose one of these; the first is marked at the beginning. */
export const choose = (message: string, choices: readonly Choice[]): Promise<string> =>
  asked(
    select(
      {
        message,
        choices: choices.map(({ name, value }) => ({ name, value, short: value })),
        pageSize: 12,
        loop: false,
      },
      where(),
    ),
  )
