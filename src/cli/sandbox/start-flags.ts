import { randomBytes } from 'node:crypto'
import type { Interfaces } from '@oclif/core'
import { boolean, integer, option, string } from '@oclif/core/flags'
import { defaultPort, defaultState } from '../../client/discover.ts'
import { limits } from '../../contract/headers.ts'
import { likeProductionFlags, type ProductionSettings } from '../../contract/sandbox/presets.ts'
import { retriesFrom } from '../../contract/sandbox/retries.ts'
import { generateToken, tokenPattern } from '../../contract/sandbox/token.ts'
import { parseDuration } from '../../text/duration.ts'
import { requireKey } from '../connection/credentials.ts'
import { urlFrom } from '../connection/sandbox-address.ts'
import { UsageError } from '../errors/usage-error.ts'

/** Flags of `sandbox start`. */
export const startFlags = {
  port: integer({
    description: 'Port to listen on; 0 picks a free one.',
    default: defaultPort,
    min: 0,
    max: 65535,
    env: 'TILLBOX_PORT',
  }),
  host: string({
    description: 'Address to listen on; other hosts can reach it only with --token.',
    default: '127.0.0.1',
  }),
  token: string({
    description: `Token for the control interface and the pages; ${generateToken} makes one and shows it.`,
    env: 'TILLBOX_TOKEN',
    helpValue: '<secret>',
  }),
  state: string({ description: 'State folder.', default: defaultState, env: 'TILLBOX_STATE' }),
  fixtures: string({
    description:
      'Merchants, terminals, cards and outcomes over the built-in ones: a JSON or YAML file, or a folder of them. ' +
      'See docs/fixtures.md.',
    helpValue: '<path>',
  }),
  pace: string({
    description: 'How long an automatic terminal shows each screen: instant, or milliseconds.',
    default: 'instant',
  }),
  'api-key': string({
    description:
      'API key to accept instead of the fixture’s. TILLBOX_API_KEY is ignored: the sandbox shows its key to anyone who asks.',
  }),
  strict: boolean({
    description:
      'Refuse what is else accepted with a note: unknown members and applications, a request id that is not a UUID, ' +
      'a Content-Type with a charset, and unusual wallet payloads.',
  }),
  'strict-content-type': boolean({
    description: 'Require Content-Type on every request, GET included; no public SDK sends it there.',
  }),
  'like-production': boolean({
    description:
      `Behave like the real service as far as it is known: ${likeProductionFlags.join(', ')}. ` +
      'One of these flags beside it wins.',
  }),
  terminals: option({
    description: 'Merchants and terminals that a request may name: known ones, or any, added on first sight.',
    options: ['known', 'open'] as const,
    defaultHelp: async () => 'known',
  })(),
  'app-ids': option({
    description: 'An unknown appId is refused (known), or taken as the application of the key with a note.',
    options: ['any', 'known'] as const,
    defaultHelp: async () => 'any',
  })(),
  'request-ids': option({
    description: 'Form of X-Client-Request-Id: 1 to 64 printable characters, or a UUID.',
    options: ['any', 'uuid'] as const,
    defaultHelp: async () => 'any',
  })(),
  charset: option({
    description: 'A Content-Type with a charset is accepted with a note, or refused with C17.',
    options: ['note', 'refuse'] as const,
    defaultHelp: async () => 'note',
  })(),
  extras: boolean({
    description:
      'Answer with headers and fields of our own, such as remedies, and obey the X-Sandbox headers of requests; on by default.',
    allowNo: true,
  }),
  'auth-validity': string({
    description: 'How long an authorisation can be raised and captured.',
    default: '30d',
    helpValue: '<duration>',
  }),
  'capture-tip': integer({
    description: 'Largest tip of a capture, in percent of its order amount.',
    default: limits.captureTip,
    min: 0,
    max: 1_000,
    helpValue: '<percent>',
  }),
  'capture-excess': integer({
    description:
      'How far tax and surcharge of a capture may exceed the authorised ones, in percent of the authorised total.',
    default: limits.captureExcess,
    min: 0,
    max: 1_000,
    helpValue: '<percent>',
  }),
  'auto-close': string({
    description: "Close open batches at this time of the merchant's day, such as 23:30; left out, never.",
    helpValue: '<HH:mm>',
  }),
  duplicates: option({
    description: 'Answer to a duplicate: an error, or the first answer again.',
    options: ['reject', 'replay'] as const,
    default: 'reject',
  })(),
  'http-status': option({
    description: 'HTTP status of business refusals: 200, as the SDKs need it, or a specific one.',
    options: ['sdk', 'rest'] as const,
    default: 'sdk',
  })(),
  dialect: option({
    description:
      'Shape of records and batch numbers: by User-Agent, or always that of the specification or of the SDKs.',
    options: ['auto', 'spec', 'sdk'] as const,
    default: 'auto',
  })(),
  'notify-url': string({
    description:
      'URL for results of requests without a notifyUrl; on this machine, or see --allow-webhook-host.',
    env: 'TILLBOX_NOTIFY_URL',
  }),
  'forward-to': string({
    description:
      'Forward every notification to this URL in order, as tillbox listen does; it waits while nobody answers. ' +
      'On this machine, or see --allow-webhook-host; tillbox listen can forward to any host.',
  }),
  retries: string({
    description: 'Pauses between delivery attempts: none, fast, or durations such as 50ms,1s,5m.',
    default: 'default',
    defaultHelp: async () => '5s,30s,2m,10m,1h,6h',
  }),
  'webhook-order': option({
    description:
      'Later deliveries to a URL go on while a failed one is retried (relaxed), or wait for it (strict).',
    options: ['relaxed', 'strict'] as const,
    default: 'relaxed',
  })(),
  signature: option({
    description: 'Signature of webhooks: X-Signature, the Standard Webhooks headers, or none.',
    options: ['hmac', 'standard', 'none'] as const,
    default: 'hmac',
  })(),
  'signature-encoding': option({
    description: 'Encoding of the HMAC in X-Signature.',
    options: ['hex', 'base64'] as const,
    default: 'hex',
  })(),
  'allow-webhook-host': string({
    description:
      'Other host that webhooks and --forward-to may call: a name or an address. Can be repeated. ' +
      'A name is resolved at each call.',
    multiple: true,
  }),
  https: boolean({ description: 'Serve TLS 1.2 or higher, with a certificate made on first use.' }),
}

