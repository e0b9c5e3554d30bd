import { setMaxListeners } from 'node:events'
import { reject } from '../../contract/errors.ts'
import { noSuchSpace } from '../../control/context/existing-space.ts'
import { resendRemedy } from '../../engine/gate.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { type LeaseKeeper, SpaceTaken } from '../../store/postgres/lease.ts'
import { elapsedTime } from '../../timers.ts'
import { type OpenSpace, Space } from '../spaces/space.ts'
import type { ClusterRegistry, ClusterSpace } from './cluster-registry.ts'
import { refusalOf } from './node-refusals.ts'

/** Another node that serves a space. */
export interface OtherNode {
  readonly url: string
  /** No other node can have the space before, unless it is given back: by `elapsedTime`. */
  readonly heldUntil: number
  /** Aborts requests under way at that node. */
  readonly over: AbortController
}

/** A space as this node sees it. */
export interface Slot {
  readonly name: string
  readonly space: Space
  elsewhere: OtherNode | null
  /** URL of the node that is to take it on, once this one stops; null until then. */
  successor: string | null
}

export interface SlotsOptions {
  readonly registry: Pick<ClusterRegistry, 'find'>
  readonly leases: LeaseKeeper
  /** Opens a space in this node. Errors: SpaceTaken; as `openSandbox`. */
  readonly open: (space: ClusterSpace) => Promise<OpenSpace>
  /** The API keys of a space may be others now. */
  readonly keysChanged: () => void
  readonly report: (message: string, error: Error) => void
}

/** The spaces that this node serves, or was asked for. */
export class Slots {
  readonly #options: SlotsOptions
  readonly #slots = new Map<string, Slot>()
  #successors: readonly string[] = []
  #isStopping = false

  constructor(options: SlotsOptions) {
    this.#options = options
  }

  /** The space of that name, as this node sees it. */
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

  /** Every sandbox that this node has in memory. */
  get sandboxes(): readonly Sandbox[] {
    return this.all.flatMap(({ space }) => space.open?.sandbox ?? [])
  }

  /** The space, while this node serves it and no other one can. */
  servedHere({ name, space: { open }, successor }: Slot): OpenSpace | null {
    return open !== null && successor === null && this.#options.leases.isHeld(name) ? open : null
  }

  /** Opens a space here, unless another node has it. Undefined while that node cannot be reached. Errors: Refusal. */
  async enter(slot: Slot): Promise<OpenSpace | OtherNode | undefined> {
    if (this.#isStopping) reject('SBX_STORE_FAIL', { detail: 'this node stops', remedy: resendRemedy })
    try {
      return await slot.space.enter()
    } catch (error) {
      if (!(error instanceof SpaceTaken)) throw refusalOf(error as Error)
      if (error.ownerUrl === null || error.ownerUrl === this.#options.leases.url) return undefined
      slot.elsewhere = otherNode(error.ownerUrl, error.leftMs)
      return slot.elsewhere
    }
  }

  /** Another node has the space now, or it was removed: closes it here. */
  async lose(name: string): Promise<void> {
    const slot = this.#slots.get(name)
    if (slot === undefined) return
    slot.elsewhere?.over.abort()
    slot.elsewhere = null
    for (const stream of slot.space.open?.sandbox.streams ?? []) stream.abort() // its reader comes back, to the other node
    await this.reportFailure(slot.space.close())
  }

  forgetUnused(): void {
    for (const { name, space, elsewhere } of this.all)
      if (!space.isUsed && space.isClosed && elsewhere === null) this.#slots.delete(name)
  }

  /** This node stops, and nodes at these URLs go on: no other space is opened here. */
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

  /** Resolves at the end of the work; its failure is reported. */
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

/** `leftMs`: rest of its lease, where that is known. Milliseconds. */
export function otherNode(url: string, leftMs = 0): OtherNode {
  const over = new AbortController()
  setMaxListeners(0, over.signal) // as many as there are requests at once
  return { url, heldUntil: elapsedTime() + leftMs, over }
}
