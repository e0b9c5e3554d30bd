import { type ErrorCode, errorTable } from '../../contract/errors.ts'
import { flagName } from '../../contract/operation-members.ts'
import type { Failure } from '../answer-shapes.ts'
import { exitCodes } from './exit-codes.ts'

/**
 * The inputs of a command. `memberFlags`: the flag or argument of a field with another name; of several the
 * first that was typed, or the last.
 */
export interface CommandInputs {
  readonly id?: string
  readonly flags?: object
  readonly baseFlags?: object
  readonly args?: object
  readonly memberFlags?: MemberFlags
}

/** Flags or arguments by the members that they become. */
export type MemberFlags = Readonly<Record<string, string | readonly string[]>>

/** `helpValue` of a flag that takes JSON. */
export const jsonValue = '<json>'

const headerFlags: Readonly<Record<string, string>> = {
  Authorization: 'api-key',
  'X-Client-Request-Id': 'client-request-id',
  'X-Sandbox-Outcome': 'outcome',
}

/**
 * The input for a field such as `productList.0.amount`, `--advance` or `<session-id>`, and the path inside
 * its value, such as `[0].amount`; undefined for none.
 */
function typedFor(
  field: string,
  { flags, baseFlags, args = {}, memberFlags = {} }: CommandInputs,
  argv: readonly string[],
) {
  const allFlags: Readonly<Record<string, { readonly helpValue?: unknown; readonly type?: string }>> = {
    ...baseFlags,
    ...flags,
  }
  const names = new Map(Object.entries({ ...headerFlags, ...memberFlags }))
  const parts = field.split('.')
  const isAmount = parts[0] === 'amount' // its parts are flags of their own
  for (const index of isAmount ? [...parts.keys()].reverse() : parts.keys()) {
    const part = parts[index] ?? ''
    const input = preferredName(names.get(part), argv) ?? part
    const inside = pathText(parts.slice(index + 1))
    if (input.startsWith('set ')) return { name: `--${input}`, inside, hasValue: false }
    const isFlag = (name: string) => Object.hasOwn(allFlags, name)
    const name = isFlag(input) || Object.hasOwn(args, input) ? input : flagName(input)
    if (Object.hasOwn(args, name)) return { name: `<${name}>`, inside: '', hasValue: false }
    const { helpValue, type } = allFlags[name] ?? {}
    const isJson = helpValue === jsonValue // only there a path leads anywhere
    if (isFlag(name)) return { name: `--${name}`, inside: isJson ? inside : '', hasValue: type !== 'boolean' }
  }
  return undefined
}

const isTyped = (flag: string, argv: readonly string[]): boolean =>
  argv.some((word) => word === flag || word.startsWith(`${flag}=`))

const preferredName = (
  names: string | readonly string[] = [],
  argv: readonly string[],
): string | undefined =>
  typeof names === 'string' ? names : (names.find((name) => isTyped(`--${name}`, argv)) ?? names.at(-1))

const commandName = ({ id }: CommandInputs): string => ['tillbox', ...(id?.split(':') ?? [])].join(' ')

const pathText = (steps: readonly string[]): string =>
  steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`)).join('')

/** The flag or argument that was typed for a field: `--terminal`; undefined for none. */
export const nameFor = (field: string, command: CommandInputs, argv: readonly string[]): string | undefined =>
  typedFor(field, command, argv)?.name

/** Codes of refusals for a value that is wrong in itself: wrong usage. */
const wrongValues: ReadonlySet<string> = new Set<ErrorCode>([
  'C17',
  'SBX_OUTCOME',
  'SBX_REQ_ID_FORM',
  'SBX_FAULT',
  'SBX_CARD_DATA',
  'SBX_SNAP_NAME',
])

/** Values that are repeated at most, in characters; what looks like a card number or a secret is not. */
const longestValue = 40

/** The value of a flag as it was typed; empty where it is absent, long, or not to be repeated. */
function typedValue(flag: string, argv: readonly string[]): string {
  const at = argv.findIndex((word) => word === flag || word.startsWith(`${flag}=`))
  const word = argv[at] ?? ''
  const value = word === flag ? argv[at + 1] : word.slice(flag.length + 1)
  const isShown = value && value.length <= longestValue && !/\d{12}|^sk_/.test(value)
  return isShown ? value : ''
}

/** A failure in the terms of the command line: with the flag in place of the field. */
export function withInputName(failure: Failure, command: CommandInputs, argv: readonly string[]): Failure {
  const { code = '', field, typed: said, detail, ...others } = failure
  const found = field === undefined || said !== undefined ? undefined : typedFor(field, command, argv)
  if (found === undefined) return failure
  const typed = found.name + found.inside
  const value = found.inside === '' && found.hasValue ? typedValue(found.name, argv) : ''
  const subject = value === '' ? typed : `${typed} ${value}`
  const named = {
    ...failure,
    typed,
    ...(code === 'SBX_REQ_ID_FORM' && { message: `${subject} is malformed` }),
  }
  if (!wrongValues.has(code)) return named
  if (code !== 'C17') return { ...named, exitCode: exitCodes.usage }
  const asTyped = (member: string) => typedFor(member, command, argv)?.name ?? member
  const message =
    detail === undefined ? failure.message : `${subject} ${detail.replace(/\b[a-z]+[A-Z]\w*/g, asTyped)}`
  const help = `See ${found.name} in \`${commandName(command)} --help\``
  const isAbsent = value === '' && found.inside === '' && !isTyped(found.name, argv)
  const usual = isAbsent ? `Pass ${typed}` : found.inside === '' ? help : `Correct ${typed}. ${help}`
  const remedy = failure.remedy === errorTable.C17.remedy ? usual : failure.remedy
  return { ...others, code, field, typed, exitCode: exitCodes.usage, message, remedy }
}
