import { setMaxListeners } from 'node:events'
import { reject } from '../../contract/errors.ts'
import type { Connection } from '../../contract/sandbox/control-answers.ts'
import { noSuchSpace } from '../../control/context/existing-space.ts'
import type { KnownSpace, OpenedSpace, Spaces } from '../../control/context/known-spaces.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { type OwnerSession, SpaceTaken } from '../../store/postgres/owner-session.ts'
import { resendRemedy } from '../../store/store-errors.ts'
import { elapsedTime, sleep } from '../../timers.ts'
import { finishRequests, type OpenSpace, Space } from '../spaces/space.ts'
import { knownSpace, openedSpace } from '../spaces/space-views.ts'
import { nodeRefusalOf } from './node-refusals.ts'
import type { ClusterSpace, SpaceRegistry } from './space-registry.ts'

export interface ClusterHostOptions {
  readonly registry: SpaceRegistry
  /** The session that owns the spaces of this node. */
  readonly session: Pick<OwnerSession, 'holds'>
  /** URL at which other nodes reach this one. */
  readonly url: string
  /** Opens a space in this node. Errors: SpaceTaken; as `openSandbox`. */
  readonly open: (space: ClusterSpace, wakesAt: () => number | null) => Promise<OpenSpace>
  /** API keys derived from the secret of a space. */
  readonly keysOf: (secret: string) => readonly string[]
  /** Called when the API keys of a space may have changed. */
  readonly keysChanged: () => void
  /** Asks the node at a URL how to connect to a space. Errors: an Error with its answer. */
  readonly askConnection: (url: string, space: string) => Promise<Connection>
  readonly report: (message: string, error: Error) => void
}

/** Another node that serves a space. */
export interface OtherNode {
  readonly url: string
  /** Aborts requests under way at that node. */
  readonly over: AbortController
}

/** A space as this node sees it: one that it serves, or got requests for. */
export interface Slot {
  readonly name: string
  readonly space: Space
  elsewhere: OtherNode | null
}

/** Longest wait of a request for a node that serves its space: longer than a session that hangs. Milliseconds. */
export const nodeWaitMs = 6_000

/** Pause between two attempts to reach a space. Milliseconds. */
export const pause = 100

/** Spaces that a stopping node gives back at once. */
const atOnce = 8

/**
 * The spaces of a database, for one of its nodes. The node serves spaces whose lock it has, and forwards requests for
 * all others. assumption: shared-store
 */
export class ClusterHost implements Spaces {
  readonly #options: ClusterHostOptions
  readonly #slots = new Map<string, Slot>()
  #isStopping = false

  constructor(options: ClusterHostOptions) {
    this.#options = options
  }

  /** A space, as this node sees it. */
  slotOf(name: string): Slot {
    const known = this.#slots.get(name)
    if (known !== undefined) return known
    let wakesAt: number | null = null
    const space = new Space(
      () => this.#start(name, () => wakesAt),
      (at) => {
        wakesAt = at
      },
    )
    const slot: Slot = { name, space, elsewhere: null }
    this.#slots.set(name, slot)
    return slot
  }

