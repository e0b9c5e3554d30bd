import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Connection, Health } from '../contract/sandbox/control-answers.ts'

/** Requests that another node of the same database forwards; it proves itself by a secret of that database. */

const [secretHeader, addressHeader, receivingNodeHeader] = [
  'x-tillbox-node',
  'x-tillbox-address',
  'x-tillbox-asked',
] as const

/** The node that the client called: its lock file names it, whichever node serves the space. */
export interface ReceivingNode extends Pick<Connection, 'runs' | 'logFile'> {
  readonly health: Health
  /** URL at which other nodes reach it. */
  readonly nodeUrl: string
}

/** What a node sends along with a forwarded request. */
interface ForwardedCall {
  /** The secret by which the nodes of a database recognise each other. */
  readonly secret: string
  /** Address of the caller. */
  readonly address: string
  /** The node that the client called; left out: the answering node describes itself. */
  readonly node?: ReceivingNode
}

/** Headers of a forwarded request. */
export const forwardedHeaders = ({ secret, address, node }: ForwardedCall): Record<string, string> => ({
  [secretHeader]: secret,
  [addressHeader]: address,
  ...(node && { [receivingNodeHeader]: encodeURIComponent(JSON.stringify(node)) }),
})

/** Status and header by which a sandbox answers that it does not serve a space. RFC 9110, 15.5.20 */
export const [misdirectedStatus, misdirectedHeader] = [421, 'x-tillbox-misdirected'] as const

/** Answers with that status and header; the forwarding node then asks another one. */
export const answerMisdirected = (outgoing: ServerResponse): void =>
  void outgoing.writeHead(misdirectedStatus, { [misdirectedHeader]: 'true' }).end()

/**
 * True for a request forwarded by a node of any database. A server outside that database must not handle it: it only
 * has the address of a dead node.
 */
export const isSentOn = ({ headers }: IncomingMessage): boolean => headers[secretHeader] !== undefined

/** Callers of requests that another node checked and forwarded. */
const callers = new WeakMap<object, Omit<ForwardedCall, 'secret'>>()

/** True for a request forwarded by another node of this database. Removes the headers of forwarding. */
export function takeForwarded(incoming: IncomingMessage, secret: string): boolean {
  const given = incoming.headers[secretHeader]
  if (given === undefined) return false
  const address = String(incoming.headers[addressHeader] ?? '')
  const receivingNode = incoming.headers[receivingNodeHeader]
  for (const name of ownHeaders) delete incoming.headers[name]
  incoming.rawHeaders = withoutOwn(incoming.rawHeaders)
  if (!isSame(String(given), secret)) return false
  const node =
    receivingNode === undefined
      ? {}
      : { node: JSON.parse(decodeURIComponent(String(receivingNode))) as ReceivingNode }
  callers.set(incoming, { address, ...node })
  return true
}

/** Address of the caller of a forwarded request; undefined for every other request. */
export const forwardedAddress = (incoming: IncomingMessage | undefined): string | undefined =>
  incoming && callers.get(incoming)?.address

/** The node that the client called; undefined unless a forwarded request names it. */
export const receivingNodeOf = (incoming: IncomingMessage | undefined): ReceivingNode | undefined =>
  incoming && callers.get(incoming)?.node

const ownHeaders: readonly string[] = [secretHeader, addressHeader, receivingNodeHeader]

const withoutOwn = (raw: readonly string[]): string[] =>
  raw.filter((_, index) => !ownHeaders.includes(raw[index - (index % 2)]?.toLowerCase() ?? ''))

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const digestOf = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digestOf(one), digestOf(other))
}
