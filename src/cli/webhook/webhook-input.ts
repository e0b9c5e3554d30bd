import { statSync } from 'node:fs'
import type { Interfaces } from '@oclif/core'
import { option, string } from '@oclif/core/flags'
import { control, ServiceRefusal } from '../../client/client.ts'
import type { FoundSandbox } from '../../client/discover.ts'
import { terminalEvent } from '../../contract/control/webhooks.ts'
import { specRecordSchema } from '../../contract/records.ts'
import { isSignatureHeader } from '../../contract/signature/signature.ts'
import type { Sender } from '../../contract/signature/verify-webhook.ts'
import { command } from '../../shared/text/commands.ts'
import { notHttpUrl } from '../../shared/text/http-url.ts'
import { shellQuote } from '../../shared/text/shell-quote.ts'
import { suggestion } from '../../shared/text/suggest.ts'
import { capitalize } from '../../shared/text/words.ts'
import { resolveSandbox, sandboxFlags } from '../connection/sandbox-address.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { hintText } from '../hints/hint-text.ts'
import { textOfFile, textOfInput } from '../input/bounded-text.ts'
import { headerFrom, sentHeaderFrom } from '../input/header.ts'
import { clean } from '../output/clean.ts'
import { errorTheme } from '../output/theme.ts'
import { exactValue } from '../request/json-input.ts'

/** `--body`, the raw bytes of a webhook. */
export const bodyFlag = string({
  description: 'Body as text, @file, or - for standard input.',
  required: true,
})

/** What signs: the secret and its encoding, where they are not the sandbox's; and which sandbox. */
export const secretFlags = {
  secret: string({
    description: 'Signing secret; default: the running sandbox’s.',
    env: 'TILLBOX_WEBHOOK_SECRET',
  }),
  'signature-encoding': option({
    description: 'Encoding of X-Signature; default: the sandbox’s, or hex without a sandbox.',
    options: ['hex', 'base64'] as const,
  })(),
  ...sandboxFlags,
}

/** The body as given, byte for byte. */
export async function readWebhookBody(text: string): Promise<string> {
  if (text === '-') return textOfInput('body')
  if (text.startsWith('@')) return textOfFile(text.slice(1), 'body')
  if (statSync(text, { throwIfNoEntry: false })?.isFile())
    throw new UsageError(
      ['--body', `${text} is sent as text, but a file of that name exists`],
      `To use the file: --body @${text}`,
    )
  return text
}

/** Reports a missing or forbidden address as wrong usage of `--to`. */
export function withToFlagError<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((error: Error) => {
    if (!(error instanceof ServiceRefusal) || error.envelope.field !== 'to') throw error
    const { msg, detail = msg } = error.envelope
    throw new UsageError(['--to', `${detail}`], 'Pass an allowed URL with --to; nothing was sent')
  })
}

type SecretFlags = Readonly<Partial<Interfaces.InferredFlags<typeof secretFlags>>>

/**
 * What webhooks are verified with: the secret, and the known sender. From the flags, otherwise from the
 * sandbox; a given secret needs no sandbox.
 */
export async function resolveSignatureCheck(flags: SecretFlags): Promise<{ secret: string; sender: Sender }> {
  const typedSecret = checkedSecret(flags)
  const asked = async () => control(await resolveSandbox(flags), 'webhook-secret')
  const found = await asked().catch((error: Error) => {
    if (typedSecret === undefined) throw error
    return undefined
  })
  const secret = typedSecret ?? found?.secret ?? ''
  const previous = found?.previous?.secret === secret ? undefined : found?.previous?.secret
  const encoding = flags['signature-encoding'] ?? found?.signatureEncoding
  return { secret, sender: { previous, scheme: found?.signature, encoding } }
}

/** Errors: UsageError for an empty one, which would fit what anybody signs. */
function checkedSecret({ secret }: SecretFlags): string | undefined {
  if (secret !== '') return secret
  throw new UsageError(['--secret', 'is empty'], 'Pass the secret that `tillbox webhook secret` shows')
}

/** Headers by their lower-case names. */
export function headersFrom(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(lines.map(headerFrom).map(([name, value]) => [name.toLowerCase(), value]))
}

/** Headers that are added to each notification, `name:value`. */
export const addedHeaders = (lines: readonly string[] = []): Record<string, string> =>
  Object.fromEntries(lines.map(addedHeader))

function addedHeader(text: string): [name: string, value: string] {
  const [name, value] = sentHeaderFrom(text)
  const isOwn =
    ['content-type', 'x-client-request-id', 'user-agent'].includes(name.toLowerCase()) ||
    isSignatureHeader(name)
  if (!isOwn) return [name, value]
  const problem = `--header ${name} would replace the notification's own`
  throw new UsageError(
    problem,
    'Use another name. To edit a notification: `tillbox webhook send <transaction-id>`',
    'header',
  )
}

