import * as v from 'valibot'
import { durationText, parseDuration, parseMilliseconds } from '../../shared/text/duration.ts'
import { isHost, isHttpUrl } from '../../shared/text/http-url.ts'
import { bearerPattern, highestPort, limits, mostCapturePercent } from '../headers.ts'
import { controlLimits } from './control.ts'
import { retriesFrom, usualRetries } from './retries.ts'
import { generateToken, tokenPattern } from './tokens.ts'
import { mostConcurrency, usualConcurrency, webhookOrders } from './webhook-delivery.ts'
import { signatureEncodings, signatureSchemes } from './webhook-signing.ts'

/**
 * The options of a sandbox. From these rows come the flags of `sandbox start` and `exec`, `--set`, the member
 * `sandbox` of tillbox.config.json and of a scenario, the options of `createSandbox`, their help and
 * docs/options.md.
 */
export interface OptionRow<S extends v.GenericSchema = v.GenericSchema> {
  /** Reads the value, whoever gives it: a flag gives text. */
  readonly schema: S
  /** A sentence without its full stop, in Markdown: values and commands as code. */
  readonly what: string
  /** The default, as it is typed. */
  readonly usual?: string
  /** Its flag, where it has one; `value`: as help shows it. */
  readonly flag?: { readonly name: string; readonly env?: string; readonly value?: string }
}

const row = <S extends v.GenericSchema>(
  schema: S,
  what: string,
  more: Omit<OptionRow, 'schema' | 'what'> = {},
) => ({ schema, what, ...more }) satisfies OptionRow<S>

const durationForm = 'must be milliseconds, or a text such as 500ms, 90s or 30d'
const spanFrom = (read: (text: string) => number | undefined, form: string) =>
  v.pipe(
    v.union([v.number(), v.string()], form),
    v.transform((input) => (typeof input === 'number' ? input : (read(input) ?? Number.NaN))),
    v.number(form),
    v.integer('must be whole milliseconds'),
    v.minValue(0, 'must be at least 0'),
  )

/** A span of time: whole milliseconds, or a text with a unit. */
export const duration = spanFrom(parseDuration, durationForm)

/** A span that the clock still reaches from its last year. */
const reachableSpan = v.pipe(
  duration,
  v.maxValue(controlLimits.retryPause, `must be at most ${durationText(controlLimits.retryPause)}`),
)

/** A whole number in a range. */
export const whole = (least: number, most: number) =>
  v.pipe(
    v.number('must be a number'),
    v.integer('must be whole'),
    v.minValue(least, `must be at least ${least}`),
    v.maxValue(most, `must be at most ${most}`),
  )
const percent = whole(0, mostCapturePercent)

/** A text that is not empty. */
export const filledText = v.pipe(v.string('must be a text'), v.nonEmpty('must not be empty'))

const yesNo = v.boolean('must be true or false')
const oneOf = <const T extends readonly string[]>(words: T) =>
  v.picklist(words, `must be ${words.join(' or ')}`)
const httpUrl = v.pipe(
  v.string('must be a text'),
  v.check(isHttpUrl, 'must be a URL with http:// or https://, such as http://127.0.0.1:3000/hook'),
)

/** An API key, as a header carries it. */
export const keyText = v.pipe(
  v.string('must be a text'),
  v.check((key) => bearerPattern.test(`Bearer ${key}`), 'must be letters, digits and - . _ ~ + / ='),
)

const paceForm = 'must be instant, milliseconds such as 800, or a text such as 800ms or 2s'
const retriesForm = "must be 'none', 'fast', 'default', or pauses such as [50, 1000] or '50ms,1s'"

