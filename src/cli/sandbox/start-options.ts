import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Interfaces } from '@oclif/core'
import { generateToken, tokenPattern } from '../../contract/sandbox/access/token.ts'
import type { ProductionSettings } from '../../contract/sandbox/presets.ts'
import { publicOriginOf, publicUrlForm } from '../../contract/sandbox/public-url.ts'
import { isExport } from '../../files/portable.ts'
import { decodeText } from '../../text/decode-text.ts'
import { isHost } from '../../text/http-url.ts'
import { requireKey } from '../connection/credentials.ts'
import { urlFrom } from '../connection/sandbox-address.ts'
import { fileProblem } from '../errors/system-error.ts'
import { UsageError } from '../errors/usage-error.ts'
import { retriesOf } from '../input/parse-retries.ts'
import { durationOf, paceOf } from '../input/parse-time.ts'
import type { behaviourFlags } from './start-flags.ts'
import { stateNamed } from './state-folder.ts'

/** The typed flags. */
type StartFlags = Interfaces.InferredFlags<typeof behaviourFlags> & {
  readonly port: number
  readonly host: string
  readonly 'public-url'?: string | undefined
  readonly store?: string | undefined
  readonly 'node-url'?: string | undefined
  readonly state?: string | undefined
}

/** The options of the sandbox; `token`: as given or made. Errors: UsageError. */
export function startOptions(flags: StartFlags) {
  if (flags.host !== '' && !isHost(flags.host))
    throw new UsageError(
      `--host ${flags.host} is not an address`,
      'Write an address or a name alone, such as 0.0.0.0 or ::1; the port is --port',
      'host',
    )
  if (flags.host === '')
    throw new UsageError(
      '--host is empty',
      'Use an address or a name of this machine, such as 127.0.0.1',
      'host',
    )
  if (flags.seed !== undefined && flags.import !== undefined)
    throw new UsageError(
      '--seed makes the state that a new folder begins with, and --import names another one',
      'Keep one of them',
      'seed',
    )
  const apiKey = apiKeyOf(flags)
  if (flags.store !== undefined) requireSharable(flags)
  return {
    state: stateNamed(flags.state),
    port: flags.port,
    host: flags.host,
    https: flags.https,
    pace: paceOf(flags.pace),
    strict: flags.strict,
    likeProduction: flags['like-production'],
    ...productionSettingsOf(flags),
    authValidity: durationOf(flags['auth-validity'], 'auth-validity'),
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
    ...orderOf(flags),
    signature: flags.signature,
    signatureEncoding: flags['signature-encoding'],
    webhookHosts: flags['allow-webhook-host'] ?? [],
    token: tokenOf(flags.token),
    publicUrl: publicUrlOf(flags['public-url']),
    ...(flags.import !== undefined && { importFrom: { path: flags.import, replace: flags.yes === true } }),
    ...(flags['export-on-exit'] !== undefined && { exportTo: exportTarget(flags['export-on-exit']) }),
    ...(flags.fixtures !== undefined && { fixtures: flags.fixtures }),
    ...(flags['trigger-amounts'] === false && { triggerAmounts: false }),
    ...(apiKey && { apiKey }),
    ...(flags.store !== undefined && { store: flags.store }),
    ...(flags['node-url'] !== undefined && { nodeUrl: urlFrom(flags['node-url'], 'node-url') }),
  }
}

/** Flags that work only with a state folder, and what to do with a database instead. */
const fileFlags = {
  seed: 'Start it, then make the transactions with commands or a scenario',
  import: 'Start it, then import the file: tillbox sandbox import <file>',
  'export-on-exit': 'Export it while it runs: tillbox sandbox export <file>',
  https: 'Let a reverse proxy serve TLS; docs/shared.md has an example',
} as const

