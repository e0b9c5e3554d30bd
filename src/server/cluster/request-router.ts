import { type IncomingMessage, maxHeaderSize, type ServerResponse } from 'node:http'
import { Refusal, reject } from '../../contract/errors.ts'
import { controls } from '../../contract/sandbox/controls/controls.ts'
import { addressOfPeer } from '../../http/call.ts'
import { accepted } from '../../http/envelope.ts'
import { answerMisdirected, isSentOn, type NodeSeal, type ReceivingNode } from '../../http/node-to-node.ts'
import { isOfThisMachine } from '../../http/origin.ts'
import { resendRemedy } from '../../store/store-errors.ts'
import { elapsedTime, sleep } from '../../timers.ts'
import type { OpenSpace } from '../spaces/space.ts'
import { spacePathOf } from '../spaces/space-path.ts'
import { type ClusterHost, nodeWaitMs, type OtherNode, pause, type Slot } from './cluster-host.ts'
import type { KeyLookup } from './key-lookup.ts'
import { nodeRefusalOf } from './node-refusals.ts'
import { RequestForwarder } from './request-forwarder.ts'

interface RequestRouterOptions {
  readonly spaces: ClusterHost
  readonly keys: KeyLookup
  /** Seals and opens what the nodes of the database forward. */
  readonly seal: NodeSeal
  /** Current facts about this node. */
  readonly node: () => ReceivingNode
  readonly newTraceId: () => string
  /** Answers a request that reaches no sandbox. */
  readonly refuse: (incoming: IncomingMessage, outgoing: ServerResponse, refusal: Refusal) => void
}

/** The space and path of a request. */
interface SpaceRequest {
  readonly name: string
  /** The path within the space. */
  readonly path: string
  /** True for a request forwarded by another node: it is not forwarded again. */
  readonly isForwarded: boolean
  /** True when the API key, not the path, named the space. */
  readonly isByKey: boolean
}

/** Takes each request to its space: here, or at the node that serves it. assumption: shared-store */
export class RequestRouter {
  readonly #options: RequestRouterOptions
  readonly #forwarder = new RequestForwarder()

  constructor(options: RequestRouterOptions) {
    this.#options = options
  }

  /** Handles a request in its space, on this node or on another. */
  handle(incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (isSentOn(incoming)) void this.#handleForwarded(incoming, outgoing)
    else if (asksIfUp(incoming)) this.#tellHealth(outgoing)
    else this.#handle(incoming, outgoing, false)
  }

  async #handleForwarded(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { seal, node } = this.#options
    if (await seal.open(incoming, outgoing, node().nodeUrl)) this.#handle(incoming, outgoing, true)
    else answerMisdirected(outgoing)
  }

  #handle(incoming: IncomingMessage, outgoing: ServerResponse, isForwarded: boolean): void {
    const { keys } = this.#options
    const spacePath = spacePathOf(incoming)
    const name = spacePath?.name ?? keys.known(incoming)
    const path = spacePath?.path ?? incoming.url ?? '/'
    const request = { path, isForwarded, isByKey: spacePath === undefined }
    if (name === undefined) void this.#handleByKey(incoming, outgoing, request)
    else this.#handleIn({ ...request, name }, incoming, outgoing)
  }

  /** True while another node handles a forwarded request. */
  get isForwarding(): boolean {
    return this.#forwarder.isBusy
  }

  /** Closes the connections to other nodes. */
  close(): void {
    this.#forwarder.close()
  }

  /** Answers the health check: it depends neither on the database nor on spaces. */
  #tellHealth(outgoing: ServerResponse): void {
    const { newTraceId, node } = this.#options
    outgoing.writeHead(200, { 'Content-Type': 'application/json' })
    outgoing.end(JSON.stringify(accepted(newTraceId(), node().health)))
  }

  async #handleByKey(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    request: Omit<SpaceRequest, 'name'>,
  ): Promise<void> {
    try {
      const name = await this.#options.keys.find(incoming)
      this.#handleIn({ ...request, name }, incoming, outgoing)
    } catch (error) {
      this.#options.refuse(incoming, outgoing, nodeRefusalOf(error as Error))
    }
  }

  #handleIn(request: SpaceRequest, incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (outgoing.destroyed) return // the client has left
    const { spaces } = this.#options
    const slot = spaces.slotOf(request.name)
    outgoing.once('close', slot.space.hold())
    const here = spaces.servedHere(slot)
    if (here !== null) handleHere(here, request, incoming, outgoing)
    else void this.#handleSoon(slot, request, incoming, outgoing)
  }

  async #handleSoon(
    slot: Slot,
    request: SpaceRequest,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ): Promise<void> {
    try {
      for (const until = elapsedTime() + nodeWaitMs; ; ) {
        const found = await this.#options.spaces.locate(slot, request.isForwarded)
        if ('sandbox' in found) return handleHere(found, request, incoming, outgoing)
        if (request.isForwarded) return answerMisdirected(outgoing)
        const isAnswered = await this.#sendOn(slot, found, request, incoming, outgoing)
        if (isAnswered) return
        if (elapsedTime() >= until) throw unreachable(request.name, found.url)
        await sleep(pause)
      }
    } catch (error) {
      this.#refuse(nodeRefusalOf(error as Error), request, incoming, outgoing)
    }
  }

  /** Refuses a request. For a removed space, it tells a forwarding node so, and treats the API key as unknown. */
  #refuse(
    refusal: Refusal,
    request: SpaceRequest,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ): void {
    if (outgoing.headersSent) return
    const isGone = refusal.code === 'SBX_SPACE_NONE'
    if (isGone && request.isForwarded) answerMisdirected(outgoing)
    else if (isGone && request.isByKey)
      void this.#handleByKey(incoming, outgoing, { ...request, isByKey: false })
    else this.#options.refuse(incoming, outgoing, refusal)
  }

  /** Forwards a request; false: it must go elsewhere. Errors: SBX_STORE_FAIL when its result is unknown. */
  async #sendOn(
    slot: Slot,
    other: OtherNode,
    { name, path }: SpaceRequest,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ): Promise<boolean> {
    if (outgoing.destroyed) return true // the client has left
    if (`${incoming.url}${incoming.rawHeaders.join('')}`.length > maxHeaderSize)
      reject('SBX_HEADERS_BIG', { field: 'headers' })
    const result = await this.#forwarder.forward(incoming, outgoing, {
      to: other.url,
      path: `/s/${name}${path}`,
      seal: this.#options.seal,
      address: addressOfPeer(incoming),
      node: this.#options.node(),
      signal: other.over.signal,
    })
    if (result === 'answered' || outgoing.destroyed) return true
    if (slot.elsewhere === other) slot.elsewhere = null
    if (result === 'lost') throw unknownEnd(name, other.url)
    return false
  }
}

/** True for a health check by a client of this machine, which found the node by its lock file. */
const asksIfUp = (incoming: IncomingMessage): boolean =>
  incoming.method === 'GET' && incoming.url === controls.health.path && isOfThisMachine(incoming)

function handleHere(
  { handle }: OpenSpace,
  { path }: SpaceRequest,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  incoming.url = path
  handle(incoming, outgoing)
}

const unreachable = (name: string, url: string): Refusal =>
  new Refusal('SBX_STORE_FAIL', {
    detail: `the node at ${url}, which serves the space ${name}, cannot be reached`,
    remedy: resendRemedy,
  })

const unknownEnd = (name: string, url: string): Refusal =>
  new Refusal('SBX_STORE_FAIL', {
    detail: `the node at ${url}, which served the space ${name}, ended the connection; the request may have been carried out`,
    remedy: resendRemedy,
  })
