import type { Command } from '@oclif/core/command'
import { capitalize } from '../../text/capitalize.ts'
import { exitCodes } from './exit-codes.ts'
import type { Failure } from './failure.ts'
import { type CommandWithFlags, flagHint } from './flag-hint.ts'

/** The members of a parser error that are used here. */
interface ParseError extends Error {
  readonly oclif?: { readonly exit?: number }
  /** Names of unknown flags. */
  readonly flags?: readonly string[]
  /** Missing arguments, or one too many as typed. */
  readonly args?: readonly (string | { readonly name: string; readonly description?: string })[]
}

/**
 * An error of oclif's parser in plain words, with a suggestion; undefined for any other error. `others`: every command,
 * for a flag of one of them.
 */
export function parseFailure(
  error: ParseError,
  command: typeof Command,
  others: readonly CommandWithFlags[],
): Failure | undefined {
  if (error.oclif?.exit !== 2) return undefined
  const name = `tillbox ${command.id?.replaceAll(':', ' ') ?? ''}`
  const help = `See ${name} --help`
  const failure = { exitCode: exitCodes.usage, message: messageOf(error), remedy: help }
  // Identified by their members, because the build shortens the names of classes.
  if (error.flags !== undefined) {
    const known = Object.keys({ ...command.baseFlags, ...command.flags })
    const hint = flagHint((error.flags[0] ?? '').replace(/^--?/, ''), known, others)
    const typed = error.flags.join(', ')
    return { ...failure, message: `${name} has no flag ${typed}`, remedy: hint ? `${hint} ${help}` : help }
  }
  const extra = error.args?.filter((arg) => typeof arg === 'string') ?? []
  if (extra.length > 0) return { ...failure, message: `${name} does not take ${extra.join(' ')}` }
  if (error.args !== undefined) return { ...failure, ...missingArgument(error, name, help) }
  return {
    ...failure,
    ...missingFlags(failure.message, command, help),
    ...excludedFlags(failure.message, help),
    ...wrongNumber(failure.message, command),
    ...unknownChoice(failure.message, command),
  }
}

/** A missing argument, such as `<trace-id> is missing`, and its description. */
function missingArgument({ args = [] }: ParseError, name: string, help: string): Partial<Failure> {
  const [first] = args
  if (first === undefined || typeof first === 'string') return {}
  const typed = `<${first.name}>`
  return {
    message: `${typed} is missing`,
    detail: first.description,
    field: first.name,
    typed,
    remedy: `Run ${name} ${typed}. ${help}`,
  }
}

/** Two flags that do not go together: `--json and --quiet exclude each other`. */
function excludedFlags(message: string, help: string): Partial<Failure> {
  const [, one, other] =
    /--([\w-]+)(?:=.*?)? cannot also be provided when using --([\w-]+)/.exec(message) ?? []
  if (one === undefined || other === undefined) return {}
  return {
    message: `--${one} and --${other} exclude each other`,
    field: one,
    typed: `--${one}`,
    remedy: `Remove one of them. ${help}`,
  }
}

/** Missing required flags, each as typed. */
function missingFlags(message: string, command: typeof Command, help: string): Partial<Failure> {
  const flags = [...message.matchAll(/Missing required flag ([\w-]+)/g)].map(([, flag]) => String(flag))
  if (flags.length === 0) return {}
  const valueFor = (flag: string) =>
    (command.flags[flag] as { helpValue?: string } | undefined)?.helpValue ?? '<value>'
  const all = (one: (flag: string) => string) => flags.map(one).join(' and ')
  return {
    message: `${capitalize(all((flag) => `--${flag}`))} ${flags.length === 1 ? 'is' : 'are'} missing`,
    field: flags[0],
    typed: flags.map((flag) => `--${flag}`).join(', '),
    remedy: `Pass ${all((flag) => `--${flag} ${valueFor(flag)}`)}. ${help}`,
  }
}

/** A flag, or the variable in its place, whose value is not a whole number, or one beyond its limits. */
function wrongNumber(message: string, { flags }: typeof Command): Partial<Failure> {
  const [, flag = '', limit, bound, value] =
    /^Parsing --([\w-]+):? Expected an integer(?: (greater|less) than or equal to (-?\d+))? but received: (.*)$/.exec(
      message.replaceAll(/\s*:\s*/g, ': '),
    ) ?? []
  if (value === undefined) return {}
  const wrong = limit === undefined ? 'is not a whole number' : `is ${opposite(limit)} than ${bound}`
  const { env = '' } = (flags[flag] ?? {}) as { readonly env?: string }
  const typed = process.env[env] === value ? env : `--${flag}`
  return { message: `${typed} ${value} ${wrong}`, field: flag, typed }
}

const opposite = (limit: string): string => (limit === 'greater' ? 'less' : 'more')

/** A value that the flag or argument does not accept. */
function unknownChoice(message: string, { args }: typeof Command): Partial<Failure> {
  const [, flag, flagValue, value = flagValue ?? '', choices = ''] =
    /^Expected (?:--([\w-]+)=(.*)|(.*)) to be one of: (.*)$/.exec(message) ?? []
  if (choices === '') return {}
  const [argument] = Object.entries(args).find(([, { options }]) => options?.join(', ') === choices) ?? []
  const field = flag ?? argument
  if (field === undefined) return {}
  const typed = flag === undefined ? `<${field}>` : `--${field}`
  return { message: `${typed} must be one of ${choices}, not ${value}`, field, typed }
}

/** The parser's words in one line, without its headings and hints. */
const messageOf = ({ message }: Error): string =>
  message
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(See more help|The following errors? occurred)/.test(line))
    .join(': ')
