import { setMaxListeners } from 'node:events'
import { reject } from '../../contract/errors.ts'
import type { Connection } from '../../contract/sandbox/answers.ts'
import { noSuchSpace } from '../../control/context/existing-space.ts'
import type { KnownSpace, OpenedSpace, Spaces } from '../../control/context/spaces.ts'
import { sendAgain } from '../../engine/gate.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { type LeaseKeeper, SpaceTaken } from '../../store/postgres/lease.ts'
import { clearInterval, elapsedTime, setInterval, sleep } from '../../timers.ts'
import { finishRequests, type OpenSpace, Space } from '../spaces/space.ts'
import { knownSpace, openedSpace } from '../spaces/space-views.ts'
import type { ClusterRegistry, ClusterSpace } from './cluster-registry.ts'
import { refusalOf } from './refusals.ts'

export interface ClusterHostOptions {
  readonly registry: ClusterRegistry
  readonly leases: LeaseKeeper
  /** API keys that the secret of a space makes. */
  readonly keysOf: (secret: string) => readonly string[]
  /** Asks the node at a URL how to connect to a space. Errors: an Error with what it says. */
  readonly askConnection: (url: string, space: string) => Promise<Connection>
  /** Opens a space in this node. Errors: SpaceTaken; as `openSandbox`. */
  readonly open: (space: ClusterSpace) => Promise<OpenSpace>
  /** The API keys of a space may be others now. */
  readonly keysChanged: () => void
  /** A space that nobody used for so long leaves memory. Milliseconds. assumption: spaces */
  readonly idleMs: number
  /** The clock of this machine. Milliseconds. */
  readonly machineClock: () => number
  readonly report: (message: string) => void
  /** The database answered a whole round. */
  readonly answered: () => void
}

/** How often a node looks which spaces are over, unused, or without a node. Milliseconds. */
const round = 1_000

/** Most spaces that a node takes on at once: others want some, too. */
const mostAtOnce = 20

/** So long a request waits for a node that serves its space: longer than the lease of one that died. Milliseconds. */
export const patience = 6_000

/** Between two tries to reach a space. Milliseconds. */
export const pause = 50

/** Another node that serves a space. */
export interface Elsewhere {
  readonly url: string
  /** Aborts what is under way there. */
  readonly over: AbortController
}

/** A space as this node sees it. */
export interface Slot {
  readonly name: string
  readonly space: Space
  elsewhere: Elsewhere | null
}

/**
 * The spaces of a database, for one of its nodes: it serves those that nobody serves yet, and sends the requests for all
 * others on to the node that does. assumption: shared-store
 */
export class ClusterHost implements Spaces {
  readonly #options: ClusterHostOptions
  readonly #slots = new Map<string, Slot>()
  #rounds: NodeJS.Timeout | undefined
  #isLooking = false
  /** Spaces with which rounds are doing something. */
  readonly #busy = new Set<string>()
  #isStopping = false

  constructor(options: ClusterHostOptions) {
    this.#options = options
  }

  /** From now on this node takes on what nobody serves. */
  begin(): void {
    this.#rounds = setInterval(() => void this.#look(), round).unref()
  }

  async list(): Promise<readonly KnownSpace[]> {
    const spaces = await this.#asked(() => this.#options.registry.all())
    return spaces.map((space) => {
      const sandbox = this.#slots.get(space.name)?.space.open?.sandbox ?? null
      return { ...knownSpace(space, sandbox), inMemory: space.ownerUrl !== null }
    })
  }

  /** A space begins at the node that the client asked: so they are spread as clients are. */
  async create(name: string, ttlMs: number | null, nodeUrl?: string): Promise<OpenedSpace> {
    const { registry, keysOf } = this.#options
    const isNew = await this.#asked(() => registry.add(name, ttlMs, keysOf))
    if (!isNew) await this.#refuseName(name)
    if (nodeUrl !== undefined) this.slotOf(name).elsewhere = otherNode(nodeUrl)
    try {
      return await this.open(name)
    } catch (error) {
      await this.#told(registry.remove(name)) // a space that could not be opened at all is none
      throw error
    }
  }

