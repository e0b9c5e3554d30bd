import { maxHeaderSize, type ServerResponse } from 'node:http'
import type { Control } from '../../contract/control/control.ts'
import { controls } from '../../contract/control/controls/controls.ts'
import { firstSpace } from '../../contract/control/spaces.ts'
import { errorTable, type Refusal, reject } from '../../contract/errors.ts'
import { sandboxHeaders } from '../../contract/headers.ts'
import { isSameSecret } from '../../contract/signature/is-same-secret.ts'
import { isReading } from '../../sandbox/access/grants.ts'
import { stopProcess } from '../../sandbox/control/stop.ts'
import { addressOfPeer } from '../../sandbox/http/call.ts'
import { accepted, lookUpRefusal, refused } from '../../sandbox/http/envelope.ts'
import type { FaultAnswers } from '../../sandbox/http/http-faults.ts'
import { answerMisdirected, isSentOn, type NodeSeal } from '../../sandbox/http/node-to-node.ts'
import { isOfThisMachine, isOwnHost } from '../../sandbox/http/origin.ts'
import type { ReceivedRequest, ReceivingNode } from '../../sandbox/http/received-request.ts'
import { resendRemedy } from '../../shared/files/store-errors.ts'
import { elapsedTime, sleep } from '../../shared/timers.ts'
import { answerUnknownSpace, type UnknownSpaceParts } from '../sandbox/unknown-space.ts'
import { apiKeyOf, parseSpacePath } from '../spaces/space-views.ts'
import { type ClusterHost, type OtherNode, type Slot, toNodeRefusal, unserved } from './cluster-host.ts'
import { RequestForwarder } from './request-forwarder.ts'
import type { SpaceRegistry } from './space-registry.ts'

/** Longest wait of a request for a node that serves its space: longer than a session hangs. Milliseconds. */
const nodeWaitMs = 6_000

/** Pause between two attempts to reach a space. Milliseconds. */
const pause = 100

interface RequestRouterOptions {
  readonly spaces: ClusterHost
  readonly registry: SpaceRegistry
  /** Seals and opens what the nodes of the database forward. */
  readonly seal: NodeSeal
  /** URL at which other nodes reach this one. */
  readonly nodeUrl: string
  /** The address that it is bound to, as a URL writes it. */
  readonly host: string
  /** With which this node was started; null: none. */
  readonly token: string | null
  /** Current facts about this node. */
  readonly node: () => ReceivingNode
  /** How requests that reach no sandbox are answered. */
  readonly answers: FaultAnswers
  /** How requests for spaces that do not exist are answered, where the node has a token. */
  readonly unknownSpace: UnknownSpaceParts
}

/** Takes each request to its space: here, or at the node that serves it. assumption: shared-store */
export class RequestRouter {
  readonly #forwarder = new RequestForwarder()
  /** Requests that no sandbox handles yet, or that another node handles. */
  #underWay = 0

  constructor(private readonly options: RequestRouterOptions) {}

  /** Handles a request in its space, on this node or on another. */
  handle(incoming: ReceivedRequest, outgoing: ServerResponse): void {
    if (isSentOn(incoming)) void this.#handleForwarded(incoming, outgoing)
    else void this.#handle(incoming, outgoing)
  }

  /** True while another node handles a forwarded request, or no node handles one yet. */
  get isForwarding(): boolean {
    return this.#underWay > 0
  }

  /** Closes the connections to other nodes. */
  close(): void {
    this.#forwarder.close()
  }

