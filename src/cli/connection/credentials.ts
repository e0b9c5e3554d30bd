import { readFileSync } from 'node:fs'
import type { Interfaces } from '@oclif/core'
import { string } from '@oclif/core/flags'
import { spaceIn } from '../../contract/control/spaces.ts'
import { bearerPattern } from '../../contract/headers.ts'
import { decodeText } from '../../shared/text/decode-text.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { usingFile } from '../errors/system-error.ts'
import { isOfEnvFile, sourceOfVariable, variable } from '../input/env-file.ts'
import { isUnapproved, type Setting, settingOf } from '../settings/effective.ts'
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

/** The key that was typed, or is in the file or the input that was named. Errors: UsageError. */
export async function typedKey({ 'api-key': typed }: KeyFlags): Promise<Setting | undefined> {
  if (typed === undefined) return undefined
  const { text } = await import('node:stream/consumers')
  const value = keyIn(typed === '-' ? await text(process.stdin) : typed)
  return { value, origin: { kind: 'flag', name: '--api-key' } }
}

/** A key as it is typed: itself, or `@` and a file whose first line it is. Errors: UsageError. */
export function keyIn(typed: string): string {
  const key = (typed.startsWith('@') ? readFirstLine(typed.slice(1)) : typed).trim()
  if (key === '') throw new UsageError('--api-key has no key', 'Give the key alone, without quotes')
  requireKey(key)
  return key
}

const readFirstLine = (path: string): string =>
  usingFile(
    () => decodeText(readFileSync(path)).split(/\r?\n/, 1)[0] ?? '',
    `--api-key @${path} cannot be read`,
    'Name a file whose first line is the key',
  )

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
    const profileUrl = ofFile.find(({ values }) => values.baseUrl !== undefined)?.values.baseUrl
    if (profileUrl === undefined || !isSame(profileUrl.value, baseUrl.value)) continue
    const space = ofFile.find(({ values }) => values.space !== undefined)?.values.space?.value
    if ((space ?? spaceIn(profileUrl.value)) !== spaceIn(baseUrl.value)) continue
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
