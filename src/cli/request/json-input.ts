import { boolean, string } from '@oclif/core/flags'
import { mayBeFraction } from '../../contract/fields.ts'
import type { Members } from '../../contract/validate.ts'
import { isObject } from '../../shared/is-object.ts'
import { jsonOddities, parseJsonOr } from '../../shared/text/json-oddities.ts'
import type { KeyFlags } from '../connection/credentials.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { textOfFile, textOfInput } from '../input/bounded-text.ts'

/** `--input` of an operation. */
export const inputFlag = {
  input: string({
    description: 'JSON file with fields of the request, or - for standard input; flags win over it.',
    helpValue: '<file>',
    helpGroup: 'REQUEST',
  }),
}

interface InputFlags extends KeyFlags {
  readonly input?: unknown
}

/** The text that `--input` names; undefined without it. */
export async function textOfInputFlag({ input, ...flags }: InputFlags): Promise<string | undefined> {
  if (input === undefined) return undefined
  if (input !== '-') return textOfFile(String(input), 'input')
  if (flags['api-key'] === '-')
    throw new UsageError(
      ['--input', '- and --api-key - both read standard input'],
      'Pass the key with --api-key @file, or the fields with --input <file>',
    )
  return textOfInput('input')
}

/** The members that `--input` names; none without it. */
export async function inputMembers(flags: InputFlags): Promise<Members> {
  const text = await textOfInputFlag(flags)
  return text === undefined ? {} : membersIn(text, inputSource(flags))
}

/** What `--input` names, for people. */
export const inputSource = ({ input }: InputFlags): string =>
  input === '-' ? 'standard input' : String(input)

/** The members of a JSON object. */
export function membersIn(text: string, source: string): Members {
  const value = jsonIn(text, source)
  if (!isObject(value)) {
    const kind = Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`
    throw new UsageError(
      `${source} holds ${kind}, not a JSON object`,
      'Write fields: {"amount": 1000, "priceCurrency": "USD"}',
      'input',
    )
  }
  const [odd] = jsonOddities(text, value, mayBeFraction)
  if (odd === undefined) return value
  throw new UsageError(`${source}: ${odd.field} ${odd.reason}`, 'Correct it there', 'input')
}

function jsonIn(text: string, source: string): unknown {
  const json = text.replace(/^\ufeff/, '')
  if (json.trim() === '') throw new UsageError(`${source} is empty`, 'Write a JSON object', 'input')
  return parseJsonOr(
    json,
    ({ reason, line, column }) =>
      new UsageError(
        `${source} is not JSON: ${reason}, line ${line}, column ${column}`,
        'Correct it there; names and texts stand in double quotes, and no comma comes last',
        'input',
      ),
  )
}

/** The value of a field that a flag gives in JSON. */
export function exactValue(flag: string, name: string, text: string, value: unknown): unknown {
  const odd = jsonOddities(`{${JSON.stringify(name)}:${text}}`, { [name]: value }, () => true)
  const lost = odd.find(({ isLost }) => isLost)
  if (lost === undefined) return value
  const wrong = [`--${flag}`, `${lost.field} ${lost.reason}`] as const
  throw new UsageError(wrong, 'Write it with fewer digits, or as a text')
}

/** `--client-request-id`. */
export const clientRequestIdFlag = {
  'client-request-id': string({
    description: 'X-Client-Request-Id; default: a new one. Repeat one to force a duplicate.',
    helpGroup: 'CONNECTION',
  }),
}

/** Flags that show a request in place of sending it. `looksUp`: it needs the currency of an original. */
export const dryRunFlags = (looksUp: boolean) => ({
  'dry-run': boolean({
    description: `Print the request instead of sending it${looksUp ? '; the original is looked up for its currency' : ''}.`,
    helpGroup: 'REQUEST',
    exclusive: ['curl'],
  }),
  curl: boolean({
    description:
      'Print the request as a curl command, and send nothing. The API key is the variable TILLBOX_API_KEY; the sandbox’s ' +
      'public built-in key is written out.',
    helpGroup: 'REQUEST',
  }),
})

/** Flags as they were typed. */
export type Flags = Readonly<Record<string, unknown>>

/** True when the request is only shown. */
export const isDryRun = (flags: Flags): boolean => flags['dry-run'] === true || flags.curl === true
