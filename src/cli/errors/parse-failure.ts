import type { Command } from '@oclif/core/command'
import type { Flag, ParserOutput } from '@oclif/core/interfaces'
import { flagName, hasFlag, memberSchemas, moneyMembers } from '../../contract/operation-members.ts'
import { operationNames, operations } from '../../contract/operations.ts'
import { command } from '../../shared/text/commands.ts'
import { nearest } from '../../shared/text/suggest.ts'
import { capitalize, joined } from '../../shared/text/words.ts'
import type { Failure } from '../answer-shapes.ts'
import { exitCodes } from './exit-codes.ts'

/** An error of oclif's parser: its members say what is wrong, its sentence is shown at most. */
interface ParseError extends Error {
  readonly oclif?: { readonly exit?: number }
  readonly flags?: readonly string[]
  /** Missing arguments, or one too many as typed. */
  readonly args?: readonly (string | { readonly name: string; readonly description?: string })[]
  /** What was read, of a line whose flags do not go together. */
  readonly parse?: { readonly output?: Pick<ParserOutput, 'flags' | 'metadata'> }
}

/** An error of oclif's parser in plain words, with a suggestion; undefined for any other error. */
export function parseFailure(error: ParseError, command: typeof Command): Failure | undefined {
  if (error.oclif?.exit !== 2) return undefined
  const name = `tillbox ${command.id?.replaceAll(':', ' ') ?? ''}`
  const help = `See \`${name} --help\``
  const failure = { exitCode: exitCodes.usage, message: error.message, remedy: help }
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
  const { output } = error.parse ?? {}
  return {
    ...failure,
    ...(output && (missingFlags(output, command, help) ?? excludedFlags(output, command, help))),
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

type Read = NonNullable<NonNullable<ParseError['parse']>['output']>

const flagsOf = ({ baseFlags, flags }: typeof Command): [string, Flag<unknown> & { helpValue?: unknown }][] =>
  Object.entries({ ...baseFlags, ...flags })

/** Flags that do not go together, or one without the flag that it belongs to. */
function excludedFlags({ flags, metadata }: Read, command: typeof Command, help: string): Partial<Failure> {
  const isTyped = (name: string) => flags[name] !== undefined && !metadata.flags[name]?.setFromDefault
  const typed = flagsOf(command).filter(([name]) => isTyped(name))
  for (const [name, { exclusive = [], dependsOn = [] }] of typed) {
    const other = exclusive.find((each) => isTyped(String(each)))
    if (other !== undefined)
      return apart(String(other), `and --${name} exclude each other`, `Remove one of them. ${help}`)
    const [needed] = dependsOn.filter((each) => flags[each] === undefined)
    if (needed !== undefined) return apart(name, `goes with --${needed}`, `Pass --${needed}, too. ${help}`)
  }
  return {}
}

const apart = (field: string, why: string, remedy: string): Partial<Failure> => ({
  message: `--${field} ${why}`,
  field,
  typed: `--${field}`,
  remedy,
})

function missingFlags({ flags }: Read, command: typeof Command, help: string): Partial<Failure> | undefined {
  const missing = flagsOf(command).filter(([name, { required }]) => required && flags[name] === undefined)
  if (missing.length === 0) return undefined
  const names = missing.map(([name]) => `--${name}`)
  const values = missing.map(([name, { helpValue = '<value>' }]) => `--${name} ${helpValue}`)
  return {
    message: `${capitalize(joined(names, 'and'))} ${names.length === 1 ? 'is' : 'are'} missing`,
    field: missing[0]?.[0],
    typed: names.join(', '),
    remedy: `Pass ${joined(values, 'and')}. ${help}`,
  }
}

/**
 * Words that no flag is spelt like, with what they may mean: the first flag of the command, `@last` for a
 * transaction, or another command.
 */
const flagWords: Readonly<Record<string, readonly string[]>> = {
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
 * For a member of the operation that has no flag, typed whole or in part: how to set it. `--tax` and
 * `--tax-amount` mean `taxAmount`.
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

/**
 * The most likely flag for an unknown one, as a sentence: the one that it is a part of, or the nearest
 * spelling of one or of its part; undefined when none is similar.
 */
function flagHint(typed: string, flagNames: readonly string[]): string | undefined {
  const parts = flagNames.flatMap((flag) => flag.split('-')).filter((part) => part.length > 4)
  const flag =
    byPart(typed, flagNames) ?? nearest(typed, flagNames) ?? byPart(nearest(typed, parts) ?? '', flagNames)
  return flag && `Did you mean --${flag}?`
}

function plainWordHint(typed: string, flagNames: readonly string[], args: object): string | undefined {
  const words = Object.hasOwn(flagWords, typed) ? flagWords[typed] : undefined
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
