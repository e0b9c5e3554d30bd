import { unwrap } from '../../contract/member-kinds.ts'
import { commandArgument, flagName, hasFlag, mayBeginOrder, needs } from '../../contract/operation-members.ts'
import { type OperationName, operations } from '../../contract/operations.ts'
import { suggestion } from '../../shared/text/suggest.ts'
import { capitalize } from '../../shared/text/words.ts'
import { UsageError } from '../errors/exit-codes.ts'
import type { FlagValues } from './operation-flags.ts'
import { flagMembers } from './operation-flags.ts'

/** The user's input: the argument, the flags, and the fields of `--input`. */
export interface TypedInput {
  readonly original: string | undefined
  readonly flags: FlagValues
  readonly input: Readonly<Record<string, unknown>>
}

/** A required value that is missing. `error`: the message when it cannot be asked for. */
export interface MissingInput {
  readonly what: 'argument' | 'amount'
  readonly member: string
  readonly error: UsageError
}

/** The missing values of a command line, before asking. */
export const missingInput = (name: OperationName, typed: TypedInput): readonly MissingInput[] =>
  [missingArgument(name, typed), missingAmount(name, typed)].filter((each) => each !== undefined)

function missingArgument(
  name: OperationName,
  { original, flags, input }: TypedInput,
): MissingInput | undefined {
  const argument = commandArgument(name)
  if (argument === undefined || original !== undefined) return undefined
  const { member, byRequest } = argument
  const named = argument.name === 'sessionId' ? 'session' : 'transaction'
  const what = `The ${member === 'originalTransactionId' ? 'original transaction' : named} is missing`
  const others = [byRequest, ...(mayBeginOrder(name) ? ['referenceOrderId'] : [])]
  const otherFlags = others.map(flagName)
  const isNamed = otherFlags.some((flag) => flags[flag] !== undefined)
  if (isNamed || [member, ...others].some((each) => input[each] != null)) return undefined
  const remedy = `Name the ${named}, or pass --${otherFlags.join(' or --')}`
  return { what: 'argument', member, error: new UsageError(what, remedy, member) }
}

function missingAmount(name: OperationName, { flags, input }: TypedInput): MissingInput | undefined {
  const member = ['amount', 'tipAmount'].find((each) => each in operations[name].input.entries)
  if (member === undefined || !needs(name, member)) return undefined
  const flag = flagName(member)
  const { minor, item } = flags
  if ([flags[flag], minor, item].some((each) => each !== undefined) || input[member] != null) return undefined
  const remedy = `Pass --${flag} 10.00${flag === 'amount' ? ', or --minor 1000 in minor units' : ''}`
  return { what: 'amount', member, error: new UsageError([`--${flag}`, 'is missing'], remedy) }
}

/** The flags with the fields of `--set` beside them, each under the name of its flag. */
export function withSetFields<F extends FlagValues>(name: OperationName, flags: F): F {
  const words = Array.isArray(flags.set) ? flags.set.map(String) : []
  return { ...flags, ...Object.fromEntries(words.map((word) => fieldIn(name, word))) }
}

/** How errors name the fields that `--set` sets. */
export const setNames = (name: OperationName): Readonly<Record<string, string>> =>
  Object.fromEntries(
    flagMembers(name).flatMap(([member]) => (hasFlag(name, member) ? [] : [[member, `set ${member}`]])),
  )

/** `attach=table 7` as a flag. */
function fieldIn(name: OperationName, word: string): readonly [flag: string, value: string] {
  const [member = '', text] = word.split(/=(.*)/s)
  const members = new Map([['appId', undefined], ...flagMembers(name)])
  const wrong = (why: string, remedy: string) => new UsageError(['--set', `${word}: ${why}`], remedy)
  if (text === undefined) throw wrong('it is not <field>=<value>', 'Write --set attach=table-7')
  if (!members.has(member))
    throw wrong(`there is no field ${member}`, capitalize(suggestion(member, [...members.keys()])))
  const schema = members.get(member)
  const kind = schema && unwrap(schema)
  const no = kind?.type === 'boolean' && text === 'false' ? 'no-' : ''
  if (hasFlag(name, member)) throw wrong('this field has a flag', `Pass --${no}${flagName(member)}`)
  const options = kind && 'options' in kind && Array.isArray(kind.options) ? kind.options : undefined
  if (options !== undefined && !options.includes(text))
    throw wrong('it is not a value of this field', `Use one of ${options.join(', ')}`)
  return [flagName(member), text]
}
