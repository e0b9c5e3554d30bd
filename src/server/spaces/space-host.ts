import type { RequestListener, ServerResponse } from 'node:http'
import { firstSpace } from '../../contract/control/spaces.ts'
import { Refusal, reject } from '../../contract/errors.ts'
import type { Catalogue } from '../../domain/fixtures.ts'
import type { Access } from '../../sandbox/access/access.ts'
import {
  type KnownSpace,
  noSuchSpace,
  type OpenedSpace,
  rejectTakenSpace,
  type Spaces,
} from '../../sandbox/control/control-context.ts'
import { refuseStore, storeRefusal } from '../../sandbox/engine/gate.ts'
import type { ReceivedRequest } from '../../sandbox/http/received-request.ts'
import { type SpaceRecord, SpaceRecords } from '../../sandbox/store/space-list.ts'
import { removeSpaceFolder } from '../../shared/files/state-ownership.ts'
import { clearInterval, nextTurn, setInterval } from '../../shared/timers.ts'
import { finishRequests } from '../listening.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { answerUnknownSpace, type UnknownSpaceParts } from '../sandbox/unknown-space.ts'
import { type OpenSpace, Space } from './space.ts'
import { firstRecord, knownSpace, openedSpace, parseSpacePath, SpaceKeys } from './space-views.ts'

export interface SpaceHostOptions {
  /** State folder of the server. */
  readonly state: string
  /** Checks that the state folder is still ours. Errors: LostState. */
  readonly confirm: () => void
  /** Keys of a space that is not in memory. Errors: DamagedFile; an Error of the file system. */
  readonly closedSpaceKeys: (record: SpaceRecord) => readonly string[]
  /** Opens a closed space of the host. */
  readonly open: (record: SpaceRecord, host: SpaceHost) => Promise<OpenSpace>
  /** Time without use after which a space leaves memory. Milliseconds. assumption: spaces */
  readonly idleMs: number
  /** The bound address as in a URL, and whether other machines can reach it. */
  readonly host: string
  readonly forOthers: boolean
  readonly wall: () => number
  readonly report: (message: string) => void
}

/** The first space, which the server opens and closes, and the address that the server listens on. */
interface FirstSpace extends Pick<OpenSpace, 'sandbox' | 'handle'> {
  readonly address: { readonly port: number; readonly url: string; readonly certificate?: string }
}

/** Interval at which the host finds spaces that expired, are idle or due. Milliseconds. */
const round = 1_000

/** The spaces of a server: opens them when they are used, and takes each request to its space. */
export class SpaceHost implements Spaces {
  readonly #records: SpaceRecords
  readonly #spaces = new Map<string, Space>()
  readonly keys = new SpaceKeys()
  #first: FirstSpace | null = null
  #rounds: NodeJS.Timeout | undefined
  #removals: Promise<void> = Promise.resolve()
  #isStopping = false

  /** Errors: DamagedFile, NewerFormat; an Error of the file system. */
  constructor(private readonly options: SpaceHostOptions) {
    this.#records = new SpaceRecords(options.state, options.confirm)
    for (const record of this.#records.all) {
      if (record.isRemoved) continue
      this.#add(record)
      this.keys.learn(record.name, options.closedSpaceKeys(record))
    }
  }

