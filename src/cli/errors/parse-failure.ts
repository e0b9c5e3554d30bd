import type { Command } from '@oclif/core/command'
import { flagName, hasFlag, memberSchemas, moneyMembers } from '../../contract/operation-members.ts'
import { operationMeant, operationNames, operations } from '../../contract/operations.ts'
import { command } from '../../shared/text/commands.ts'
import { nearest } from '../../shared/text/suggest.ts'
import { capitalize } from '../../shared/text/words.ts'
import type { Failure } from '../answer-shapes.ts'
import { exitCodes } from './exit-codes.ts'

interface ParseError extends Error {
  readonly oclif?: { readonly exit?: number }
  readonly flags?: readonly string[]
  /** Missing arguments, or one too many as typed. */
  readonly args?: readonly (string | { readonly name: string; readonly description?: string })[]
}

/** An error of oclif's parser in plain words, with a suggestion; undefined for any other error. */
export function parseFailure(error: ParseError, command: typeof Command): Failure | undefined {
  if (error.oclif?.exit !== 2) return undefined
  const name = `tillbox ${command.id?.replaceAll(':', ' ') ?? ''}`
  const help = `See \`${name} --help\``
  const failure = { exitCode: exitCodes.usage, message: parserMessage(error), remedy: help }
  // Identified by their members, because the build shortens the names of classes.
  if (error.flags !== undefined) {
    const flagNames = Object.keys({ ...command.baseFlags, ...command.flags })
    const unknown = (error.flags[0] ?? '').replace(/^--?|=.*$/gs, '')
    const hint =
      plainWordHint(unknown, flagNames, command.args) ??
      memberHint(unknown, command.id ?? '') ??
      flagHint(unknown, flagNames)
    const typed = error.flags.join(', ')
    return { ...failure, message: `${name} has no flag ${typed}`, remedy: hint ? `${hint} ${help}` : help }
  }
  const extra = error.args?.filter((arg) => typeof arg === 'string') ?? []
  if (extra.length > 0) return { ...failure, message: `${name} does not take ${extra.join(' ')}` }
  if (error.args !== undefined) return { ...failure, ...missingArgument(error, command, name, help) }
  return {
    ...failure,
    ...missingFlags(failure.message, command, help),
    ...excludedFlags(failure.message, help),
    ...wrongNumber(failure.message, command),
    ...unknownChoice(failure.message, command, help),
  }
}

function missingArgument(
  { args = [] }: ParseError,
  command: typeof Command,
  name: string,
  help: string,
): Partial<Failure> {
  const [first] = args
  if (first === undefined || typeof first === 'string') return {}
  const typed = `<${first.name}>`
  const required = Object.keys(command.args).filter((each) => command.args[each]?.required)
  const usage = [name, ...required.map((each) => `<${each}>`)].join(' ')
  return {
    message: `${typed} is missing`,
    field: first.name,
    typed,
    remedy: `Run \`${usage}\`. ${help}`,
  }
}

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
    /^Parsing --([\w-]+)\s*:?\s*Expected an integer(?: (greater|less) than or equal to (-?\d+))? but received\s*:\s*(.*)$/.exec(
      message,
    ) ?? []
  if (value === undefined) return {}
  const side = limit === 'greater' ? 'less' : 'more'
  const wrong = limit === undefined ? 'is not a whole number' : `is ${side} than ${bound}`
  const { env = '' } = (flags[flag] ?? {}) as { readonly env?: string }
  const typed = process.env[env] === value ? env : `--${flag}`
  const remedy = flag === 'minor' && { remedy: 'Write whole minor units, --minor 1000, or --amount 10.00' }
  return { message: `${typed} ${value} ${wrong}`, field: flag, typed, ...remedy }
}

function unknownChoice(message: string, { args }: typeof Command, help: string): Partial<Failure> {
  const [, flag, flagValue, value = flagValue ?? '', choices = ''] =
    /^Expected (?:--([\w-]+)=(.*)|(.*)) to be one of: (.*)$/.exec(message) ?? []
  if (choices === '') return {}
  const [argument] = Object.entries(args).find(([, { options }]) => options?.join(', ') === choices) ?? []
  const field = flag ?? argument
  if (field === undefined) return {}
  const typed = flag === undefined ? `<${field}>` : `--${field}`
  const meant =
    choices === operationNames.join(', ') ? operationMeant(value) : nearest(value, choices.split(', '))
  const remedy = meant && { remedy: `Did you mean ${meant}? ${help}` }
  return { message: `${typed} must be one of ${choices}, not ${value}`, field, typed, ...remedy }
}

/** The parser's words in one line, without its headings and hints. */
const parserMessage = ({ message }: Error): string =>
  message
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(See more help|The following errors? occurred)/.test(line))
    .join(': ')

/** Words that no flag is spelt like, with what they may mean: the first flag of the command, `@last` for a transaction, or another command. */
const plainWords: Readonly<Record<string, readonly string[]>> = {
  'request-id': ['transaction-request-id', 'client-request-id'],
  'idempotency-key': ['transaction-request-id', 'client-request-id'],
  serial: ['terminal'],
  sn: ['terminal'],
  decline: ['outcome'],
  card: ['terminal set --card'],
  webhook: ['notify-url', 'forward-to', 'to'],
  signature: ['header'],
  timeout: ['wait'],
  background: ['detach', 'no-wait'],
  force: ['yes'],
  last: ['@last', 'limit'],
  seed: ['import'],
}

/**
 * For a member of the operation that has no flag, typed whole or in part: how to set it. `--tax` and `--tax-amount` mean
 * `taxAmount`.
 */
function memberHint(typed: string, command: string): string | undefined {
  const name = operationNames.find((each) => operations[each].command === command.replaceAll(':', ' '))
  if (name === undefined) return undefined
  const member = Object.keys(memberSchemas(name)).find(
    (each) => !hasFlag(name, each) && `${flagName(each)}-`.startsWith(`${typed}-`),
  )
  const value = moneyMembers.has(member ?? '') ? '1.00' : '<value>'
  return member && `Set it with --set ${member}=${value}.`
}

/** The most likely flag for an unknown one, as a sentence: the one that it is a part of, or the nearest spelling of one or of its part; undefined when none is similar. */
function flagHint(typed: string, flagNames: readonly string[]): string | undefined {
  const parts = flagNames.flatMap((flag) => flag.split('-')).filter((part) => part.length > 4)
  const flag =
    byPart(typed, flagNames) ?? nearest(typed, flagNames) ?? byPart(nearest(typed, parts) ?? '', flagNames)
  return flag && `Did you mean --${flag}?`
}

function plainWordHint(typed: string, flagNames: readonly string[], args: object): string | undefined {
  const words = Object.hasOwn(plainWords, typed) ? plainWords[typed] : undefined
  const isTaken = (word: string) => word.startsWith('@') && 'transaction-id' in args
  const meant = words?.find((word) => flagNames.includes(word) || word.includes(' ') || isTaken(word))
  if (meant?.includes(' ')) return `Did you mean ${command(meant)}?`
  return meant && `Did you mean ${meant.startsWith('@') ? '' : '--'}${meant}?`
}

/** `order-id` is a part of `reference-order-id`; a part of several flags is ambiguous. */
function byPart(typed: string, flagNames: readonly string[]): string | undefined {
  const holding = flagNames.filter((flag) => `-${flag}-`.includes(`-${typed}-`))
  return holding.length === 1 ? holding[0] : undefined
}
