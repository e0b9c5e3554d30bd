import { readFileSync } from 'node:fs'
import { boolean, string } from '@oclif/core/flags'
import { spaceIn } from '../../client/space-url.ts'
import { bearerPattern } from '../../contract/headers.ts'
import { decodeText } from '../../text/decode-text.ts'
import { fileProblem } from '../errors/system-error.ts'
import { UsageError } from '../errors/usage-error.ts'
import { isOfEnvFile, sourceOfVariable, variable } from '../input/env-file.ts'
import { isUnapproved, type Setting, settingOf } from '../settings/effective.ts'
import type { NamedTarget } from './target.ts'

const oneKey = ['api-key', 'api-key-file', 'api-key-stdin'] as const
const otherKeys = (own: (typeof oneKey)[number]): string[] => oneKey.filter((name) => name !== own)

/** Ways to type a key, for commands that call the service. */
export const apiKeyFlags = {
  'api-key': string({
    description:
      'API key; default: the profile’s, or the running sandbox’s. TILLBOX_API_KEY is sent only to TILLBOX_BASE_URL or, if ' +
      'that is not set, to the base URL in use. Other users of this machine can see what is typed here.',
    helpGroup: 'CONNECTION',
    exclusive: otherKeys('api-key'),
  }),
  'api-key-file': string({
    description: 'File that has the API key.',
    helpGroup: 'CONNECTION',
    helpValue: '<path>',
    exclusive: otherKeys('api-key-file'),
  }),
  'api-key-stdin': boolean({
    description: 'Read the API key from standard input.',
    helpGroup: 'CONNECTION',
    exclusive: otherKeys('api-key-stdin'),
  }),
}

/** Flags with which a key is given, as they were typed. */
export interface KeyFlags {
  readonly 'api-key'?: string | undefined
  readonly 'api-key-file'?: string | undefined
  readonly 'api-key-stdin'?: boolean | undefined
}

/** The key that was typed, or is in the file or the input that was named. Errors: UsageError. */
export async function typedKey(flags: KeyFlags): Promise<Setting | undefined> {
  const { 'api-key': typed, 'api-key-file': path, 'api-key-stdin': fromInput } = flags
  if (typed !== undefined) return keyFrom(typed, '--api-key')
  if (path !== undefined) return keyFrom(textOf(path), '--api-key-file')
  if (!fromInput) return undefined
  const { text } = await import('node:stream/consumers')
  return keyFrom(await text(process.stdin), '--api-key-stdin')
}

function textOf(path: string): string {
  try {
    return decodeText(readFileSync(path))
  } catch (error) {
    const why = fileProblem(error as NodeJS.ErrnoException)
    throw new UsageError(`--api-key-file ${path} cannot be read: ${why}`, 'Check the file', 'api-key-file')
  }
}

function keyFrom(text: string, name: string): Setting {
  const value = text.trim()
  if (value === '')
    throw new UsageError(`${name} has no key`, 'Give the key alone, without quotes', name.slice(2))
  requireKey(value)
  return { value, origin: { kind: 'flag', name } }
}

/** Errors: UsageError for a key that no Authorization header can carry. The key itself is not shown. */
export function requireKey(key: string): void {
  if (!bearerPattern.test(`Bearer ${key}`))
    throw new UsageError(
      'The API key has characters that an Authorization header cannot carry',
      'Remove spaces, line ends and quotes; allowed are letters, digits and - . _ ~ + / =',
      'api-key',
    )
}

/**
 * The API key for a service: a typed key goes anywhere, all others only to their own service. assumption: credentials
 * Errors: UsageError for a key that no header can carry.
 */
export function keyFor(target: NamedTarget, typed: Setting | undefined): Setting | undefined {
  if (typed !== undefined) return typed
  const key = keyOfEnvironment(target) ?? keyOfProfile(target)
  if (key !== undefined) requireKey(key.value)
  return key
}

const keyOfEnvironment = (target: NamedTarget): Setting | undefined => {
  const value = process.env.TILLBOX_API_KEY
  if (!value || !belongsTo(target, 'TILLBOX_API_KEY') || !isOfSpace(target)) return undefined
  return { value, origin: { kind: 'environment', name: 'TILLBOX_API_KEY' } }
}

/** A key belongs to one space: that of the URL in the environment. A token may be valid for all spaces. */
const isOfSpace = ({ baseUrl }: NamedTarget): boolean => {
  const named = process.env.TILLBOX_BASE_URL
  return !named || (spaceIn(named) ?? process.env.TILLBOX_SPACE) === spaceIn(baseUrl?.value ?? '')
}

/**
 * The key of a file belongs to the URL and space of the same file: the project's to its own, the user's profile to its
 * own.
 */
function keyOfProfile({ settings, baseUrl }: NamedTarget): Setting | undefined {
  if (baseUrl === undefined) return undefined
  for (const file of ['project', 'user'] as const) {
    const ofFile = settings.layers.filter(({ kind }) => kind === file)
    const own = ofFile.find(({ values }) => values.baseUrl !== undefined)?.values.baseUrl
    if (own === undefined || !isSame(own.value, baseUrl.value)) continue
    const space = ofFile.find(({ values }) => values.space !== undefined)?.values.space?.value
    if ((space ?? spaceIn(own.value)) !== spaceIn(baseUrl.value)) continue
    for (const { kind, values, apiKeyEnv } of ofFile) {
      if (values.apiKey !== undefined) return values.apiKey
      const value = apiKeyEnv && variable(apiKeyEnv)
      if (apiKeyEnv && value) return { value, origin: { kind, name: sourceOfVariable(apiKeyEnv) } }
    }
  }
  return undefined
}

/** The token of the environment for the control interface at the URL. assumption: credentials */
export const tokenFor = (target: NamedTarget): string | undefined =>
  belongsTo(target, 'TILLBOX_TOKEN') ? process.env.TILLBOX_TOKEN || undefined : undefined

/**
 * Credentials of the environment belong to the URL of the environment. Without one they belong to the URL in use,
 * unless it is from a project file that this user has not approved.
 */
function belongsTo({ settings, baseUrl }: NamedTarget, secret: string): boolean {
  const named = process.env.TILLBOX_BASE_URL
  if (baseUrl === undefined) return false
  if (isOfEnvFile('TILLBOX_BASE_URL') && !isOfEnvFile(secret)) return false // somebody else may have written the file
  if (named) return URL.canParse(named) && isSame(named, baseUrl.value)
  return baseUrl.origin.kind !== 'project' || !isUnapproved(settings)
}

/** To the letter: under another name of loopback another program may listen. */
const isSame = (one: string, other: string): boolean => new URL(one).origin === new URL(other).origin

/** True when a key was not sent because it belongs to another service. */
export const hasWithheldKey = (target: NamedTarget): boolean =>
  Boolean(process.env.TILLBOX_API_KEY) || settingOf(target.settings, 'apiKey') !== undefined