  get slots(): readonly Slot[] {
    return [...this.#slots.values()]
  }

  /** Every sandbox in this node's memory. */
  get sandboxes(): readonly Sandbox[] {
    return this.slots.flatMap(({ space }) => space.open?.sandbox ?? [])
  }

  async list(): Promise<readonly KnownSpace[]> {
    const spaces = await orRefuse(() => this.#options.registry.all())
    return spaces.map((space) => ({
      ...knownSpace(space, this.#slots.get(space.name)?.space.open?.sandbox ?? null),
      inMemory: space.ownerUrl !== null,
    }))
  }

  /** A new space opens at the node that the client asked, so spaces are spread like clients. */
  async create(name: string, ttlMs: number | null, nodeUrl?: string): Promise<OpenedSpace> {
    const { registry, keysOf, url } = this.#options
    const secret = await orRefuse(() => registry.add(name, ttlMs, keysOf))
    if (secret === undefined) return this.#refuseName(name)
    if (nodeUrl !== undefined && nodeUrl !== url) this.slotOf(name).elsewhere = otherNode(nodeUrl)
    try {
      return await this.open(name)
    } catch (error) {
      await this.reportFailure(registry.remove({ name, secret })) // a space that cannot be opened is removed
      throw error
    }
  }

  async open(name: string): Promise<OpenedSpace> {
    const space = await orRefuse(() => this.#options.registry.find(name))
    if (space === undefined) throw noSuchSpace(name, [])
    const slot = this.slotOf(name)
    const release = slot.space.hold()
    try {
      return await this.#openedAt(slot, space)
    } finally {
      release()
    }
  }

  async remove(name: string): Promise<void> {
    const { registry } = this.#options
    const space = await orRefuse(() => registry.find(name))
    if (space === undefined) throw noSuchSpace(name, [])
    const { open } = this.slotOf(name).space
    if (open) await finishRequests([open.sandbox])
    try {
      await orRefuse(() => registry.remove(space))
    } catch (error) {
      if (open) open.sandbox.stopping = false // the space goes on
      throw error
    }
    await this.lose(name)
    await this.reportFailure(registry.erase(name)) // what is left is deleted later
  }

  /** Where a space is served: here, if no other node serves it. `isFresh`: ignores cached results. Errors: Refusal. */
  async locate(slot: Slot, isFresh = false): Promise<OpenSpace | OtherNode> {
    for (const until = elapsedTime() + nodeWaitMs; ; await sleep(pause)) {
      const here = this.servedHere(slot)
      if (here !== null) return here
      const isKnown = slot.elsewhere !== null && slot.space.open === null && !isFresh
      const found = isKnown ? slot.elsewhere : await this.enter(slot)
      if (found !== null) return found
      if (elapsedTime() >= until) throw unserved(slot.name)
    }
  }

  /** The open space, while no other node can have it. */
  servedHere({ name, space: { open } }: Slot): OpenSpace | null {
    return this.#options.session.holds(name) ? open : null
  }

  /** Opens a space here, unless another node holds it; null: not possible yet. Errors: Refusal. */
  async enter(slot: Slot): Promise<OpenSpace | OtherNode | null> {
    const { registry, url } = this.#options
    let ownerUrl: string | null
    if (this.#isStopping) {
      ownerUrl = (await orRefuse(() => registry.find(slot.name)))?.ownerUrl ?? null
      if (ownerUrl === null || ownerUrl === url) throw unserved(slot.name)
    } else
      try {
        await slot.space.enter()
        return this.servedHere(slot)
      } catch (error) {
        if (!(error instanceof SpaceTaken)) throw nodeRefusalOf(error as Error)
        ownerUrl = error.ownerUrl
      }
    if (ownerUrl === null || ownerUrl === url) return null
    slot.elsewhere = otherNode(ownerUrl)
    return slot.elsewhere
  }

  /** Closes a space that was removed, or whose lock this node lost. */
  async lose(name: string): Promise<void> {
    const slot = this.#slots.get(name)
    if (slot === undefined) return
    leave(slot)
    for (const stream of slot.space.open?.sandbox.streams ?? []) stream.abort() // clients reconnect to another node
    await this.reportFailure(slot.space.close())
  }

  forgetUnused(): void {
    for (const { name, space, elsewhere } of this.slots)
      if (!space.isUsed && space.isClosed && elsewhere === null) this.#slots.delete(name)
  }

  /** Gives every space back once its requests are finished, at the latest at `until`, by `elapsedTime`. */
  async close(until: number): Promise<void> {
    this.#isStopping = true
    const left = [...this.#slots.values()]
    const work = async () => {
      for (let slot = left.pop(); slot !== undefined; slot = left.pop()) {
        const open = await slot.space.opened()
        if (open !== null) await finishRequests([open.sandbox], { until })
        await this.reportFailure(slot.space.putToSleep())
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
  }

  /** Waits for work, and reports its failure. */
  async reportFailure(done: Promise<unknown>): Promise<void> {
    await done.catch((error: Error) => this.#options.report(error.message, error))
  }

  async #start(name: string, wakesAt: () => number | null): Promise<OpenSpace> {
    const { registry, open, keysChanged } = this.#options
    const space = await registry.find(name)
    if (space !== undefined) return open(space, wakesAt)
    this.#slots.delete(name)
    keysChanged()
    throw noSuchSpace(name, [])
  }

  /** Retries while the node of the space does not answer: it may be dead. Errors: Refusal. */
  async #openedAt(slot: Slot, space: ClusterSpace): Promise<OpenedSpace> {
    const { askConnection } = this.#options
    for (const until = elapsedTime() + nodeWaitMs; ; await sleep(pause)) {
      const found = await this.locate(slot)
      if ('sandbox' in found) return openedSpace(space, found.sandbox)
      try {
        const { apiKey, appId, merchantId, terminals } = await askConnection(found.url, slot.name)
        const { name, createdAt, expiresAt } = space
        return { name, createdAt, expiresAt, apiKey, appId, merchantId, terminals: [...terminals] }
      } catch (error) {
        if (slot.elsewhere === found) slot.elsewhere = null
        if (elapsedTime() >= until) throw nodeRefusalOf(error as Error)
      }
    }
  }

  /** Errors: why a space with that name cannot be created. */
  async #refuseName(name: string): Promise<never> {
    const space = await orRefuse(() => this.#options.registry.find(name))
    if (space !== undefined)
      return reject('SBX_SPACE_EXISTS', { field: 'name', detail: `space ${name} exists already` })
    return reject('SBX_STORE_FAIL', {
      detail: `the space ${name} was removed, and what was in it is still being deleted`,
      remedy: resendRemedy,
    })
  }
}

/** Forgets which other node serves a space, and ends requests under way at that node. */
export function leave(slot: Slot): void {
  slot.elsewhere?.over.abort()
  slot.elsewhere = null
}

function otherNode(url: string): OtherNode {
  const over = new AbortController()
  setMaxListeners(0, over.signal) // one for each concurrent request
  return { url, over }
}

const unserved = (name: string) => nodeRefusalOf(new Error(`no node serves the space ${name} at the moment`))

/** Errors: SBX_STORE_FAIL for an error of the database or a node. */
async function orRefuse<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw nodeRefusalOf(error as Error)
  }
}