  async open(name: string): Promise<OpenedSpace> {
    const space = await this.#asked(() => this.#options.registry.find(name))
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
    const open = this.#slots.get(name)?.space.open
    if (open) await finishRequests([open.sandbox])
    try {
      await this.#asked(() => registry.remove(name))
    } catch (error) {
      if (open) open.sandbox.stopping = false // it goes on
      throw error
    }
    await this.#dropped(name)
    await this.#told(registry.erase(name)) // what is left, a round deletes
  }

  /** Another node has the space now, or it was removed: what is open here ends. */
  lose(name: string): void {
    void this.#dropped(name)
  }

  /** Every sandbox that this node serves. */
  get sandboxes(): readonly Sandbox[] {
    return [...this.#slots.values()].flatMap(({ space }) => space.open?.sandbox ?? [])
  }

  /** Gives every space back: other nodes take on those in which something is left to do. */
  async close(): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#rounds)
    await Promise.all([...this.#slots.values()].map(({ space }) => this.#told(space.putToSleep())))
  }

  /** The space, while this node serves it and no other one can. */
  servedHere({ name, space: { open } }: Slot): OpenSpace | null {
    return open !== null && this.#options.leases.isHeld(name) ? open : null
  }

  /** Where a space is served: here, when nobody else does. `isFresh`: what was known before does not count. Errors: Refusal. */
  async placeOf(slot: Slot, isFresh = false): Promise<OpenSpace | Elsewhere> {
    const { leases } = this.#options
    for (const until = elapsedTime() + patience; ; await sleep(pause)) {
      const here = this.servedHere(slot)
      if (here !== null) return here
      const { open } = slot.space
      if (open === null && slot.elsewhere !== null && !isFresh) return slot.elsewhere
      if (open !== null) await this.#asked(() => leases.renew())
      else {
        const place = await this.#entered(slot)
        if (place !== undefined) return place
      }
      if (elapsedTime() >= until)
        reject('SBX_STORE_FAIL', {
          detail: `no node serves the space ${slot.name} at the moment`,
          remedy: sendAgain,
        })
    }
  }

  /** Asks again while the node that has the space does not answer: it may be dead, and its lease ends soon. Errors: Refusal. */
  async #openedAt(slot: Slot, space: ClusterSpace): Promise<OpenedSpace> {
    const { askConnection } = this.#options
    for (const until = elapsedTime() + patience; ; await sleep(pause)) {
      const place = await this.placeOf(slot)
      if ('sandbox' in place) return openedSpace(space, place.sandbox)
      try {
        const { apiKey, appId, merchantId, terminals } = await askConnection(place.url, slot.name)
        return { ...dated(space), apiKey, appId, merchantId, terminals: [...terminals] }
      } catch (error) {
        if (slot.elsewhere === place) slot.elsewhere = null
        if (elapsedTime() >= until) throw refusalOf(error as Error)
      }
    }
  }

  /** Errors: why there cannot be a new space of that name. */
  async #refuseName(name: string): Promise<never> {
    const space = await this.#asked(() => this.#options.registry.find(name))
    if (space !== undefined)
      return reject('SBX_SPACE_EXISTS', { field: 'name', detail: `there is a space ${name}` })
    return reject('SBX_STORE_FAIL', {
      detail: `the space ${name} was removed, and what was in it is still being deleted`,
      remedy: sendAgain,
    })
  }

