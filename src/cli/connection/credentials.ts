import { readFileSync } from 'node:fs'
import type { Interfaces } from '@oclif/core'
import { string } from '@oclif/core/flags'
import { spaceIn } from '../../contract/control/spaces.ts'
import { bearerPattern } from '../../contract/headers.ts'
import { decodeText } from '../../shared/text/decode-text.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { usingFile } from '../errors/system-error.ts'
import { isOfEnvFile } from '../input/env-file.ts'
import type { Layer, Setting } from '../settings/effective.ts'
import type { NamedTarget } from './target.ts'

/** The API key, for commands that call the service. */
export const apiKeyFlags = {
  'api-key': string({
    description:
      'API key, @file for a file that has it, or - for standard input; default: the profile’s, or the running sandbox’s. ' +
      'TILLBOX_API_KEY is sent only to TILLBOX_BASE_URL or, if that is not set, to the base URL in use. Other users of this ' +
      'machine can see a key that is typed here.',
    helpGroup: 'CONNECTION',
  }),
}

/** The key as it was typed. */
export type KeyFlags = Readonly<Partial<Interfaces.InferredFlags<typeof apiKeyFlags>>>

/** The key that was typed, or is in the file or the input that was named. */
export async function typedKey({ 'api-key': typed }: KeyFlags): Promise<Setting | undefined> {
  if (typed === undefined) return undefined
  const { text } = await import('node:stream/consumers')
  const value = keyIn(typed === '-' ? await text(process.stdin) : typed)
  return { value, origin: { kind: 'flag', name: '--api-key' } }
}

/** A key as it is typed: itself, or `@` and a file whose first line it is. */
export function keyIn(typed: string): string {
  const key = (typed.startsWith('@') ? readFirstLine(typed.slice(1)) : typed).trim()
  if (key === '') throw new UsageError(['--api-key', 'has no key'], 'Give the key alone, without quotes')
  requireKey(key)
  return key
}

const readFirstLine = (path: string): string =>
  usingFile(
    () => decodeText(readFileSync(path)).split(/\r?\n/, 1)[0] ?? '',
    `--api-key @${path} cannot be read`,
    'Name a file whose first line is the key',
    'api-key',
  )

/** The key itself is not shown. */
export function requireKey(key: string): void {
  if (!bearerPattern.test(`Bearer ${key}`))
    throw new UsageError(
      'The API key has characters that an Authorization header cannot carry',
      'Remove spaces, line ends and quotes; allowed are letters, digits and - . _ ~ + / =',
      'api-key',
    )
}

/**
 * The API key for a service: a typed key goes anywhere, all others only to their own service. assumption:
 * credentials
 */
export function keyFor({ settings, baseUrl }: NamedTarget, typed: Setting | undefined): Setting | undefined {
  if (typed !== undefined) return typed
  if (baseUrl === undefined) return undefined
  const { values } =
    settings.layers.find((layer) => layer.values.apiKey && hasKeyFor(layer, baseUrl.value)) ?? {}
  if (values?.apiKey !== undefined) requireKey(values.apiKey.value)
  return values?.apiKey
}

/** A key belongs to one space. A token may be valid for all spaces. */
const hasKeyFor = (layer: Layer, url: string): boolean => {
  const { baseUrl, space } = layer.values
  const isOfSpace = baseUrl === undefined || (spaceIn(baseUrl.value) ?? space?.value) === spaceIn(url)
  return isOfSpace && belongsTo(layer, 'TILLBOX_API_KEY', url)
}

/** The token of the environment for the control interface at the URL. assumption: credentials */
export function tokenFor({ settings, baseUrl }: NamedTarget): string | undefined {
  const environment = settings.layers.find(({ kind }) => kind === 'environment')
  if (baseUrl === undefined || environment === undefined) return undefined
  return belongsTo(environment, 'TILLBOX_TOKEN', baseUrl.value)
    ? process.env.TILLBOX_TOKEN || undefined
    : undefined
}

/**
 * Credentials belong to the URL of their source. Those of the environment belong to the URL in use where it
 * has no URL. A file of variables may be somebody else's: its URL gets no secret that it does not have
 * itself.
 */
function belongsTo({ kind, values: { baseUrl } }: Layer, secret: string, url: string): boolean {
  if (baseUrl === undefined) return kind === 'environment'
  if (kind === 'environment' && isOfEnvFile('TILLBOX_BASE_URL') && !isOfEnvFile(secret)) return false
  return isSame(baseUrl.value, url)
}

/** To the letter: under another name of loopback another program may listen. */
const isSame = (one: string, other: string): boolean =>
  URL.canParse(one) && new URL(one).origin === new URL(other).origin
