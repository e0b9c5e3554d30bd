import { confirm, input, password, select } from '@inquirer/prompts'
import { Interrupted } from '../errors/exit-codes.ts'

/** Questions, on standard error. Errors of each: Interrupted for Ctrl-C. */

/** Asks yes or no; where no is the default, input that ends without an answer means it. */
export const ask = (message: string, usual = false): Promise<boolean> =>
  settleAnswer(confirm({ message, default: usual }, where()), usual ? undefined : false)

const where = () => ({ output: process.stderr })

/** The answer; `atEnd`: the answer when the input ends. */
async function settleAnswer<T>(answer: Promise<T>, atEnd?: T): Promise<T> {
  try {
    return await answer
  } catch (error) {
    const { name, message } = error as Error
    if (name !== 'ExitPromptError') throw error
    if (atEnd === undefined || message.includes('SIGINT')) throw new Interrupted()
    return atEnd
  }
}

/**
 * Asks for a text. `problem`: returns what is wrong with it, or undefined. `meaning`: what stays behind the
 * question in its place.
 */
export const askText = (
  message: string,
  usual: string,
  problem: (text: string) => string | undefined,
  meaning = (text: string): string => text,
): Promise<string> =>
  settleAnswer(
    input(
      {
        message,
        default: usual,
        validate: (text) => problem(text) ?? true,
        transformer: (text, { isFinal }) => (isFinal ? meaning(text) : text),
      },
      where(),
    ),
  )

/** Asks for a secret; the input is not shown. */
export const askSecret = (message: string): Promise<string> =>
  settleAnswer(password({ message, mask: false }, where()))

/** A choice: its line in the list, and its value, which is shown once it is chosen. */
export interface Choice {
  readonly name: string
  readonly value: string
}

/** Asks to choose one of these; the first is marked at the beginning. */
export const choose = (message: string, choices: readonly Choice[]): Promise<string> =>
  settleAnswer(
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
