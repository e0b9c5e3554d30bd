import type { Command } from '@oclif/core/command'
import { integer } from '@oclif/core/flags'
import type { Input } from '@oclif/core/interfaces'
import { operationMeant, operationNames } from '../../contract/operations.ts'
import { command } from '../../shared/text/commands.ts'
import { nearest } from '../../shared/text/suggest.ts'
import { exitCodes, FailureError } from '../errors/exit-codes.ts'

/** A flag or an argument, as oclif reads it. `token`: the word that was typed; a variable has none. */
interface Spec {
  readonly options?: readonly string[]
  readonly env?: string
  readonly min?: number
  readonly max?: number
  parse(
    text: string,
    reading: Pick<Command, 'id'> & { readonly token?: object },
    spec: Spec,
  ): Promise<unknown>
}

/** The input of a command, whose values are checked here: an error of oclif has its sentence alone. */
export const checkingValues = <I extends Pick<Input<object, object, object>, 'flags' | 'baseFlags' | 'args'>>(
  input: I,
): I => ({
  ...input,
  flags: checked({ ...input.baseFlags, ...input.flags }, (name) => `--${name}`),
  args: checked(input.args, (name) => `<${name}>`),
})

const checked = (specs: object = {}, asTyped: (name: string) => string): object =>
  Object.fromEntries(
    Object.entries(specs as Readonly<Record<string, Spec>>).map(([name, spec]) => {
      const { options, env = '' } = spec
      // oclif lists them where a value is missing, and leaves the check to us.
      const listed = options && Object.assign([...options], { includes: () => true })
      const parse: Spec['parse'] = (text, reading, self) => {
        const typed = reading.token === undefined ? env : asTyped(name)
        const [wrong, advice] = problemOf(text, spec)
        if (wrong === undefined) return spec.parse(text, reading, self)
        const help = `See ${command((reading.id ?? '').replaceAll(':', ' '), '--help')}`
        const remedy = name === 'minor' ? minorRemedy : advice ? `${advice} ${help}` : help
        const message = `${typed} ${wrong}`
        throw new FailureError({ exitCode: exitCodes.usage, message, field: name, typed, remedy })
      }
      return [name, { ...spec, ...(listed && { options: listed }), parse }]
    }),
  )

const minorRemedy = 'Write whole minor units, --minor 1000, or --amount 10.00'
const { parse: readInteger } = integer()

/** What is wrong with a value, and what was meant. */
function problemOf(text: string, { options, parse, min = -Infinity, max = Infinity }: Spec): string[] {
  if (options !== undefined && !options.includes(text)) {
    const meant = options === operationNames ? operationMeant(text) : nearest(text, options)
    return [`must be one of ${options.join(', ')}, not ${text}`, meant ? `Did you mean ${meant}?` : '']
  }
  if (parse !== readInteger) return []
  if (!/^-?\d+$/.test(text)) return [`${text} is not a whole number`]
  if (Number(text) < min) return [`${text} is less than ${min}`]
  return Number(text) > max ? [`${text} is more than ${max}`] : []
}