  /** Starts to accept requests, and continues the pending work of every space. */
  begin(first: FirstSpace): void {
    this.#first = first
    for (const { name, isRemoved } of this.#records.all)
      if (isRemoved) void this.#orReport(() => this.#finishRemoval(name), leftForStart(name))
    if (this.#spaces.size > 0) this.#arm()
    void this.#resume()
  }

  handle(incoming: ReceivedRequest, outgoing: ServerResponse): void {
    const first = this.#first as FirstSpace
    if (this.#spaces.size === 0 && incoming.url?.startsWith('/s/') !== true) {
      first.handle(incoming, outgoing)
      return
    }
    const spacePath = parseSpacePath(incoming)
    const name = spacePath?.name ?? this.keys.spaceNameFor(incoming, first.sandbox.directory)
    const space = this.#spaces.get(name)
    const isUnknown = name !== firstSpace && space === undefined
    if (spacePath !== undefined) incoming.url = spacePath.path
    if (isUnknown && this.access.isRequired) {
      void answerUnknownSpace(this.#unknownSpaceParts, name, incoming, outgoing)
      return
    }
    if (isUnknown) incoming.refusal ??= noSuchSpace(name, [])
    if (space === undefined) first.handle(incoming, outgoing)
    else void this.#handleIn(space, first.handle, incoming, outgoing)
  }

  async list(): Promise<readonly KnownSpace[]> {
    const first = this.#first as FirstSpace
    const others = this.#records.all
      .filter(({ name }) => this.#spaces.has(name))
      .map((record) => knownSpace(record, this.#spaces.get(record.name)?.open?.sandbox ?? null))
    return [knownSpace(firstRecord, first.sandbox), ...others]
  }

  async create(name: string, ttlMs: number | null, madeBy: string | null): Promise<OpenedSpace> {
    const existing = this.#records.all.find((record) => record.name === name)
    if (existing?.isRemoved)
      reject('SBX_SPACE_EXISTS', {
        field: 'name',
        message: `The space ${name} is still being removed`,
        remedy: 'Choose another name, or try again in a second',
      })
    if (name === firstSpace || existing !== undefined) rejectTakenSpace(name)
    const now = this.options.wall()
    const record = this.#stored(() =>
      this.#records.add(name, now, ttlMs === null ? null : now + ttlMs, madeBy),
    )
    this.#add(record)
    this.#arm()
    try {
      return await this.open(name)
    } catch (error) {
      this.#withdraw(name)
      throw error
    }
  }

  async open(name: string): Promise<OpenedSpace> {
    const record = this.#records.all.find((each) => each.name === name)
    if (name === firstSpace) return openedSpace(firstRecord, (this.#first as FirstSpace).sandbox)
    const space = this.#spaces.get(name)
    if (record === undefined || space === undefined) throw noSuchSpace(name, [])
    const release = space.hold()
    try {
      return openedSpace(record, (await this.#entered(space)).sandbox)
    } finally {
      release()
    }
  }

  async remove(name: string): Promise<void> {
    if (!this.#spaces.has(name)) throw noSuchSpace(name, [])
    this.#stored(() => this.#records.markRemoved(name))
    await this.#finishRemoval(name)
  }

  /** Revokes the tokens of a removed space, as a new space may get its name, and discards it. */
  async #finishRemoval(name: string): Promise<void> {
    const { tokens } = this.access
    for (const { name: token, space } of await tokens.list()) if (space === name) await tokens.revoke(token)
    await this.#discard(name)
  }

  /**
   * The folder of a space is no longer ours: the space is closed, and the next request opens it again or gets
   * the reason.
   */
  lose(name: string, error: Error): void {
    this.options.report(`the space ${name}: ${error.message}`)
    const space = this.#spaces.get(name)
    if (space !== undefined) void this.#orReport(() => space.close())
  }

  /** The fixtures changed: open spaces take them over, and closed ones their keys. */
  async followFixtures(spaceCatalogue: (record: SpaceRecord) => Catalogue): Promise<void> {
    for (const record of this.#records.all) {
      const space = this.#spaces.get(record.name)
      const open = await space?.opened()
      if (open) await open.sandbox.follow(spaceCatalogue(record))
      else if (space !== undefined) this.keys.learn(record.name, this.options.closedSpaceKeys(record))
    }
  }

  /** Tokens and audit log of the server, stored with its first space. */
  get access(): Access {
    return (this.#first as FirstSpace).sandbox.access
  }

  get address(): FirstSpace['address'] {
    return (this.#first as FirstSpace).address
  }

  get #unknownSpaceParts(): UnknownSpaceParts {
    const { access, options, identifiers } = (this.#first as FirstSpace).sandbox
    const { host, forOthers } = this.options
    return { access, host, forOthers, newTraceId: identifiers.traceId, options }
  }

  /** Every sandbox in memory, including the first. */
  get sandboxes(): readonly Sandbox[] {
    const open = [...this.#spaces.values()].flatMap((space) => space.open ?? [])
    return [...(this.#first === null ? [] : [this.#first]), ...open].map(({ sandbox }) => sandbox)
  }

  /** Closes every space except the first. */
  async close(): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#rounds)
    await this.#removals
    await Promise.all([...this.#spaces.values()].map((space) => this.#orReport(() => space.close())))
  }

  #add(record: SpaceRecord): void {
    const { name } = record
    this.#spaces.set(name, new Space(() => this.options.open(record, this)))
  }

  /** Forgets a space that could not be opened. Its folder is kept: it may be somebody's. */
  #withdraw(name: string): void {
    this.#spaces.delete(name)
    this.keys.forget(name)
    void this.#orReport(() => this.#records.forget(name), `the space ${name} stays in the list: `)
  }

  async #handleIn(
    space: Space,
    refuse: RequestListener,
    incoming: ReceivedRequest,
    outgoing: ServerResponse,
  ): Promise<void> {
    outgoing.once('close', space.hold())
    try {
      const open = space.enter()
      const { handle } = open instanceof Promise ? await this.#entered(space) : open
      handle(incoming, outgoing)
    } catch (error) {
      incoming.refusal = error as Refusal
      refuse(incoming, outgoing)
    }
  }

  /** Errors: SBX_STORE_FAIL with the reason why it cannot be opened. */
  async #entered(space: Space): Promise<OpenSpace> {
    try {
      return await space.enter()
    } catch (error) {
      if (error instanceof Refusal) throw error
      const { detail, remedy } = storeRefusal(error as Error)
      return reject('SBX_STORE_FAIL', { field: 'space', detail, remedy, cause: error as Error })
    }
  }

  #stored<T>(write: () => T): T {
    try {
      return write()
    } catch (error) {
      return refuseStore(error as Error)
    }
  }

  /** Continues the pending work of the spaces, one after another: webhooks, expiries, late answers. */
  async #resume(): Promise<void> {
    for (const [name, space] of [...this.#spaces]) {
      await nextTurn() // lets other requests run
      if (this.#isStopping) return
      if (this.#spaces.get(name) === space) await this.#orReport(() => space.enter()) // it may have been removed meanwhile
    }
  }

  #arm(): void {
    this.#rounds ??= setInterval(() => this.#look(), round).unref()
  }

  #look(): void {
    const now = this.options.wall()
    for (const { name, expiresAt, isRemoved } of this.#records.all) {
      const space = this.#spaces.get(name)
      if (isRemoved || space === undefined) continue
      if (expiresAt !== null && Date.parse(expiresAt) <= now)
        void this.#orReport(() => this.remove(name), `the space ${name} is over and could not be removed: `)
      else if (space.isDue(now)) void this.#orReport(() => space.enter())
      else void this.#orReport(() => space.closeIfIdle(this.options.idleMs))
    }
  }

  /** Closes a space that is marked as removed, and deletes its folder. */
  #discard(name: string): Promise<void> {
    const space = this.#spaces.get(name)
    this.#spaces.delete(name)
    this.keys.forget(name)
    const removal = this.#removals.then(async () => {
      if (space?.open) await finishRequests([space.open.sandbox])
      if (space !== undefined) await this.#orReport(() => space.close())
      await this.#orReport(() => {
        const kept = removeSpaceFolder(this.options.state, name)
        this.#records.forget(name)
        if (kept !== undefined)
          this.options.report(
            `the space ${name} is removed; ${kept} stays, as no sandbox made all that is in it`,
          )
      }, leftForStart(name))
    })
    this.#removals = removal
    return removal
  }

  /** Does work that nobody waits for; a failure is reported, after `what`. */
  async #orReport(work: () => unknown, what = ''): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.options.report(`${what}${(error as Error).message}`)
    }
  }
}

const leftForStart = (name: string): string => `the space ${name} is removed with the next start: `