  /** Opens a space here, unless another node has it. Undefined while that node cannot be reached. Errors: Refusal. */
  async #entered(slot: Slot): Promise<OpenSpace | Elsewhere | undefined> {
    if (this.#isStopping) reject('SBX_STORE_FAIL', { detail: 'this node stops', remedy: sendAgain })
    try {
      return await slot.space.enter()
    } catch (error) {
      if (!(error instanceof SpaceTaken)) throw refusalOf(error as Error)
      if (error.ownerUrl === null || error.ownerUrl === this.#options.leases.url) return undefined
      slot.elsewhere = otherNode(error.ownerUrl)
      return slot.elsewhere
    }
  }

  /** The space of that name, as this node sees it. */
  slotOf(name: string): Slot {
    const known = this.#slots.get(name)
    if (known !== undefined) return known
    const { registry, leases, open } = this.#options
    const start = async (): Promise<OpenSpace> => {
      const space = await registry.find(name)
      if (space !== undefined) return open(space)
      this.#slots.delete(name)
      this.#options.keysChanged()
      throw noSuchSpace(name, [])
    }
    const fallAsleep = (wakesAt: number | null) => leases.wakeAt(name, wakesAt)
    const slot: Slot = { name, space: new Space(start, fallAsleep), elsewhere: null }
    this.#slots.set(name, slot)
    return slot
  }

  /** Starts one round. While the database is away nothing happens: the next round looks again. */
  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      await this.#lookOnce()
      this.#options.answered()
    } catch (error) {
      this.#options.report(`the spaces of the database could not be looked at: ${(error as Error).message}`)
    } finally {
      this.#isLooking = false
    }
  }

  async #lookOnce(): Promise<void> {
    const { registry, machineClock, idleMs } = this.#options
    await registry.followClock(machineClock)
    for (const name of await registry.removeExpired()) this.#apart(name, () => this.#dropped(name))
    for (const name of await registry.removed()) this.#apart(name, () => registry.erase(name))
    await this.#leaveOldNodes()
    for (const name of await registry.wanted(Math.max(0, mostAtOnce - this.#busy.size)))
      this.#apart(name, () => this.#adopt(name))
    for (const { name, space } of this.#slots.values()) this.#apart(name, () => space.closeIfIdle(idleMs))
    this.#forgetUnused()
  }

  /** One thing after the other with one space; no other space, and no round, waits for it. */
  #apart(name: string, work: () => Promise<void>): void {
    if (this.#busy.has(name)) return
    this.#busy.add(name)
    void this.#told(work()).finally(() => this.#busy.delete(name))
  }

  /** What is under way at nodes that do not serve the space any more ends: it would hang there. */
  async #leaveOldNodes(): Promise<void> {
    const away = [...this.#slots.values()].filter(({ elsewhere }) => elsewhere !== null)
    if (away.length === 0) return
    const owners = await this.#options.registry.owners(away.map(({ name }) => name))
    for (const slot of away) {
      const { elsewhere } = slot
      if (elsewhere === null || owners.get(slot.name) === elsewhere.url) continue
      slot.elsewhere = null
      elsewhere.over.abort()
    }
  }

  /** Goes on with a space in which something is left to do, unless another node is faster. */
  async #adopt(name: string): Promise<void> {
    if (this.#isStopping) return
    const slot = this.slotOf(name)
    if (slot.space.open === null) await this.#entered(slot)
  }

  #forgetUnused(): void {
    for (const [name, { space, elsewhere }] of this.#slots)
      if (!space.isUsed && space.isClosed && elsewhere === null) this.#slots.delete(name)
  }

  /** Ends what is open of a space. */
  async #dropped(name: string): Promise<void> {
    const slot = this.#slots.get(name)
    if (slot === undefined) return
    slot.elsewhere?.over.abort()
    slot.elsewhere = null
    for (const stream of slot.space.open?.sandbox.streams ?? []) stream.abort() // its reader comes back, to the other node
    await this.#told(slot.space.close())
  }

  /** Errors: SBX_STORE_FAIL for what the database or a node says. */
  async #asked<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask()
    } catch (error) {
      throw refusalOf(error as Error)
    }
  }

  async #told(done: Promise<void>): Promise<void> {
    await done.catch((error: Error) => this.#options.report(error.message))
  }
}

function otherNode(url: string): Elsewhere {
  const over = new AbortController()
  setMaxListeners(0, over.signal) // as many as there are requests at once
  return { url, over }
}

const dated = ({ name, createdAt, expiresAt }: ClusterSpace) => ({ name, createdAt, expiresAt })