/** What was typed. */
type StartFlags = Interfaces.InferredFlags<typeof startFlags>

/** How the sandbox is meant to be; `token`: as it was given or made. Errors: UsageError. */
export function startOptions(flags: StartFlags) {
  if (flags.host === '')
    throw new UsageError(
      '--host is empty',
      'Use an address or a name of this machine, such as 127.0.0.1',
      'host',
    )
  if (flags['api-key'] !== undefined) requireKey(flags['api-key'])
  return {
    state: flags.state,
    port: flags.port,
    host: flags.host,
    https: flags.https,
    pace: paceOf(flags.pace),
    strict: flags.strict,
    likeProduction: flags['like-production'],
    ...productionSettingsOf(flags),
    authValidity: validityOf(flags['auth-validity']),
    captureTip: flags['capture-tip'],
    captureExcess: flags['capture-excess'],
    autoClose: timeOfDay(flags['auto-close']),
    strictContentType: flags['strict-content-type'],
    duplicates: flags.duplicates,
    httpStatus: flags['http-status'],
    dialect: flags.dialect,
    notifyUrl: flags['notify-url'] === undefined ? null : urlFrom(flags['notify-url'], 'notify-url'),
    forwardTo: flags['forward-to'] === undefined ? null : urlFrom(flags['forward-to'], 'forward-to'),
    retries: retriesOf(flags.retries),
    webhookOrder: flags['webhook-order'],
    signature: flags.signature,
    signatureEncoding: flags['signature-encoding'],
    webhookHosts: flags['allow-webhook-host'] ?? [],
    token: tokenOf(flags.token),
    ...(flags.fixtures !== undefined && { fixtures: flags.fixtures }),
    ...(flags['api-key'] && { apiKey: flags['api-key'] }),
  }
}

/** What was typed of the settings of a preset: what was not comes from it. */
const productionSettingsOf = (flags: StartFlags): Partial<ProductionSettings> => ({
  ...(flags.terminals && { terminals: flags.terminals }),
  ...(flags['app-ids'] && { appIds: flags['app-ids'] }),
  ...(flags['request-ids'] && { requestIds: flags['request-ids'] }),
  ...(flags.charset && { charset: flags.charset }),
  ...(flags.extras !== undefined && { extras: flags.extras }),
})

/** The token as given, or a new one. Errors: UsageError, which does not show it. */
function tokenOf(given: string | undefined): string | null {
  if (given === undefined) return null
  if (given === generateToken) return randomBytes(24).toString('base64url')
  if (tokenPattern.test(given)) return given
  throw new UsageError(
    'The token is too short, or has characters that a URL would escape',
    `Use 16 to 128 letters, digits and - . _ ~, or --token ${generateToken}`,
    'token',
  )
}

/** Errors: UsageError. */
function retriesOf(text: string): readonly number[] {
  const retries = retriesFrom(text)
  if (retries !== undefined) return retries
  const problem = `--retries ${text} is not a list of durations`
  throw new UsageError(problem, 'Use none, fast, or durations such as 50ms,1s,5m', 'retries')
}

/** Milliseconds. Errors: UsageError. */
function validityOf(text: string): number {
  const validity = parseDuration(text)
  if (validity !== undefined) return validity
  const problem = `--auth-validity ${text} is not a duration`
  throw new UsageError(problem, 'Use a duration such as 30d, 12h or 5m', 'auth-validity')
}

/** A time of day; null for none. Errors: UsageError. */
function timeOfDay(text: string | undefined): string | null {
  if (text === undefined || /^([01]\d|2[0-3]):[0-5]\d$/.test(text)) return text ?? null
  throw new UsageError(`--auto-close ${text} is no time of day`, 'Use HH:mm, such as 23:30', 'auto-close')
}

/** Milliseconds a screen. Errors: UsageError. */
function paceOf(text: string): number {
  if (text === 'instant') return 0
  if (/^\d{1,6}$/.test(text)) return Number(text)
  const message = `--pace ${text} is neither instant nor milliseconds`
  throw new UsageError(message, 'Use instant, or a number such as 800', 'pace')
}
