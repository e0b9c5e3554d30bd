import { unwrap } from '../../contract/member-kinds.ts'
import { flagName, hasFlag } from '../../contract/operation-members.ts'
import type { OperationName } from '../../contract/operations.ts'
import { suggestion } from '../../text/suggest.ts'
import { capitalize } from '../../text/words.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { flagMembers } from './operation-flags.ts'
import type { FlagValues } from './operation-request.ts'

/** The flags with the fields of `--set` beside them, each under the name of its flag. Errors: UsageError. */
export function withSetFields<F extends FlagValues>(name: OperationName, flags: F): F {
  const words = Array.isArray(flags.set) ? flags.set.map(String) : []
  return { ...flags, ...Object.fromEntries(words.map((word) => fieldIn(name, word))) }
}

/** How errors name the fields that `--set` sets. */
export const setNames = (name: OperationName): Readonly<Record<string, string>> =>
  Object.fromEntries(
    flagMembers(name).flatMap(([member]) => (hasFlag(name, member) ? [] : [[member, `set ${member}`]])),
  )

/** `attach=table 7` as a flag. Errors: UsageError for an unknown field or word. */
function fieldIn(name: OperationName, word: string): readonly [flag: string, value: string] {
  const [member = '', text] = word.split(/=(.*)/s)
  const members = new Map([['appId', undefined], ...flagMembers(name)])
  const wrong = (why: string, remedy: string) => new UsageError(`--set ${word}: ${why}`, remedy, 'set')
  if (text === undefined) throw wrong('it is not <field>=<value>', 'Write --set attach=table-7')
  if (!members.has(member))
    throw wrong(`there is no field ${member}`, capitalize(suggestion(member, [...members.keys()])))
  if (hasFlag(name, member)) throw wrong('this field has a flag', `Pass --${flagName(member)}`)
  const schema = members.get(member)
  const kind = schema && unwrap(schema)
  const options = kind && 'options' in kind && Array.isArray(kind.options) ? kind.options : undefined
  if (options !== undefined && !options.includes(text))
    throw wrong('it is not a value of this field', `Use one of ${options.join(', ')}`)
  return [flagName(member), text]
}
