import { readFileSync } from 'node:fs'
import { string } from '@oclif/core/flags'
import { control } from '../client/client.ts'
import { sandboxOf } from './place.ts'
import { UsageError } from './usage-error.ts'

/** `--body`, the raw bytes of a webhook. */
export const bodyFlag = string({
  description: 'The body: text, @file, or - for standard input.',
  required: true,
})

/** `--secret`, where it is not the sandbox's. */
export const secretFlag = string({
  description: 'Secret; left out, the one of the sandbox that runs here.',
  env: 'TILLBOX_WEBHOOK_SECRET',
})

/** The body as it was given, byte for byte. Errors: UsageError. */
export async function readBody(text: string): Promise<string> {
  if (text === '-') return readFileSync(0, 'utf8')
  if (!text.startsWith('@')) return text
  try {
    return readFileSync(text.slice(1), 'utf8')
  } catch (error) {
    throw new UsageError(
      `${text.slice(1)} cannot be read: ${(error as Error).message}`,
      'Name a file that is there',
      'body',
    )
  }
}

/** The given secret, or the sandbox's. Errors: Unreachable. */
export async function secretOf(flags: {
  readonly secret?: string | undefined
  readonly 'base-url'?: string | undefined
  readonly state?: string | undefined
}): Promise<string> {
  if (flags.secret !== undefined) return flags.secret
  return (await control<{ secret: string }>(await sandboxOf(flags), 'webhook-secret')).secret
}

/** Headers by their lower-case names. Errors: UsageError. */
export function headersFrom(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(lines.map(headerFrom).map(([name, value]) => [name.toLowerCase(), value]))
}

/** `name:value`. Errors: UsageError. */
export function headerFrom(text: string): [name: string, value: string] {
  const [, name, value] = /^([^:\s]+)\s*:\s*(.*)$/.exec(text) ?? []
  if (name === undefined || value === undefined)
    throw new UsageError(`--header ${text} is no header`, 'Give it as name:value', 'header')
  return [name, value]
}