  async #handleForwarded(incoming: ReceivedRequest, outgoing: ServerResponse): Promise<void> {
    const { seal, nodeUrl } = this.options
    if (await seal.open(incoming, outgoing, nodeUrl)) await this.#handle(incoming, outgoing)
    else answerMisdirected(outgoing)
  }

  /** What this node answers a client of this machine without database and spaces; undefined: nothing. */
  #nodeAnswer(incoming: ReceivedRequest): object | undefined {
    const { method, url, headers, forwarded, refusal } = incoming
    const { node, token } = this.options
    if (refusal !== undefined || forwarded !== undefined || !isOfThisMachine(incoming)) return undefined
    const asks = ({ method: expected, path }: Control) => method === expected && url === path
    if (asks(controls.health)) return node().health
    const mayStop =
      token === null || isSameSecret(String(headers[sandboxHeaders.token.toLowerCase()] ?? ''), token)
    return asks(controls.stop) && mayStop ? stopProcess(node().runs) : undefined
  }

  /** For a removed space, it tells a forwarding node so, and looks the API key up again. */
  async #handle(incoming: ReceivedRequest, outgoing: ServerResponse): Promise<void> {
    const spacePath = parseSpacePath(incoming)
    let name = incoming.refusal === undefined ? spacePath?.name : firstSpace
    this.#underWay += 1
    try {
      const answer = this.#nodeAnswer(incoming)
      if (answer !== undefined) {
        outgoing.writeHead(200, { 'Content-Type': 'application/json' })
        outgoing.end(JSON.stringify(accepted(this.options.answers.newTraceId(), answer)))
        return
      }
      name ??= await this.#spaceOfKey(incoming)
      if (spacePath !== undefined) incoming.url = spacePath.path
      await this.#serve(name, incoming, outgoing)
    } catch (error) {
      if (outgoing.headersSent) return
      const refusal = toNodeRefusal(error as Error)
      const isGone = refusal.code === 'SBX_SPACE_NONE'
      if (isGone && incoming.forwarded !== undefined) answerMisdirected(outgoing)
      else if (isGone && spacePath === undefined && name !== firstSpace)
        await this.#handle(incoming, outgoing)
      else if (isGone && spacePath !== undefined && this.options.token !== null)
        await answerUnknownSpace(this.options.unknownSpace, spacePath.name, incoming, outgoing)
      else await refuse(incoming, outgoing, refusal, this.options.answers)
    } finally {
      this.#underWay -= 1
    }
  }

  /** The space of a request without one in its path. Of an unknown key: the first, which refuses it. */
  async #spaceOfKey(incoming: ReceivedRequest): Promise<string> {
    const key = apiKeyOf(incoming)
    return (key !== undefined && (await this.options.registry.spaceOfKey(key))) || firstSpace
  }

  /** Resolves when the request was handled here, or answered by another node. */
  async #serve(name: string, incoming: ReceivedRequest, outgoing: ServerResponse): Promise<void> {
    if (outgoing.destroyed) return // the client has left
    const { spaces } = this.options
    const slot = spaces.slotOf(name)
    outgoing.once('close', slot.space.hold())
    const isForwarded = incoming.forwarded !== undefined // it is not forwarded again
    for (const until = elapsedTime() + nodeWaitMs; elapsedTime() < until; await sleep(pause)) {
      const elsewhere = isForwarded ? null : slot.elsewhere
      const found = spaces.servedHere(slot) ?? elsewhere ?? (await spaces.enter(slot))
      if (found === null) continue
      if ('sandbox' in found) return found.handle(incoming, outgoing)
      if (incoming.refusal !== undefined) throw incoming.refusal // another node would not see it
      if (isForwarded) return answerMisdirected(outgoing)
      if (await this.#sendOn(slot, found, incoming, outgoing)) return
    }
    throw unserved(name)
  }

  /** Forwards a request; false: it must go elsewhere. */
  async #sendOn(slot: Slot, other: OtherNode, incoming: ReceivedRequest, outgoing: ServerResponse) {
    if (outgoing.destroyed) return true // the client has left
    if (`${incoming.url}${incoming.rawHeaders.join('')}`.length > maxHeaderSize)
      reject('SBX_HEADERS_BIG', { field: 'headers' })
    const result = await this.#forwarder.forward(incoming, outgoing, {
      to: other.url,
      path: `/s/${slot.name}${incoming.url}`,
      seal: this.options.seal,
      address: addressOfPeer(incoming),
      isOwnHost: isOwnHost(incoming.headers.host ?? '', incoming.socket, this.options.host),
      node: this.options.node(),
      signal: other.over.signal,
    })
    if (result === 'answered' || outgoing.destroyed) return true
    if (slot.elsewhere === other) slot.elsewhere = null
    if (result !== 'lost') return false
    const detail = `the node at ${other.url}, which served the space ${slot.name}, ended the connection; the request may have been carried out`
    return reject('SBX_STORE_FAIL', { detail, remedy: resendRemedy })
  }
}

/** Seconds after which a client may send its request again; a page reloads by itself then. */
const soon = 1

/** Answers a request that reaches no sandbox: a browser with a page, any other client with an envelope. */
async function refuse(
  { method, headers }: ReceivedRequest,
  outgoing: ServerResponse,
  thrown: Refusal,
  { newTraceId, extras }: FaultAnswers,
): Promise<void> {
  const isLook = isReading(method ?? '')
  const refusal = isLook ? lookUpRefusal(thrown) : thrown
  const { code, detail, message } = refusal
  const { status } = errorTable[code]
  if (status === 503) outgoing.setHeader('Retry-After', soon)
  if (status === 503 && headers.accept?.includes('text/html')) {
    const { outagePolicy, renderOutage } = await import('../../pages/serving/refusal-page.tsx')
    outgoing.writeHead(status, {
      ...(isLook && { Refresh: soon }),
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': outagePolicy,
      'Cache-Control': 'no-store',
    })
    outgoing.end(renderOutage(detail ?? message, isLook))
    return
  }
  outgoing.writeHead(status, { 'Content-Type': 'application/json' })
  outgoing.end(JSON.stringify(refused(newTraceId(), refusal, !extras)))
}
