import { specRecordSchema } from '../../contract/records.ts'
import { terminalEventMembers } from '../../contract/sandbox/webhooks.ts'
import { suggestion } from '../../text/suggest.ts'
import { capitalize } from '../../text/words.ts'
import { UsageError } from '../errors/exit-codes.ts'

/** Members of a notification by its kind. */
const members: Readonly<Record<'payment' | 'terminal', readonly string[]>> = {
  payment: Object.keys(specRecordSchema.entries),
  terminal: terminalEventMembers,
}

/**
 * The changes of `--set` and `--add` to a notification: `--set` takes existing fields only, `--add` new ones only.
 * Errors: UsageError.
 */
export function editedMembers(
  kind: 'payment' | 'terminal',
  set: readonly string[] = [],
  add: readonly string[] = [],
): Readonly<Record<string, unknown>> {
  const known = members[kind]
  const changed = set.map((text) => memberFrom(text, 'set'))
  for (const [name, , text] of changed) {
    if (known.includes(name)) continue
    const suggested = capitalize(suggestion(name, known))
    throw new UsageError(
      `--set ${text}: a ${kind} notification has no field ${name}`,
      `${suggested}${suggested.endsWith('?') ? ' Use' : '; use'} --add ${text} to send it all the same`,
      'set',
    )
  }
  const added = add.map((text) => memberFrom(text, 'add'))
  for (const [name, , text] of added)
    if (known.includes(name))
      throw new UsageError(
        `--add ${text}: a ${kind} notification has the field ${name} already`,
        `Use --set ${text}`,
        'add',
      )
  return Object.fromEntries([...changed, ...added].map(([name, value]) => [name, value]))
}

/** `name=value`; a value that is a number, true, false or null in JSON is one. Errors: UsageError. */
function memberFrom(text: string, flag: string): readonly [name: string, value: unknown, text: string] {
  const at = text.indexOf('=')
  if (at < 1) throw new UsageError(`--${flag} ${text} has no value`, 'Write it as name=value', flag)
  const value = text.slice(at + 1)
  const isJson = /^(-?\d+|true|false|null)$/.test(value) && !/^0\d/.test(value)
  return [text.slice(0, at), isJson ? JSON.parse(value) : value, text]
}
