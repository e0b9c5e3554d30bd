import type { Readable } from 'node:stream'
import { type Restored, snapshotControls } from '../contract/control/snapshot-answers.ts'
import { readBounded } from '../contract/transport/bounded-body.ts'
import type { SandboxAddress } from './discover.ts'
import { ForeignAnswer, openRequest, send, unreachable } from './http.ts'
import { acceptedData, parseEnvelope, refusalBounds, ServiceRefusal } from './read-envelope.ts'
import { controlHeaders, urlAndBody } from './request/service-request.ts'

/** Time limit for a sandbox to write or read its whole state. Milliseconds. */
const patience = 10 * 60_000

/** Downloads the whole state of a sandbox. */
export async function downloadState(
  sandbox: SandboxAddress,
  withSecrets: boolean,
): Promise<AsyncIterable<Uint8Array>> {
  const secrets = withSecrets || undefined
  const { url } = urlAndBody('GET', sandbox.baseUrl, snapshotControls.export.path, { secrets })
  const headers = controlHeaders(sandbox.token, false)
  const request = { url, ca: sandbox.ca, headers, timeout: patience }
  const incoming = await openRequest(request).catch((error) => {
    throw unreachable(url, error)
  })
  const { statusCode = 0 } = incoming
  if (statusCode === 200 && incoming.headers['content-type']?.startsWith('application/json'))
    return whole(incoming, url)
  const body = await readBounded(incoming, refusalBounds).then(String, () => '')
  const envelope = parseEnvelope(body)
  if (envelope !== undefined && envelope.code !== '0') throw new ServiceRefusal(statusCode, envelope)
  throw new ForeignAnswer(url.origin + url.pathname, statusCode, 'it is not an export')
}

/** Passes the text on up to its last line, which marks it as complete and must be there. */
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
 * Uploads an export to a sandbox, which replaces its state with it. `replace`: even when it has transactions.
 */
export async function uploadState(
  sandbox: SandboxAddress,
  upload: Readable,
  replace: boolean,
): Promise<Restored> {
  const { method, path, answer: shape } = snapshotControls.import
  const { url } = urlAndBody('GET', sandbox.baseUrl, path, { replace: replace || undefined }) // its body is the upload
  const headers = { ...controlHeaders(sandbox.token, false), 'Content-Type': 'application/octet-stream' }
  const failed = new Promise<never>((_, reject) => upload.once('error', reject))
  const answer = send({ method, url, ca: sandbox.ca, headers, upload, timeout: patience })
  return acceptedData(url, await Promise.race([answer, failed]), shape) as Restored
}
