import { setMaxListeners } from 'node:events'
import { reject } from '../../contract/errors.ts'
import { noSuchSpace } from '../../control/context/existing-space.ts'
import { resendRemedy } from '../../engine/gate.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { type LeaseKeeper, SpaceTaken } from '../../store/postgres/lease.ts'
import { elapsedTime } from '../../timers.ts'
import { type OpenSpace, Space } from '../spaces/space.ts'
import type { ClusterRegistry, ClusterSpace } from './cluster-registry.ts'
import { nodeRefusalOf } from './node-refusals.ts'

/** Another node that serves a space. */
export interface OtherNode {
  readonly url: string
  /** By `elapsedTime`: no other node gets the space before, unless this one releases it. */
  readonly heldUntil: number
  /** Aborts requests under way at that node. */
  readonly over: AbortController
}

/** A space as this node sees it. */
export interface Slot {
  readonly name: string
  readonly space: Space
  elsewhere: OtherNode | null
  /** URL of the node that takes it over while this one stops; null before. */
  successor: string | null
}

export interface SlotsOptions {
  readonly registry: Pick<ClusterRegistry, 'find'>
  readonly leases: LeaseKeeper
  /** Opens a space in this node. Errors: SpaceTaken; as `openSandbox`. */
  readonly open: (space: ClusterSpace) => Promise<OpenSpace>
  /** Called when the API keys of a space may have changed. */
  readonly keysChanged: () => void
  readonly report: (message: string, error: Error) => void
}

/** The spaces that this node serves or got requests for. */
export class Slots {
  readonly #options: SlotsOptions
  readonly #slots = new Map<string, Slot>()
  #successors: readonly string[] = []
  #isStopping = false

  constructor(options: SlotsOptions) {
    this.#options = options
  }

  /** A space, as this node sees it. */
  of(name: string): Slot {
    const known = this.#slots.get(name)
    if (known !== undefined) return known
    const { leases } = this.#options
    const fallAsleep = (wakesAt: number | null) => leases.wakeAt(name, wakesAt)
    const space = new Space(() => this.#start(name), fallAsleep)
    const slot: Slot = { name, space, elsewhere: null, successor: this.nextSuccessor() }
    this.#slots.set(name, slot)
    return slot
  }

  get all(): readonly Slot[] {
    return [...this.#slots.values()]
  }

  /** Every sandbox in this node's memory. */
  get sandboxes(): readonly Sandbox[] {
    return this.all.flatMap(({ space }) => space.open?.sandbox ?? [])
  }

  /** The open space, if this node serves it and no other node can. */
  servedHere({ name, space: { open }, successor }: Slot): OpenSpace | null {
    return open !== null && successor === null && this.#options.leases.isHeld(name) ? open : null
  }

  /** Opens a space here, unless another node holds it; undefined while that node is unreachable. Errors: Refusal. */
  async enter(slot: Slot): Promise<OpenSpace | OtherNode | undefined> {
    if (this.#isStopping) reject('SBX_STORE_FAIL', { detail: 'this node stops', remedy: resendRemedy })
    try {
      return await slot.space.enter()
    } catch (error) {
      if (!(error instanceof SpaceTaken)) throw nodeRefusalOf(error as Error)
      if (error.ownerUrl === null || error.ownerUrl === this.#options.leases.url) return undefined
      slot.elsewhere = otherNode(error.ownerUrl, error.leftMs)
      return slot.elsewhere
    }
  }

  /** Closes a space that was removed, or that another node took. */
  async lose(name: string): Promise<void> {
    const slot = this.#slots.get(name)
    if (slot === undefined) return
    slot.elsewhere?.over.abort()
    slot.elsewhere = null
    for (const stream of slot.space.open?.sandbox.streams ?? []) stream.abort() // clients reconnect to the other node
    await this.reportFailure(slot.space.close())
  }

  forgetUnused(): void {
    for (const { name, space, elsewhere } of this.all)
      if (!space.isUsed && space.isClosed && elsewhere === null) this.#slots.delete(name)
  }

  /** Prepares to stop: closed spaces go to the nodes at these URLs, and no further space opens here. */
  giveWayTo(urls: readonly string[]): void {
    this.#successors = urls
    for (const slot of this.all) if (slot.space.isClosed) slot.successor = this.nextSuccessor()
  }

  /** The next node in turn; null while this node is not stopping, or when there is no other. */
  nextSuccessor(): string | null {
    const [next = null, ...others] = this.#successors
    if (next !== null) this.#successors = [...others, next]
    return next
  }

  /** Releases every space: other nodes take over those with pending work. */
  async close(): Promise<void> {
    this.#isStopping = true
    await Promise.all(this.all.map(({ space }) => this.reportFailure(space.putToSleep())))
  }

  /** Waits for work, and reports its failure. */
  async reportFailure(done: Promise<unknown>): Promise<void> {
    await done.catch((error: Error) => this.#options.report(error.message, error))
  }

  async #start(name: string): Promise<OpenSpace> {
    const { registry, open, keysChanged } = this.#options
    const space = await registry.find(name)
    if (space !== undefined) return open(space)
    this.#slots.delete(name)
    keysChanged()
    throw noSuchSpace(name, [])
  }
}

/** `leftMs`: remaining time of its lease, 0 when unknown. Milliseconds. */
export function otherNode(url: string, leftMs = 0): OtherNode {
  const over = new AbortController()
  setMaxListeners(0, over.signal) // one for each concurrent request
  return { url, heldUntil: elapsedTime() + leftMs, over }
}
