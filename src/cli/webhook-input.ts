import { readFileSync } from 'node:fs'
import { validateHeaderName, validateHeaderValue } from 'node:http'
import { string } from '@oclif/core/flags'
import { control, ServiceRefusal } from '../client/client.ts'
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
  if (text === '-') {
    const chunks: Buffer[] = []
    for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks).toString()
  }
  return text.startsWith('@') ? textOf(text.slice(1), 'body') : text
}

/** What a file holds. Errors: UsageError. */
export function textOf(path: string, field: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why = reasons[code ?? ''] ?? message
    throw new UsageError(`${path} cannot be read: ${why}`, 'Name a file that is there', field)
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'it belongs to another user',
}

/** What an order comes to whose address is missing or cannot be called: wrong usage of `--to`. Errors: UsageError. */
export function orderedTo<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((error: Error) => {
    if (!(error instanceof ServiceRefusal) || error.envelope.field !== 'to') throw error
    const said = error.envelope.msg.replace(/^to: /, '')
    throw new UsageError(`--to ${said}`, 'Name a URL that may be called with --to; nothing was sent', 'to')
  })
}

/** Flags that say which secret is meant. */
interface SecretFlags {
  readonly secret?: string | undefined
  readonly 'base-url'?: string | undefined
  readonly state?: string | undefined
}

/** The given secret, or the sandbox's. Errors: Unreachable. */
export async function secretOf(flags: SecretFlags): Promise<string> {
  return flags.secret ?? (await secretsOf(flags)).secret
}

/** The secret to check with, and others that may have been used by mistake. Errors: Unreachable. */
export async function secretAndOthers(flags: SecretFlags): Promise<[secret: string, others: string[]]> {
  const found = await secretsOf(flags).catch((error: Error) => {
    if (flags.secret === undefined) throw error
    return undefined // a secret was given, so no sandbox is needed
  })
  const known = found === undefined ? [] : [found.secret, ...(found.previous ? [found.previous.secret] : [])]
  const secret = flags.secret ?? known[0] ?? ''
  return [secret, known.filter((each) => each !== secret)]
}

const secretsOf = async (flags: SecretFlags) =>
  control<{ secret: string; previous?: { secret: string } | null }>(await sandboxOf(flags), 'webhook-secret')

/** Headers by their lower-case names. Errors: UsageError. */
export function headersFrom(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(lines.map(headerFrom).map(([name, value]) => [name.toLowerCase(), value]))
}

/** `name:value`. Errors: UsageError. */
export function headerFrom(text: string): [name: string, value: string] {
  const [, name, value] = /^([^:\s]+)\s*:\s*(.*)$/.exec(text) ?? []
  try {
    validateHeaderName(name ?? '')
    validateHeaderValue(name ?? '', value ?? '')
  } catch {
    throw new UsageError(`--header ${text} is no header`, 'Give it as name:value', 'header')
  }
  return [name ?? '', value ?? '']
}
