import * as v from 'valibot'
import { highestPort, mostCapturePercent } from '../contract/headers.ts'
import { tokenPattern } from '../contract/sandbox/access/token.ts'
import { publicOriginOf } from '../contract/sandbox/public-url.ts'
import { retriesFrom } from '../contract/sandbox/retries.ts'
import { startChoices } from '../contract/sandbox/start-choices.ts'
import { mostConcurrency, webhookOrders } from '../contract/sandbox/webhooks.ts'
import type { FixturesFile } from '../fixture-files/fixtures-schema.ts'
import type { ServerOptions } from '../server/server.ts'
import { parseDuration } from '../text/duration.ts'
import { isHost, isHttpUrl } from '../text/http-url.ts'
import { nearest } from '../text/suggest.ts'

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

const durationForm = 'must be milliseconds, or a text such as 500ms, 90s or 30d'

/** Milliseconds, or a text with a unit. */
const duration = v.pipe(
  v.union([v.number(), v.string()], durationForm),
  v.transform((given) => (typeof given === 'number' ? given : (parseDuration(given) ?? Number.NaN))),
  v.number(durationForm),
  v.integer('must be whole milliseconds'),
  v.minValue(0, 'must be at least 0'),
)

/** A duration in sandbox time: whole milliseconds, or a text such as `500ms`, `90s`, `5m`, `2h` or `30d`. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`

/** The span in milliseconds. Errors: InvalidOption. */
export const millisecondsOf = (given: Duration, name: string): number => checked(name, duration, given)

const whole = (most: number) =>
  v.pipe(
    v.number('must be a number'),
    v.integer('must be whole'),
    v.minValue(0, 'must be at least 0'),
    v.maxValue(most, `must be at most ${most}`),
  )
const text = v.pipe(v.string('must be a text'), v.nonEmpty('must not be empty'))
const flag = v.boolean('must be true or false')
const oneOf = <const T extends readonly string[]>(words: T) =>
  v.picklist(words, `must be ${words.join(' or ')}`)
const choice = <N extends keyof typeof startChoices>(name: N) => oneOf(startChoices[name])
const retriesForm = "must be 'none', 'fast', 'default', or pauses such as [50, 1000] or '50ms,1s'"

/** The options of `createSandbox` and their checks. Defaults are those of `tillbox sandbox start`. */
const entries = {
  state: text,
  port: whole(highestPort),
  host: v.pipe(text, v.check(isHost, 'must be an address or a name alone, such as 127.0.0.1 or ::1')),
  https: flag,
  apiKey: v.pipe(v.string('must be a text'), v.regex(/^[\x21-\x7e]+$/, 'must have no spaces')),
  token: v.pipe(
    v.string('must be a text'),
    v.regex(tokenPattern, 'must be 16 to 128 letters, digits and - . _ ~'),
  ),
  /** URL at which a reverse proxy serves the sandbox, such as `https://pay.team.test`. */
  publicUrl: v.pipe(
    v.string('must be a text'),
    v.transform((given) => publicOriginOf(given) ?? ''),
    v.nonEmpty('must be a URL with http or https, a host and no path, such as https://pay.team.test'),
  ),
  fixtures: v.custom<string | FixturesFile>(
    (given) => (typeof given === 'string' && given !== '') || (typeof given === 'object' && given !== null),
    'must be a path, or an object as a file of fixtures has it',
  ),
  /** False: no amount selects an outcome. */
  triggerAmounts: flag,
  /** Path of a scenario whose transactions a new state starts with. */
  seed: text,
  clock: oneOf(['wall', 'frozen']),
  pace: duration,
  notifyUrl: text,
  forwardTo: text,
  webhookHosts: v.array(text, 'must be a list of hosts'),
  retries: v.pipe(
    v.union([v.string(), v.array(v.union([v.number(), v.string()]))], retriesForm),
    v.transform((given) => (typeof given === 'string' ? retriesFrom(given) : given)),
    v.array(duration, retriesForm),
  ),
  authValidity: duration,
  captureTip: whole(mostCapturePercent),
  captureExcess: whole(mostCapturePercent),
  autoClose: v.pipe(
    v.string('must be a text'),
    v.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day, such as 23:30'),
  ),
  strict: flag,
  strictContentType: flag,
  likeProduction: flag,
  extras: flag,
  terminals: choice('terminals'),
  appIds: choice('appIds'),
  requestIds: choice('requestIds'),
  charset: choice('charset'),
  duplicates: choice('duplicates'),
  httpStatus: choice('httpStatus'),
  dialect: choice('dialect'),
  webhookOrder: oneOf(webhookOrders),
  webhookConcurrency: whole(mostConcurrency),
  signature: choice('signature'),
  signatureEncoding: choice('signatureEncoding'),
  /** Wall clock, in milliseconds since 1970; by default that of the process. */
  wall: v.custom<() => number>((given) => typeof given === 'function', 'must be a function'),
  report: v.custom<(line: string) => void>((given) => typeof given === 'function', 'must be a function'),
} as const

