import { inspect } from 'node:util'
import * as v from 'valibot'
import { duration, filledText, keyText } from '../../contract/control/sandbox-options.ts'
import { isHttpUrl } from '../../shared/text/http-url.ts'
import { nearest } from '../../shared/text/suggest.ts'

/** An option has an invalid value, or does not exist. */
export class InvalidOption extends Error {
  override readonly name = 'InvalidOption'
  constructor(
    /** Name of the option, such as `retries`. */
    readonly option: string,
    reason: string,
  ) {
    super(`${option} ${reason}`)
  }
}

/** A value that a program gave, for an error: as JSON, unless it cannot be written so. */
export function shownValue(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return inspect(value, { breakLength: Number.POSITIVE_INFINITY }) // it contains itself, or a bigint
  }
}

/** A duration in sandbox time: whole milliseconds, or a text such as `500ms`, `90s`, `5m`, `2h` or `30d`. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`

/** The span in milliseconds. Errors: InvalidOption. */
export const requireMilliseconds = (span: Duration, name: string): number => checked(name, duration, span)

/** Rules by name of the member. */
type Rules = Readonly<Record<string, v.GenericSchema>>

/** Checks options; undefined ones are left out. Errors: InvalidOption, also for a member without a rule. */
export function checkMembers(members: object, rules: Rules, owner: string): Record<string, unknown> {
  const named = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    named.map(([name, value]) => [name, checked(name, ruleFor(name, rules, owner), value)]),
  )
}

function ruleFor(name: string, rules: Rules, owner: string): v.GenericSchema {
  refuseUnknownNames({ [name]: 0 }, Object.keys(rules), `an option of ${owner}`)
  return rules[name] as v.GenericSchema
}

/** Errors: InvalidOption for a member that is not known, with the most likely name. */
export function refuseUnknownNames(members: object, names: readonly string[], what: string): void {
  const name = Object.keys(members).find((each) => !names.includes(each))
  if (name === undefined) return
  const suggested =
    nearest(name, names) ?? names.find((each) => name.toLowerCase().includes(each.toLowerCase()))
  throw new InvalidOption(
    name,
    `is not ${what}${suggested === undefined ? '' : `; did you mean ${suggested}?`}`,
  )
}

/** The options that lead a client to a service, and their checks. */
export const addressRules = {
  url: v.custom<string>(
    (value) => typeof value === 'string' && isHttpUrl(value),
    'must be a URL with http:// or https://, such as http://127.0.0.1:8455',
  ),
  apiKey: keyText,
  ca: filledText,
}

/** The options of `createClient`. */
export const clientRules = {
  ...addressRules,
  appId: filledText,
  merchantId: filledText,
  terminalSn: filledText,
  timeout: v.pipe(
    v.number('must be a number of milliseconds'),
    v.integer('must be whole milliseconds'),
    v.minValue(1, 'must be at least 1'),
  ),
}

/** The options of a call. What the service is to refuse may be sent. */
export const callRules = {
  clientRequestId: v.string('must be a text'),
  outcome: v.string('must be a text'),
  fault: v.string('must be a text'),
  headers: v.record(v.string(), v.string('must be a text'), 'must be an object of texts'),
  timeout: clientRules.timeout,
}

function checked<S extends v.GenericSchema>(name: string, schema: S, value: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, value, { abortEarly: true, abortPipeEarly: true })
  if (result.success) return result.output
  const [{ message }] = result.issues
  throw new InvalidOption(
    name,
    name === 'apiKey' || name === 'token' ? message : `${message}; it is ${shownValue(value)}`,
  )
}