/**
 * The URL of a receiver as typed. `http://` is the default scheme, and this machine the default host:
 * `localhost:3000/hook`, `:3000/hook` and `3000/hook` are the same. `input`: where it was typed.
 */
export function targetFrom(text: string, field: string, input = `--${field}`): string {
  const url = /^https?:\/\/./i.test(text) ? text : `http://${text.replace(/^:?(?=\d+(\/|$))/, 'localhost:')}`
  const isUrlLike = /^https?:/i.test(text) || /[:/]|^\d+$/.test(text) // a bare word is mostly a mistyped flag
  const isHost = /^https?:\/\/([\w.-]*\w|\[[\da-f:.]+\])(:\d+)?([/?#]|$)/i.test(url)
  const isMistyped = /^https?\/\//i.test(text) || /^[a-z]+:(?!\d|\/\/)/i.test(text) // a scheme without its colon or slashes
  if (isHost && isUrlLike && !isMistyped && URL.canParse(url)) return url
  throw new UsageError(
    notHttpUrl(input, text),
    'Write host, port and path: http://localhost:3000/hook, or 3000/hook for this machine',
    field,
  )
}

/** How a receiver checks a webhook, in full, as help text. assumption: webhook-signature */
export const signatureHelp = [
  'X-Signature is the HMAC-SHA256 of the raw body, byte for byte, keyed with the text of the secret as it is shown, ' +
    'whsec_ included; written in lower-case hex, or in base64 with --signature-encoding base64. X-Timestamp is not ' +
    'signed. After a rotation, X-Sandbox-Previous-Signature is made with the previous secret while that is valid.',
  'With signature standard (Standard Webhooks), webhook-signature is v1, a comma, and the base64 of the HMAC-SHA256 of ' +
    'webhook-id.webhook-timestamp.body. The key is what follows whsec_, decoded from base64. After a rotation it holds two ' +
    'signatures with a space between.',
].join('\n\n')

/** How a signature is made, in one sentence, for commands about another topic. */
export const signatureInShort =
  'X-Signature is the HMAC-SHA256 of the raw body in hex, keyed with the text of the secret, whsec_ included; ' +
  'tillbox webhook verify --help has the details.'

/** Which secret signs notifications and how to print it, in a line. */
export async function secretHint(sandbox: FoundSandbox): Promise<string> {
  const { signature } = await control(sandbox, 'webhook-secret')
  if (signature === 'none')
    return 'Notifications are not signed: the sandbox was started with signature none\n'
  const signed = `Signed with the webhook secret of ${clean(sandbox.appId)}. Print it: ${command('webhook secret')}`
  return `${hintText(signed, errorTheme)}\n`
}

/**
 * The changes of `--set` and `--add` to a notification: `--set` takes existing fields only, `--add` new ones
 * only.
 */
export function editedMembers(
  kind: 'payment' | 'terminal',
  set: readonly string[] = [],
  add: readonly string[] = [],
): Readonly<Record<string, unknown>> {
  const fields = Object.keys((kind === 'payment' ? specRecordSchema : terminalEvent).entries)
  const changed = set.map((text) => memberFrom(text, 'set'))
  for (const [name, , text] of changed) {
    if (fields.includes(name)) continue
    if (name === 'test')
      throw new UsageError(['--set', `${text}: a notification that is edited has test: true`], 'Leave it out')
    const suggested = capitalize(suggestion(name, fields))
    throw new UsageError(
      ['--set', `${text}: a ${kind} notification has no field ${name}`],
      `${suggested}${suggested.endsWith('?') ? ' Use' : '; use'} --add ${shellQuote(text)} to send it all the same`,
    )
  }
  const added = add.map((text) => memberFrom(text, 'add'))
  for (const [name, , text] of added)
    if (name === 'test')
      throw new UsageError(['--add', `${text}: a notification that is edited has test: true`], 'Leave it out')
    else if (fields.includes(name))
      throw new UsageError(
        ['--add', `${text}: a ${kind} notification has the field ${name} already`],
        `Use --set ${shellQuote(text)}`,
      )
  return Object.fromEntries([...changed, ...added].map(([name, value]) => [name, value]))
}

/** `name=value`; a value that is a number, true, false or null in JSON is one. */
function memberFrom(text: string, flag: string): readonly [name: string, value: unknown, text: string] {
  const at = text.indexOf('=')
  if (at < 1) throw new UsageError([`--${flag}`, `${text} has no value`], 'Write it as name=value')
  const value = text.slice(at + 1)
  const isJson = /^(-?\d+|true|false|null)$/.test(value) && !/^0\d/.test(value)
  const name = text.slice(0, at)
  return [name, isJson ? exactValue(flag, name, value, JSON.parse(value)) : value, text]
}