/** How a sandbox behaves. A scenario and a project may set all of these. */
export const behaviourOptions = {
  fixtures: row(
    v.custom<string | object>(
      (input) => (typeof input === 'string' && input !== '') || (typeof input === 'object' && input !== null),
      'must be a path, or an object as a file of fixtures has it',
    ),
    'Merchants, terminals, cards and outcomes that add to or replace the built-in ones: a JSON or YAML file, or a folder of them. See docs/fixtures.md',
    { flag: { name: 'fixtures', value: '<path>' } },
  ),
  pace: row(
    v.pipe(
      spanFrom((text) => (text === 'instant' ? 0 : parseMilliseconds(text)), paceForm),
      v.maxValue(controlLimits.pace, `must be at most ${controlLimits.pace / 60_000} minutes`),
    ),
    'How long an automatic terminal shows each screen: `instant`, milliseconds (`800`), or a duration (`2s`)',
    { usual: 'instant', flag: { name: 'pace' } },
  ),
  strict: row(
    yesNo,
    'Refuse requests that are otherwise accepted with a note, such as one with an unknown field',
    { flag: { name: 'strict' } },
  ),
  likeProduction: row(yesNo, 'Behave like the real service, as far as its behaviour is known', {
    flag: { name: 'like-production' },
  }),
  terminals: row(
    oneOf(['known', 'open']),
    'Unknown merchant or terminal: `known` refuses it, `open` adds it with default settings',
    { usual: 'known' },
  ),
  appIds: row(
    oneOf(['any', 'known']),
    'Unknown appId: `known` refuses it, `any` uses the application of the API key, with a note',
    { usual: 'any' },
  ),
  requestIds: row(
    oneOf(['any', 'uuid']),
    'X-Client-Request-Id: `uuid` requires a UUID, `any` accepts 1 to 64 printable characters without spaces',
    { usual: 'any' },
  ),
  charset: row(
    oneOf(['note', 'refuse']),
    'Content-Type with a charset: `note` accepts it with a note, `refuse` answers error C17',
    { usual: 'note' },
  ),
  strictContentType: row(
    yesNo,
    'Require Content-Type on every request, even on GET, where no public SDK sends it',
  ),
  extras: row(
    yesNo,
    'Obey X-Sandbox headers of requests, and add X-Sandbox headers, remedies and other fields of the sandbox to answers',
    { usual: 'true' },
  ),
  triggerAmounts: row(yesNo, 'Let amounts such as 98.23 select an outcome; `tillbox outcomes` lists them', {
    usual: 'true',
  }),
  duplicates: row(
    oneOf(['reject', 'replay']),
    'Duplicate request: `reject` returns an error, `replay` returns the first answer again',
    { usual: 'reject' },
  ),
  httpStatus: row(
    oneOf(['sdk', 'rest']),
    'HTTP status when a request breaks a payment rule: `sdk` sends 200, which the SDKs need, `rest` sends a specific status',
    { usual: 'sdk' },
  ),
  dialect: row(
    oneOf(['auto', 'spec', 'sdk']),
    'Format of records and batch numbers: `spec` as in the specification, `sdk` as the SDKs read them, `auto` by User-Agent',
    { usual: 'auto' },
  ),
  authValidity: row(
    reachableSpan,
    'How long an authorisation can be incremented and captured, at most 366d; real limits vary',
    {
      usual: '30d',
    },
  ),
  captureTip: row(percent, 'Largest tip of a capture, in percent of its order amount', {
    usual: String(limits.captureTip),
  }),
  captureExcess: row(
    percent,
    'How far the tax of a capture may exceed the authorised tax, in percent of the authorised total. The surcharge has the same limit',
    { usual: String(limits.captureExcess) },
  ),
  autoClose: row(
    v.pipe(
      v.string('must be a text'),
      v.regex(/^([01]\d|2[0-3]):[0-5]\d$|^never$/, 'must be a time of day, such as 23:30, or never'),
      v.transform((time) => (time === 'never' ? null : time)),
    ),
    "Close open batches at this time of the merchant's day, such as 23:30",
    { usual: 'never' },
  ),
  retries: row(
    v.pipe(
      v.union([v.string(), v.array(v.union([v.number(), v.string()]))], retriesForm),
      v.transform((input) => (typeof input === 'string' ? retriesFrom(input) : input)),
      v.array(reachableSpan, retriesForm),
      v.readonly(),
    ),
    'Pauses between delivery attempts: `none`, `fast`, `default`, or durations such as `50ms,1s,5m`, each at most 366d',
    { usual: usualRetries, flag: { name: 'retries' } },
  ),
  webhookOrder: row(
    oneOf(webhookOrders),
    'Order of deliveries to one URL: `strict` waits for retries, `relaxed` does not, `concurrent` sends several at once',
    { usual: 'what `tillbox webhook order` set, or relaxed' },
  ),
  webhookConcurrency: row(
    whole(1, mostConcurrency),
    'Maximum number of simultaneous attempts to one URL, in concurrent order only',
    { usual: String(usualConcurrency) },
  ),
  signature: row(
    oneOf(signatureSchemes),
    'Signature of webhooks: `hmac` in X-Signature, `standard` in the headers of Standard Webhooks, or `none`',
    { usual: 'hmac' },
  ),
  signatureEncoding: row(oneOf(signatureEncodings), 'Encoding of the HMAC in X-Signature', { usual: 'hex' }),
} as const

/** What a project accepted of the service. docs/drift.md */
export const recordedOption = row(
  filledText,
  'File of differences from the service that `tillbox drift <file> --accept` wrote: its settings apply unless you set others, and `tillbox why` shows them',
)

/** The clock that a test begins with; on the command line it is `tillbox sandbox clock`. */
export const startClock = row(
  oneOf(['wall', 'frozen']),
  'Clock at the start: `wall` follows real time, `frozen` stands still until you move it',
  {
    usual: 'wall',
  },
)

