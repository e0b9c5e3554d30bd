import { reject } from '../../contract/errors.ts'
import type { Connection } from '../../contract/sandbox/control-answers.ts'
import { noSuchSpace } from '../../control/context/existing-space.ts'
import type { KnownSpace, OpenedSpace, Spaces } from '../../control/context/known-spaces.ts'
import { resendRemedy } from '../../engine/gate.ts'
import { elapsedTime, sleep } from '../../timers.ts'
import { finishRequests, type OpenSpace } from '../spaces/space.ts'
import { knownSpace, openedSpace } from '../spaces/space-views.ts'
import type { ClusterRegistry, ClusterSpace } from './cluster-registry.ts'
import { nodeRefusalOf } from './node-refusals.ts'
import { type OtherNode, otherNode, type Slot, Slots, type SlotsOptions } from './slots.ts'

export interface ClusterHostOptions extends SlotsOptions {
  readonly registry: ClusterRegistry
  /** API keys derived from the secret of a space. */
  readonly keysOf: (secret: string) => readonly string[]
  /** Asks the node at a URL how to connect to a space. Errors: an Error with its answer. */
  readonly askConnection: (url: string, space: string) => Promise<Connection>
}

/** Longest wait of a request for a node that serves its space: longer than a dead node's lease. Milliseconds. */
export const nodeWaitMs = 6_000

/** Pause between two attempts to reach a space. Milliseconds. */
export const pause = 50

/**
 * The spaces of a database, for one of its nodes. The node serves spaces that no other node serves, and forwards
 * requests for all others. assumption: shared-store
 */
export class ClusterHost implements Spaces {
  readonly slots: Slots
  readonly #options: ClusterHostOptions

  constructor(options: ClusterHostOptions) {
    this.#options = options
    this.slots = new Slots(options)
  }

  async list(): Promise<readonly KnownSpace[]> {
    const spaces = await orRefuse(() => this.#options.registry.all())
    const open = new Map(this.slots.all.map(({ name, space }) => [name, space.open?.sandbox ?? null]))
    return spaces.map((space) => ({
      ...knownSpace(space, open.get(space.name) ?? null),
      inMemory: space.ownerUrl !== null,
    }))
  }

  /** A new space opens at the node that the client asked, so spaces are spread like clients. */
  async create(name: string, ttlMs: number | null, nodeUrl?: string): Promise<OpenedSpace> {
    const { registry, keysOf } = this.#options
    const secret = await orRefuse(() => registry.add(name, ttlMs, keysOf))
    if (secret === undefined) return this.#refuseName(name)
    if (nodeUrl !== undefined) this.slots.of(name).elsewhere = otherNode(nodeUrl)
    try {
      return await this.open(name)
    } catch (error) {
      await this.slots.reportFailure(registry.remove({ name, secret })) // a space that cannot be opened is removed
      throw error
    }
  }

  async open(name: string): Promise<OpenedSpace> {
    const space = await orRefuse(() => this.#options.registry.find(name))
    if (space === undefined) throw noSuchSpace(name, [])
    const slot = this.slots.of(name)
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
    const { open } = this.slots.of(name).space
    if (open) await finishRequests([open.sandbox])
    try {
      await orRefuse(() => registry.remove(space))
    } catch (error) {
      if (open) open.sandbox.stopping = false // the space goes on
      throw error
    }
    await this.slots.lose(name)
    await this.slots.reportFailure(registry.erase(name)) // the next round deletes the rest
  }

  /** Where a space is served: here, if no other node serves it. `isFresh`: ignores cached results. Errors: Refusal. */
  async locate(slot: Slot, isFresh = false): Promise<OpenSpace | OtherNode> {
    for (const until = elapsedTime() + nodeWaitMs; ; await sleep(pause)) {
      const here = this.slots.servedHere(slot)
      if (here !== null) return here
      const isKnown = slot.successor !== null || (slot.space.open === null && !isFresh)
      const found = isKnown && slot.elsewhere !== null ? slot.elsewhere : await this.#findOrOpen(slot)
      if (found !== undefined) return found
      if (elapsedTime() >= until)
        reject('SBX_STORE_FAIL', {
          detail: `no node serves the space ${slot.name} at the moment`,
          remedy: resendRemedy,
        })
    }
  }

  /** Locates a space, or opens it here; undefined: not possible yet. Errors: Refusal. */
  async #findOrOpen(slot: Slot): Promise<OpenSpace | OtherNode | undefined> {
    const { leases, registry } = this.#options
    const { name, space, successor } = slot
    if (successor !== null) {
      const owner = (await orRefuse(() => registry.owners([name]))).get(name) ?? leases.url
      slot.elsewhere = otherNode(owner === null || owner === leases.url ? successor : owner)
      return slot.elsewhere
    }
    if (space.open === null) return this.slots.enter(slot)
    await orRefuse(() => leases.renew())
    return undefined
  }

  /** Retries while the node of the space does not answer: it may be dead, and its lease ends soon. Errors: Refusal. */
  async #openedAt(slot: Slot, space: ClusterSpace): Promise<OpenedSpace> {
    const { askConnection } = this.#options
    for (const until = elapsedTime() + nodeWaitMs; ; await sleep(pause)) {
      const found = await this.locate(slot)
      if ('sandbox' in found) return openedSpace(space, found.sandbox)
      try {
        const { apiKey, appId, merchantId, terminals } = await askConnection(found.url, slot.name)
        return { ...dated(space), apiKey, appId, merchantId, terminals: [...terminals] }
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

/** Errors: SBX_STORE_FAIL for an error of the database or a node. */
async function orRefuse<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw nodeRefusalOf(error as Error)
  }
}

const dated = ({ name, createdAt, expiresAt }: ClusterSpace) => ({ name, createdAt, expiresAt })
