import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Connection, Health } from '../contract/sandbox/control-answers.ts'

/** Requests that another node of the same database sends on: by a secret of the database it tells whose they are. */

const [secretHeader, addressHeader, askedHeader] = [
  'x-tillbox-node',
  'x-tillbox-address',
  'x-tillbox-asked',
] as const

/** The node that the client called: its lock file names it, whichever node serves the space. */
export interface ReceivingNode extends Pick<Connection, 'runs' | 'logFile'> {
  readonly health: Health
  /** Where other nodes reach it. */
  readonly nodeUrl: string
}

/** A request that a node sends on. */
interface ForwardedCall {
  /** The secret by which the nodes of a database recognise each other. */
  readonly secret: string
  /** Address of the caller. */
  readonly address: string
  /** The node that was asked; left out: the answering node describes itself. */
  readonly node?: ReceivingNode
}

/** Headers of a request that is sent on. */
export const forwardedHeaders = ({ secret, address, node }: ForwardedCall): Record<string, string> => ({
  [secretHeader]: secret,
  [addressHeader]: address,
  ...(node && { [askedHeader]: encodeURIComponent(JSON.stringify(node)) }),
})

/** The status, and the header, with which a sandbox says that it does not serve a space. RFC 9110, 15.5.20 */
export const [misdirectedStatus, misdirectedHeader] = [421, 'x-tillbox-misdirected'] as const

/** Says so, for the node that sent the request on to ask elsewhere. */
export const answerMisdirected = (outgoing: ServerResponse): void =>
  void outgoing.writeHead(misdirectedStatus, { [misdirectedHeader]: 'true' }).end()

/**
 * True for a request that a node of some database sends on. Whoever is not of that database must not carry it out: it has
 * the address that a node had which died.
 */
export const isSentOn = ({ headers }: IncomingMessage): boolean => headers[secretHeader] !== undefined

/** Whose requests another node checked and sent on. */
const callers = new WeakMap<object, Omit<ForwardedCall, 'secret'>>()

/** True for a request forwarded by another node of this database. Removes the headers that this node added. */
export function takeForwarded(incoming: IncomingMessage, secret: string): boolean {
  const given = incoming.headers[secretHeader]
  if (given === undefined) return false
  const address = String(incoming.headers[addressHeader] ?? '')
  const asked = incoming.headers[askedHeader]
  for (const name of ownHeaders) delete incoming.headers[name]
  incoming.rawHeaders = withoutOwn(incoming.rawHeaders)
  if (!isSame(String(given), secret)) return false
  const node =
    asked === undefined ? {} : { node: JSON.parse(decodeURIComponent(String(asked))) as ReceivingNode }
  callers.set(incoming, { address, ...node })
  return true
}

/** Address of the caller of a request that another node sent on; undefined for every other one. */
export const forwardedAddress = (incoming: IncomingMessage | undefined): string | undefined =>
  incoming && callers.get(incoming)?.address

/** The node that the caller asked; undefined where that node answers itself. */
export const receivingNodeOf = (incoming: IncomingMessage | undefined): ReceivingNode | undefined =>
  incoming && callers.get(incoming)?.node

const ownHeaders: readonly string[] = [secretHeader, addressHeader, askedHeader]

const withoutOwn = (raw: readonly string[]): string[] =>
  raw.filter((_, index) => !ownHeaders.includes(raw[index - (index % 2)]?.toLowerCase() ?? ''))

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const digestOf = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digestOf(one), digestOf(other))
}