/** Options of a sandbox's behaviour, as opposed to its address and access. A scenario may set them. */
export const behaviourOptions = {
  fixtures: entries.fixtures,
  triggerAmounts: entries.triggerAmounts,
  clock: entries.clock,
  pace: entries.pace,
  authValidity: entries.authValidity,
  captureTip: entries.captureTip,
  captureExcess: entries.captureExcess,
  autoClose: entries.autoClose,
  strict: entries.strict,
  strictContentType: entries.strictContentType,
  likeProduction: entries.likeProduction,
  extras: entries.extras,
  terminals: entries.terminals,
  appIds: entries.appIds,
  requestIds: entries.requestIds,
  charset: entries.charset,
  duplicates: entries.duplicates,
  httpStatus: entries.httpStatus,
  dialect: entries.dialect,
  retries: entries.retries,
  webhookOrder: entries.webhookOrder,
  webhookConcurrency: entries.webhookConcurrency,
  signature: entries.signature,
  signatureEncoding: entries.signatureEncoding,
} as const

type OptionSchemas = typeof entries
type OptionName = keyof OptionSchemas

/**
 * Options of a sandbox; all are optional, and undefined means absent. `state`: `temp`, a folder that is removed with
 * the sandbox, or a folder to keep. Durations are milliseconds, or texts such as `90s`.
 */
export type TestSandboxOptions = { readonly [N in OptionName]?: v.InferInput<OptionSchemas[N]> | undefined }

/** The options after their check, with times in milliseconds. */
export type CheckedOptions = Partial<
  Pick<ServerOptions, Exclude<Extract<OptionName, keyof ServerOptions>, 'seed'>>
> & {
  readonly clock?: 'wall' | 'frozen'
}

/** Checks the given options. Errors: InvalidOption. */
export const checkOptions = (given: Omit<TestSandboxOptions, 'seed'>): CheckedOptions =>
  checkMembers(given, entries, 'a sandbox')

/** The path of a seed, checked. Errors: InvalidOption. */
export const checkSeed = (given: string): string => checked('seed', entries.seed, given)

/** Rules by name of the member. */
type Rules = Readonly<Record<string, v.GenericSchema>>

/** Checks options; undefined ones are left out. Errors: InvalidOption, also for a member without a rule. */
export function checkMembers(given: object, rules: Rules, owner: string): Record<string, unknown> {
  const named = Object.entries(given).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    named.map(([name, value]) => [name, checked(name, ruleFor(name, rules, owner), value)]),
  )
}

function ruleFor(name: string, rules: Rules, owner: string): v.GenericSchema {
  refuseUnknownNames({ [name]: 0 }, Object.keys(rules), `an option of ${owner}`)
  return rules[name] as v.GenericSchema
}

/** Errors: InvalidOption for a member that is not known, with the most likely name. */
export function refuseUnknownNames(given: object, known: readonly string[], what: string): void {
  const name = Object.keys(given).find((each) => !known.includes(each))
  if (name === undefined) return
  const suggested =
    nearest(name, known) ?? known.find((each) => name.toLowerCase().includes(each.toLowerCase()))
  throw new InvalidOption(
    name,
    `is not ${what}${suggested === undefined ? '' : `; did you mean ${suggested}?`}`,
  )
}

/** The options that lead a client to a service, and their checks. */
export const addressRules = {
  url: v.custom<string>(
    (given) => typeof given === 'string' && isHttpUrl(given),
    'must be a URL with http:// or https://, such as http://127.0.0.1:8455',
  ),
  apiKey: v.pipe(v.string('must be a text'), v.regex(/^[\x21-\x7e]+$/, 'must be a key without spaces')),
  ca: text,
}

/** The options of `createClient`. */
export const clientRules = {
  ...addressRules,
  appId: text,
  merchantId: text,
  terminalSn: text,
  timeout: v.pipe(
    v.number('must be a number of milliseconds'),
    v.integer('must be whole milliseconds'),
    v.minValue(1, 'must be at least 1'),
  ),
}

function checked<S extends v.GenericSchema>(name: string, schema: S, value: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, value, { abortEarly: true, abortPipeEarly: true })
  if (result.success) return result.output
  const [{ message }] = result.issues
  throw new InvalidOption(name, name === 'apiKey' ? message : `${message}; it is ${JSON.stringify(value)}`)
}
