import * as crypto from 'node:crypto'
import { type IncomingHttpHeaders, type IncomingMessage, maxHeaderSize, type ServerResponse } from 'node:http'
import { isSameSecret } from '../../contract/signature/is-same-secret.ts'
import { isObject } from '../../shared/is-object.ts'
import { wholeBody } from './body-that-came.ts'
import type { Forwarding, ReceivedRequest } from './received-request.ts'

/**
 * Requests that another node of the same database forwards. A secret of that database seals them, and never
 * travels: a server that has the address of a dead node can neither read tokens nor send the request to a
 * living one. assumption: shared-store
 */

const [sealHeader, proofHeader] = ['x-tillbox-node', 'x-tillbox-proof'] as const

/** Headers with credentials of clients: they travel in the seal alone. */
const sealedHeaders: ReadonlySet<string> = new Set(['authorization', 'cookie', 'x-sandbox-token', sealHeader])

/** Bytes of the headers of a forwarded request at most: a seal is a third longer than what is in it. */
export const sealedHeaderSize = 2 * maxHeaderSize

/** A request as one node forwards it to another. */
export interface ForwardedCall extends Forwarding {
  /** Base URL of the node that it is for. */
  readonly to: string
  readonly method: string
  /** The path at that node, including the space and the query. */
  readonly path: string
  /** Names and values in turn, of headers that only the seal has. */
  readonly headers: readonly string[]
  /** The whole body; null: it is streamed, and only bound to its path and node. */
  readonly body: Buffer | null
}

/** What the seal of a call says. `at`: when it was sent, by the clock of the database. */
type Sealed = Omit<ForwardedCall, 'body'> & { readonly at: number; readonly body: string | null }

/** Age after which a forwarded request is refused. Milliseconds. assumption: shared-store */
const longestAge = 60_000

const [algorithm, nonceLength, tagLength] = ['aes-256-gcm', 12, 16] as const

/** Seals and opens what the nodes of a database forward to each other. */
export class NodeSeal {
  readonly #key: Buffer
  readonly #wall: () => number
  /** Nonces of the seals that were opened, with the time after which they are too old: each opens once. */
  readonly #opened = new Map<string, number>()

  /** `secret`: of the database. `wall`: the clock of the database in milliseconds. */
  constructor(secret: string, wall: () => number) {
    this.#key = Buffer.from(crypto.hkdfSync('sha256', secret, '', 'tillbox nodes', 32))
    this.#wall = wall
  }

  /** The headers of the sealed call, and the check of the answer's: of a node that could open the seal. */
  seal({ body, ...call }: ForwardedCall) {
    const sealed: Sealed = { ...call, at: this.#wall(), body: body && bodyHash(body) }
    const nonce = crypto.randomBytes(nonceLength)
    const cipher = crypto.createCipheriv(algorithm, this.#key, nonce)
    const bytes = Buffer.concat([nonce, cipher.update(JSON.stringify(sealed)), cipher.final()])
    const text = Buffer.concat([bytes, cipher.getAuthTag()]).toString('base64url')
    const proof = this.#makeProof(text)
    return {
      headers: { [sealHeader]: text },
      isProved: ({ [proofHeader]: received }: IncomingHttpHeaders) =>
        typeof received === 'string' && isSameSecret(received, proof),
    }
  }

  /**
   * Opens a forwarded request for the node at that URL, and restores what its client sent; proves itself in
   * the answer. False for a request that no node of this database sealed for this one, or whose body is
   * another.
   */
  async open(incoming: ReceivedRequest, outgoing: ServerResponse, nodeUrl: string): Promise<boolean> {
    const text = String(incoming.headers[sealHeader])
    const call = this.#unseal(text)
    if (call === undefined || call.to !== nodeUrl || call.method !== incoming.method) return false
    if (Math.abs(this.#wall() - call.at) > longestAge) return false
    const body = call.body === null ? null : await wholeBody(incoming).catch(() => null) // its node is gone
    if (call.body !== (body && bodyHash(body)) || !this.#isFirst(text, call.at)) return false
    outgoing.setHeader(proofHeader, this.#makeProof(text))
    incoming.url = call.path
    const unsealed = incoming.rawHeaders.filter((_, at, raw) => !isSealed(raw, at))
    incoming.rawHeaders = [...unsealed, ...call.headers]
    delete incoming.headers[sealHeader]
    Object.assign(incoming.headers, joined(call.headers))
    incoming.forwarded = call
    return true
  }

  #isFirst(seal: string, at: number): boolean {
    for (const [nonce, until] of this.#opened) {
      if (until >= this.#wall()) break
      this.#opened.delete(nonce)
    }
    const nonce = Buffer.from(seal, 'base64url').toString('hex', 0, nonceLength) // many texts decode to the same bytes
    if (this.#opened.has(nonce)) return false
    this.#opened.set(nonce, at + longestAge)
    return true
  }

  /** Undefined for a seal that another secret made, or that is damaged. */
  #unseal(text: string): Sealed | undefined {
    const bytes = Buffer.from(text, 'base64url')
    if (bytes.length <= nonceLength + tagLength) return undefined
    const decipher = crypto.createDecipheriv(algorithm, this.#key, bytes.subarray(0, nonceLength))
    decipher.setAuthTag(bytes.subarray(-tagLength))
    try {
      const plain = decipher.update(bytes.subarray(nonceLength, -tagLength))
      const value: unknown = JSON.parse(Buffer.concat([plain, decipher.final()]).toString())
      return isObject(value) ? (value as Sealed) : undefined
    } catch {
      return undefined // the tag does not match
    }
  }

  #makeProof(text: string): string {
    return crypto.createHmac('sha256', this.#key).update(text).digest('base64url')
  }
}

/** Status and header by which a sandbox answers that it does not serve a space. RFC 9110, 15.5.20 */
export const [misdirectedStatus, misdirectedHeader] = [421, 'x-tillbox-misdirected'] as const

/** Answers with that status and header; the forwarding node then asks another one. */
export const answerMisdirected = (outgoing: ServerResponse): void =>
  void outgoing.writeHead(misdirectedStatus, { [misdirectedHeader]: 'true' }).end()

/**
 * True for a request forwarded by a node of any database. A server outside that database must not handle it:
 * it only has the address of a dead node.
 */
export const isSentOn = ({ headers }: IncomingMessage): boolean => headers[sealHeader] !== undefined

/** Names and values in turn, of the headers that travel in the seal. */
export const credentialsIn = (raw: readonly string[]): string[] => raw.filter((_, at) => isSealed(raw, at))

const isSealed = (raw: readonly string[], at: number): boolean =>
  sealedHeaders.has(raw[at - (at % 2)]?.toLowerCase() ?? '')

/** True for a header that travels in the seal, or that only nodes read. */
export const isOfNodes = (name: string): boolean => name === proofHeader || sealedHeaders.has(name)

/** Header values by name, as Node joins those of repeated headers: of Authorization the first counts. */
function joined(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (let at = 0; at < raw.length; at += 2) {
    const [name, value] = [(raw[at] as string).toLowerCase(), raw[at + 1] as string]
    const before = headers[name]
    if (before === undefined) headers[name] = value
    else if (name !== 'authorization') headers[name] = `${before}${name === 'cookie' ? '; ' : ', '}${value}`
  }
  return headers
}

const bodyHash = (bytes: Buffer): string => crypto.createHash('sha256').update(bytes).digest('base64url')
