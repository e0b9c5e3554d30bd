import type { Command } from '@oclif/core/command'
import { custom } from '@oclif/core/flags'
import type { Input } from '@oclif/core/interfaces'
import { operationMeant, operationNames } from '../../contract/operations.ts'
import { command } from '../../shared/text/commands.ts'
import { nearest } from '../../shared/text/suggest.ts'
import { exitCodes, FailureError } from '../errors/exit-codes.ts'

/** What reads a value: its command, and the word that it was typed as; none for a variable in its place. */
type Reading = Pick<Command, 'id'> & { readonly token?: { readonly input: string } | undefined }

type NumberLimits = {
  readonly min?: number
  readonly max?: number
  /** What to write instead; left out, the help has it. */
  readonly advice?: string
}

/** A flag with a whole number. Errors: FailureError, because an error of oclif has its sentence alone. */
export const integer = custom<number, NumberLimits>({
  parse: async (text, { id, token }, { name, env = '', min = -Infinity, max = Infinity, advice }) => {
    const number = /^-?\d+$/.test(text) ? Number(text) : Number.NaN
    if (number >= min && number <= max) return number
    const typed = token === undefined ? env : `--${name}`
    const side = number < min ? `less than ${min}` : `more than ${max}`
    const why = Number.isNaN(number) ? 'is not a whole number' : `is ${side}`
    throw wrongValue(name, typed, `${typed} ${text} ${why}`, advice ?? seeHelp(id))
  },
})

const seeHelp = (id = ''): string => `See ${command(id.replaceAll(':', ' '), '--help')}`

const wrongValue = (field: string, typed: string, message: string, remedy: string): FailureError =>
  new FailureError({ exitCode: exitCodes.usage, message, field, typed, remedy })

/** A flag or an argument, as oclif reads it. */
interface Spec {
  readonly options?: readonly string[]
  parse(text: string, reading: Reading, spec: Spec): Promise<unknown>
}

/** The input of a command whose flags and arguments check their options themselves. Errors: as `integer`. */
export const checkingOptions = <
  I extends Pick<Input<object, object, object>, 'flags' | 'baseFlags' | 'args'>,
>(
  input: I,
): I => ({
  ...input,
  flags: checked({ ...input.baseFlags, ...input.flags }, (name) => `--${name}`),
  args: checked(input.args, (name) => `<${name}>`),
})

const checked = (specs: object = {}, asTyped: (name: string) => string): object =>
  Object.fromEntries(
    Object.entries(specs as Readonly<Record<string, Spec>>).map(([name, { options, ...spec }]) => {
      if (options === undefined) return [name, spec]
      const parse: Spec['parse'] = (text, reading, self) => {
        if (options.includes(text)) return spec.parse(text, reading, self)
        const typed = asTyped(name)
        const meant = options === operationNames ? operationMeant(text) : nearest(text, options)
        const message = `${typed} must be one of ${options.join(', ')}, not ${text}`
        throw wrongValue(
          name,
          typed,
          message,
          [meant && `Did you mean ${meant}?`, seeHelp(reading.id)].filter(Boolean).join(' '),
        )
      }
      const listed = Object.assign([...options], { includes: () => true }) // oclif lists them where a value is missing
      return [name, { ...spec, options: listed, parse }]
    }),
  )