/** Where a sandbox is, who may reach it, and where its webhooks go. Only a start and `createSandbox` say. */
export const accessOptions = {
  token: row(
    v.pipe(
      v.string('must be a text'),
      v.regex(tokenPattern, 'must be 16 to 128 letters, digits and - . _ ~'),
    ),
    `Token that the control interface and the pages require; \`${generateToken}\` makes one and shows it`,
    { flag: { name: 'token', env: 'TILLBOX_TOKEN', value: '<secret>' } },
  ),
  apiKey: row(
    keyText,
    'API key that the sandbox accepts instead of the built-in key; `@file` reads the first line of a file. TILLBOX_API_KEY is ignored, because it may be a real key, and the sandbox shows its key to programs on this machine',
    { flag: { name: 'api-key', env: 'TILLBOX_SANDBOX_API_KEY' } },
  ),
  notifyUrl: row(
    httpUrl,
    'URL that receives the results of requests without a notifyUrl. A host other than this machine needs --allow-webhook-host',
    { flag: { name: 'notify-url', env: 'TILLBOX_NOTIFY_URL' } },
  ),
  forwardTo: row(
    httpUrl,
    'Forward every notification to this URL in order, as `tillbox listen` does, and wait while nothing answers there. A host other than this machine needs --allow-webhook-host',
    { flag: { name: 'forward-to', env: 'TILLBOX_FORWARD_TO' } },
  ),
  webhookHosts: row(
    v.pipe(v.array(filledText, 'must be a list of hosts'), v.readonly()),
    'Another host that webhooks and --forward-to may call, a name or an address; can be repeated. A name is resolved at each call. If other hosts can reach the sandbox (--host, --public-url), allow loopback too, spelled as in the URL: localhost or 127.0.0.1',
    { flag: { name: 'allow-webhook-host' } },
  ),
  https: row(yesNo, 'Serve TLS 1.2 or higher, with a certificate made on first use', {
    flag: { name: 'https' },
  }),
} as const

/** Where it listens. `exec` picks this itself. */
export const addressOptions = {
  port: row(whole(0, highestPort), 'Port to listen on; 0 picks a free one', {
    flag: { name: 'port', env: 'TILLBOX_PORT' },
  }),
  host: row(
    v.pipe(filledText, v.check(isHost, 'must be an address or a name alone, such as 127.0.0.1 or ::1')),
    'Address to listen on. An address that other hosts can reach requires --token; the sandbox then generates its own API keys',
    { usual: '127.0.0.1', flag: { name: 'host' } },
  ),
  publicUrl: row(
    v.pipe(
      v.string('must be a text'),
      v.transform((url) => parsePublicOrigin(url) ?? ''),
      v.nonEmpty('must be a URL with http or https, a host and no path, such as https://pay.team.test'),
    ),
    'URL at which a reverse proxy serves the sandbox, such as https://pay.team.test: accepted as Host and Origin, and used for checkout pages. Other hosts can reach it only with --token. See docs/reverse-proxy.md',
    { flag: { name: 'public-url', value: '<url>' } },
  ),
} as const

/** How the process of `sandbox start` runs. */
export const startOnly = {
  recorded: recordedOption,
  withParent: row(yesNo, 'Stop when the process that started it ends', {
    usual: 'true under npm and npx, unless detached',
  }),
  metrics: row(
    yesNo,
    'Serve /metrics in OpenMetrics form, for Prometheus: process, requests, transactions, webhooks',
    { usual: 'false' },
  ),
  nodeUrl: row(httpUrl, 'URL at which other nodes with the same --store reach this node', {
    usual: 'the address it listens on',
  }),
} as const

/** The values of rows, as they are given. */
export type OptionInputs<R extends Readonly<Record<string, OptionRow>>> = {
  readonly [N in keyof R]?: v.InferInput<R[N]['schema']> | undefined
}

/** The values of rows, as they were read. */
export type OptionValues<R extends Readonly<Record<string, OptionRow>>> = {
  readonly [N in keyof R]: v.InferOutput<R[N]['schema']>
}

/** How a sandbox behaves. */
export type Behaviour = OptionValues<typeof behaviourOptions>

/** A sentence of an option without the backquotes of Markdown, for help and schemas. */
export const withoutCode = (sentence: string): string => sentence.replaceAll('`', '')

const optionSchema = <S extends v.GenericSchema>({ schema, what }: OptionRow<S>) =>
  v.pipe(v.optional(schema), v.description(withoutCode(what)))

/** The schemas of rows, by name; each may be left out. */
export const optionSchemas = <R extends OptionRows>(rows: R) =>
  Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, optionSchema(row)])) as {
    readonly [N in keyof R]: ReturnType<typeof optionSchema<R[N]['schema']>>
  }

/** Rows by name. */
export type OptionRows = Readonly<Record<string, OptionRow>>

/** The origin of a public URL: scheme, host, and a port but the default; undefined for anything else. */
export function parsePublicOrigin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, origin, href } = new URL(text)
  return /^https?:$/.test(protocol) && href === `${origin}/` ? origin : undefined
}