/** Errors: UsageError for a flag that does not go with --store, and for a node that others could not reach. */
function requireSharable(flags: StartFlags): void {
  if (/^(0\.0\.0\.0|::)$/.test(flags.host) && flags['node-url'] === undefined)
    throw new UsageError(
      `--host ${flags.host} is every address of this machine, and other nodes need one to reach this node`,
      'Say which: --node-url http://<name or address>:8455',
      'node-url',
    )
  for (const [name, remedy] of Object.entries(fileFlags))
    if (flags[name as keyof typeof fileFlags])
      throw new UsageError(`--${name} goes with a state folder, and --store names a database`, remedy, name)
}

/** The key that the sandbox accepts: from a file before the environment. Errors: UsageError. */
function apiKeyOf({
  'api-key': given,
  'api-key-file': path,
}: Pick<StartFlags, 'api-key' | 'api-key-file'>): string | undefined {
  if (path !== undefined && given !== undefined && given !== process.env.TILLBOX_SANDBOX_API_KEY)
    throw new UsageError(
      '--api-key and --api-key-file are both given',
      'Keep one of them; the file keeps the key out of the list of processes',
      'api-key-file',
    )
  const key = path === undefined ? given : firstLineOf(path)
  if (key !== undefined) requireKey(key)
  return key
}

/** Errors: UsageError. */
function firstLineOf(path: string): string {
  try {
    return decodeText(readFileSync(path)).split(/\r?\n/, 1)[0] ?? ''
  } catch (error) {
    const why = `--api-key-file ${path} cannot be read: ${fileProblem(error as NodeJS.ErrnoException)}`
    throw new UsageError(why, 'Name a file whose first line is the key', 'api-key-file')
  }
}

/** A new file, or an earlier export. Errors: UsageError at the start, not at the end. */
function exportTarget(file: string): string {
  const folder = dirname(resolve(file))
  const wrong = (why: string) =>
    new UsageError(
      `--export-on-exit ${file}: ${why}`,
      'Name a new file in a folder that exists',
      'export-on-exit',
    )
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw wrong(`there is no folder ${folder}`)
  if (existsSync(file) && !isExport(file)) throw wrong('it exists and is not an export of tillbox')
  return file
}

/** The typed settings of a preset; the preset provides the others. */
const productionSettingsOf = (flags: StartFlags): Partial<ProductionSettings> => ({
  ...(flags.terminals && { terminals: flags.terminals }),
  ...(flags['app-ids'] && { appIds: flags['app-ids'] }),
  ...(flags['request-ids'] && { requestIds: flags['request-ids'] }),
  ...(flags.charset && { charset: flags.charset }),
  ...(flags.extras !== undefined && { extras: flags.extras }),
})

/** The order of webhooks to one URL; undefined without flags. Errors: UsageError. */
function orderOf({ 'webhook-order': webhookOrder, 'webhook-concurrency': webhookConcurrency }: StartFlags) {
  if (webhookConcurrency !== undefined && webhookOrder !== 'concurrent')
    throw new UsageError(
      `--webhook-concurrency ${webhookConcurrency} is only for the concurrent order`,
      'Add --webhook-order concurrent, or remove --webhook-concurrency',
      'webhook-concurrency',
    )
  return {
    ...(webhookOrder && { webhookOrder }),
    ...(webhookConcurrency !== undefined && { webhookConcurrency }),
  }
}

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

/** The origin of a public URL; null for none. Errors: UsageError. */
function publicUrlOf(text: string | undefined): string | null {
  const origin = text === undefined ? null : publicOriginOf(text)
  if (origin === undefined)
    throw new UsageError(`--public-url ${text} is not the URL of a host`, publicUrlForm, 'public-url')
  return origin
}

/** A time of day; null for none. Errors: UsageError. */
function timeOfDay(text: string | undefined): string | null {
  if (text === undefined || /^([01]\d|2[0-3]):[0-5]\d$/.test(text)) return text ?? null
  throw new UsageError(`--auto-close ${text} is not a time of day`, 'Use HH:mm, such as 23:30', 'auto-close')
}
