import { isFinal, type Status } from '../../contract/statuses.ts'
import { suggestion } from '../../shared/text/suggest.ts'
import { capitalize } from '../../shared/text/words.ts'
import type { Failure } from '../answer-shapes.ts'

/** Exit codes. One table for the commands, their help and the README. */
export const exitCodes = {
  done: 0,
  refused: 1,
  usage: 2,
  unreachable: 3,
  unsuccessful: 4,
  notFinal: 5,
} as const

/** Meaning of each exit code, in words. */
export const exitMeanings: Readonly<Record<number, string>> = {
  0: 'done (or accepted, with --no-wait)',
  1: 'refused by the service, or a check failed',
  2: 'wrong usage, such as a wrong value; nothing to try or compare; or you answered no to a question',
  3: 'no usable answer in time; the request may have been carried out',
  4: 'final, but declined or closed; or only partly done',
  5: 'not final when the wait ended',
}

/** The exit code for a status of a transaction; undefined: unknown. */
export function exitCodeOf(status: Status | undefined): number {
  if (status === undefined || !isFinal(status)) return exitCodes.notFinal
  return status === 'SUCCESS' ? exitCodes.done : exitCodes.unsuccessful
}

/** The user answered a question with no: the command ends, and changes nothing. */
export class NotConfirmed extends Error {
  override readonly message = 'Nothing was changed.'
}

/** The exit code of shells for a command that Ctrl-C ended. */
export const interruptedCode = 130

/** Ctrl-C at a question: the command ends, and changes nothing. */
export class Interrupted extends Error {}

/** An error that knows its exit code and its remedy. */
export class FailureError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message)
  }
}

/** The named item does not exist, with a remedy. */
export class NothingFound extends FailureError {
  constructor(message: string, remedy: string) {
    super({ exitCode: exitCodes.refused, message, remedy })
  }
}

/**
 * The command line is wrong. `message`: in a sentence, or of an input as it is typed: `['--ttl', 'soon is not
 * a duration']`. `field`: the input that it is about, where the message does not begin with it.
 */
export class UsageError extends FailureError {
  constructor(message: string | readonly [input: string, wrong: string], remedy: string, field?: string) {
    const [input, says] = typeof message === 'string' ? [undefined, message] : [message[0], message.join(' ')]
    const about = field ?? input?.replace(/^--|[<>]/g, '')
    super({ exitCode: exitCodes.usage, message: says, field: about, remedy })
  }
}

/** The item with that name. */
export function requireKnownName<T extends { readonly name: string }>(
  what: string,
  name: string,
  items: readonly T[],
  field = what,
  suggest = (name: string, items: readonly T[]): string =>
    suggestion(
      name,
      items.map((each) => each.name),
    ),
): T {
  const found = items.find((each) => each.name === name)
  if (found !== undefined) return found
  throw new UsageError(`There is no ${what} ${name}`, capitalize(suggest(name, items)), field)
}
