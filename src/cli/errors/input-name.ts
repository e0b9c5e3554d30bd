import { flagName } from '../../contract/operation-members.ts'
import type { Failure } from './failure.ts'

/** What a command takes. `memberFlags`: the flag or argument that a member comes from, where its name does not tell. */
export interface CommandInputs {
  readonly flags?: object
  readonly baseFlags?: object
  readonly args?: object
  readonly memberFlags?: Readonly<Record<string, string>>
}

/** Headers that are flags. */
const headerFlags: Readonly<Record<string, string>> = {
  Authorization: 'api-key',
  'X-Client-Request-Id': 'client-request-id',
  'X-Sandbox-Outcome': 'outcome',
}

/** What a person typed for a member or header: `--advance`, or `<session-id>` for an argument; undefined for nothing. */
function inputName(
  field: string,
  { flags, baseFlags, args = {}, memberFlags = {} }: CommandInputs,
): string | undefined {
  const known = { ...baseFlags, ...flags }
  for (const part of field.split('.').reverse()) {
    const own = memberFlags[part] ?? headerFlags[part] ?? part
    const name = own in known || own in args ? own : flagName(own)
    if (name in args) return `<${name}>`
    if (name in known) return `--${name}`
  }
  return undefined
}

/** A failure in the words of the command line: what was typed stands for the member that it became. */
export function withInputName(failure: Failure, command: CommandInputs): Failure {
  const typed = failure.field === undefined ? undefined : inputName(failure.field, command)
  if (typed === undefined) return failure
  const named = { ...failure, typed }
  if (failure.code !== 'C17') return named
  const said = failure.message.startsWith(`${failure.field}: `)
    ? failure.message.slice((failure.field ?? '').length + 2)
    : failure.message
  const rest = said.replace(/\b[a-z]+[A-Z]\w*/g, (member) => inputName(member, command) ?? member)
  const remedy = rest.startsWith('is required') ? `Pass ${typed}` : `Correct ${typed}`
  return { ...named, message: `${typed} ${rest}`, remedy: `${remedy}; nothing was changed` }
}
