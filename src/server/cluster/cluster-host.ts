import { setMaxListeners } from 'node:events'
import type { Connection } from '../../contract/control/control-answers.ts'
import { basePathOfSpace } from '../../contract/control/spaces.ts'
import { type ErrorCode, Refusal } from '../../contract/errors.ts'
import { sandboxHeaders } from '../../contract/headers.ts'
import type { Envelope } from '../../contract/records.ts'
import type { Catalogue } from '../../domain/fixtures.ts'
import { noSettings } from '../../domain/settings.ts'
import { createState } from '../../domain/state.ts'
import {
  type KnownSpace,
  noSuchSpace,
  type OpenedSpace,
  rejectTakenSpace,
  type Spaces,
} from '../../sandbox/control/control-context.ts'
import { Directory } from '../../sandbox/engine/directory.ts'
import { storeRefusal } from '../../sandbox/engine/gate.ts'
import { type OwnerSession, SpaceTaken } from '../../sandbox/store/postgres/owner-session.ts'
import { resendRemedy } from '../../shared/files/store-errors.ts'
import { finishRequests } from '../listening.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { keysWith } from '../spaces/open-space.ts'
import { type OpenSpace, Space } from '../spaces/space.ts'
import { knownSpace, openedSpace } from '../spaces/space-views.ts'
import { getJson } from './get-json.ts'
import type { ClusterSpace, SpaceRegistry } from './space-registry.ts'

export interface ClusterHostOptions {
  readonly registry: SpaceRegistry
  /** The session that owns the spaces of this node. */
  readonly session: Pick<OwnerSession, 'holds'>
  /** URL at which other nodes reach this one. */
  readonly nodeUrl: string
  /** URL that this node listens on, and its token. */
  readonly url: string
  readonly token: string | null
  /** Opens a space in this node. Errors: SpaceTaken; as `openSandbox`. */
  readonly open: (space: ClusterSpace, wakesAt: () => number | null) => Promise<OpenSpace>
  readonly spaceCatalogue: (space: Pick<ClusterSpace, 'secret'>) => Catalogue
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

/** It lists the terminals: longer than a node looks for another that serves a space. Milliseconds. */
const connectionLimits = { maxBytes: 8 * 1024 * 1024, timeout: 30_000 }

/**
 * The spaces of a database, for one of its nodes. The node serves spaces whose lock it has, and forwards
 * requests for all others. assumption: shared-store
 */
export class ClusterHost implements Spaces {
  readonly #slots = new Map<string, Slot>()
  #isStopping = false

  constructor(private readonly options: ClusterHostOptions) {}

