import type { Readable } from 'node:stream'
import { sandboxHeaders } from '../contract/headers.ts'
import { type Restored, snapshotControls } from '../contract/sandbox/snapshot-answers.ts'
import { readBounded } from '../transport/bounded-body.ts'
import type { SandboxAddress } from './discover.ts'
import { ForeignAnswer, openRequest, send, unreachable } from './http.ts'
import { dataOf, envelopeOf, refusalBounds, ServiceRefusal } from './read-envelope.ts'

/** Time limit for a sandbox to write or read its whole state. Milliseconds. */
const patience = 10 * 60_000

const addressOf = ({ baseUrl }: SandboxAddress, path: string): URL =>
  new URL(baseUrl.replace(/\/+$/, '') + path)

const headersFor = ({ token }: SandboxAddress): Record<string, string> =>
  token ? { [sandboxHeaders.token]: token } : {}

/** Downloads the whole state of a sandbox. Errors: ServiceRefusal; Unreachable; ForeignAnswer for any other answer. */
export async function downloadState(
  sandbox: SandboxAddress,
  withSecrets: boolean,
): Promise<AsyncIterable<Uint8Array>> {
  const url = addressOf(sandbox, snapshotControls.export.path)
  if (withSecrets) url.searchParams.set('secrets', 'true')
  const request = { url, ca: sandbox.ca, headers: headersFor(sandbox), timeout: patience }
  const incoming = await openRequest(request).catch((error) => {
    throw unreachable(url, error)
  })
  const { statusCode = 0, headers } = incoming
  if (statusCode === 200 && headers['content-type']?.startsWith('application/x-ndjson'))
    return whole(incoming, url)
  const body = await readBounded(incoming, refusalBounds).then(String, () => '')
  const envelope = envelopeOf(body)
  if (envelope !== undefined && envelope.code !== '0') throw new ServiceRefusal(statusCode, envelope)
  throw new ForeignAnswer(url.origin + url.pathname, statusCode, 'it is not an export')
}

/** Passes the text on up to its last line, which marks it as complete. Errors: ForeignAnswer when that is missing. */
async function* whole(incoming: Readable, url: URL): AsyncGenerator<Uint8Array> {
  let end = Buffer.alloc(0)
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      end = Buffer.concat([end, chunk]).subarray(-64)
      yield chunk
    }
  } catch (error) {
    throw unreachable(url, error as Error)
  }
  if (!/\{"end":\d+,"crc":"[0-9a-f]{8}"\}\n\]\n$/.test(end.toString('latin1')))
    throw new ForeignAnswer(url.origin + url.pathname, 200, 'the export ends before its last line')
}

/**
 * Uploads an export to a sandbox, which replaces its state with it. `replace`: even when it has transactions. Errors:
 * ServiceRefusal; Unreachable; ForeignAnswer; those of the source.
 */
export async function uploadState(
  sandbox: SandboxAddress,
  upload: Readable,
  replace: boolean,
): Promise<Restored> {
  const { method, path, answer: shape } = snapshotControls.import
  const url = addressOf(sandbox, path)
  if (replace) url.searchParams.set('replace', 'true')
  const headers = { ...headersFor(sandbox), 'Content-Type': 'application/x-ndjson' }
  const failed = new Promise<never>((_, reject) => upload.once('error', reject))
  const answer = send({ method, url, ca: sandbox.ca, headers, upload, timeout: patience })
  return dataOf(url, await Promise.race([answer, failed]), shape) as Restored
}