  /** A space, as this node sees it. */
  slotOf(name: string): Slot {
    const existing = this.#slots.get(name)
    if (existing !== undefined) return existing
    const slot: Slot = { name, space: new Space(() => this.#start(slot)), elsewhere: null }
    this.#slots.set(name, slot)
    return slot
  }

  get slots(): readonly Slot[] {
    return [...this.#slots.values()]
  }

  /** The sandbox of a space in this node's memory. */
  sandboxInMemory(name: string): Sandbox | undefined {
    return this.#slots.get(name)?.space.open?.sandbox
  }

  async list(): Promise<readonly KnownSpace[]> {
    const spaces = await orRefuse(this.options.registry.all())
    return spaces.map((space) => ({
      ...knownSpace(space, this.sandboxInMemory(space.name) ?? null),
      inMemory: space.ownerUrl !== null,
    }))
  }

  /** A new space opens at the node that is first asked for it, so spaces are spread like clients. */
  async create(name: string, ttlMs: number | null, madeBy: string | null): Promise<OpenedSpace> {
    const { registry, spaceCatalogue } = this.options
    const makeKeys = (space: Pick<ClusterSpace, 'secret'>) => keysWith(spaceCatalogue(space), noSettings())
    const made = await orRefuse(registry.add(name, { ttlMs, madeBy }, makeKeys))
    if (made === undefined)
      return rejectTakenSpace(name, `Space ${name} exists already, or is still being removed`)
    const catalogue = spaceCatalogue(made)
    const directory = new Directory(catalogue.applications, noSettings())
    return openedSpace(made, { directory, engine: { state: createState(catalogue) } })
  }

  async open(name: string): Promise<OpenedSpace> {
    const { createdAt, expiresAt } = await this.#existing(name)
    const { apiKey, appId, merchantId, terminals } = await this.fetchConnection(name)
    return { name, createdAt, expiresAt, apiKey, appId, merchantId, terminals: [...terminals] }
  }

  /** Asks this node, as a client does, how to connect to a space, whichever node serves it. */
  async fetchConnection(name: string): Promise<Connection> {
    const { url, token } = this.options
    const headers = token === null ? {} : { [sandboxHeaders.token]: token }
    const path = `${basePathOfSpace(name)}/_sandbox/connection`
    const answer = await getJson(new URL(path, url), { headers, ...connectionLimits })
    const { data, code, detail, remedy } = answer as Envelope<Connection>
    if (data === undefined) throw new Refusal(code as ErrorCode, { detail, remedy })
    return data
  }

  async remove(name: string): Promise<void> {
    const { registry } = this.options
    const space = await this.#existing(name)
    const sandbox = this.sandboxInMemory(name)
    if (sandbox) await finishRequests([sandbox])
    try {
      await orRefuse(registry.remove(space))
    } catch (error) {
      if (sandbox) sandbox.stopping = false // the space goes on
      throw error
    }
    await this.reportFailure(this.end(name)) // what is left is deleted later
  }

  /** Closes a space that no longer exists, and deletes its rows. */
  async end(name: string): Promise<void> {
    await this.lose(name)
    await this.options.registry.erase(name)
  }

  /** The open space, while no other node can have it. */
  servedHere({ name, space: { open } }: Slot): OpenSpace | null {
    return this.options.session.holds(name) ? open : null
  }

  /** Opens a space here, unless another node holds it; null: not possible yet. */
  async enter(slot: Slot): Promise<OpenSpace | OtherNode | null> {
    if (this.#isStopping) throw unserved(slot.name)
    try {
      await slot.space.enter()
      leave(slot) // requests under way at the node before come back here
      return this.servedHere(slot)
    } catch (error) {
      if (!(error instanceof SpaceTaken)) throw toNodeRefusal(error as Error)
      const { ownerUrl } = error
      if (ownerUrl === null || ownerUrl === this.options.nodeUrl) return null
      if (slot.elsewhere?.url === ownerUrl) return slot.elsewhere
      leave(slot) // requests under way at the node before would wait for it as long as it sleeps
      const over = new AbortController()
      setMaxListeners(0, over.signal) // one for each concurrent request
      slot.elsewhere = { url: ownerUrl, over }
      return slot.elsewhere
    }
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
    await Promise.all(
      this.slots.map(async ({ space }) => {
        const open = await space.opened()
        if (open !== null) await finishRequests([open.sandbox], { until })
        await this.reportFailure(space.putToSleep())
      }),
    )
  }

  /** Waits for work, and reports its failure. */
  async reportFailure(done: Promise<unknown>): Promise<void> {
    await done.catch((error: Error) => this.options.report(error.message, error))
  }

  async #start({ name, space }: Slot): Promise<OpenSpace> {
    const { registry, open } = this.options
    const found = await registry.find(name)
    if (found !== undefined) return open(found, () => space.wakesAt)
    this.#slots.delete(name)
    registry.forgetKeys()
    throw noSuchSpace(name, [])
  }

  async #existing(name: string): Promise<ClusterSpace> {
    const space = await orRefuse(this.options.registry.find(name))
    if (space === undefined) throw noSuchSpace(name, [])
    return space
  }
}

/** Forgets which other node serves a space, and ends requests under way at that node. */
export function leave(slot: Slot): void {
  slot.elsewhere?.over.abort()
  slot.elsewhere = null
}

/** Converts an error into a refusal. */
export const toNodeRefusal = (error: Error): Refusal => storeRefusal(error, resendRemedy)

/** No node serves a space. */
export const unserved = (name: string): Refusal =>
  toNodeRefusal(new Error(`no node serves the space ${name} at the moment`))

const orRefuse = <T>(asked: Promise<T>): Promise<T> =>
  asked.catch((error: Error) => {
    throw toNodeRefusal(error)
  })
