import type { OperationName } from '../../contract/operations.ts'
import { once } from '../../shared/once.ts'
import { makeCaller } from '../helpers/caller.ts'
import { operateWith } from '../helpers/service-client.ts'
import type { TestSandbox } from '../helpers/test-sandbox.ts'
import type { Scenario } from '../scenario/file/read-scenario.ts'
import { MerchantServer, type ServerAnswer, ServerProblem } from '../scenario/merchant/merchant-server.ts'
import { listOrders, untoldMembers } from '../scenario/merchant/orders.ts'
import type { OrderMember } from '../scenario/merchant/server-schema.ts'
import { earlierOrders } from '../scenario/merchant/settle.ts'
import { runScenario, type ScenarioResult } from '../scenario/run.ts'
import { createObserver, type Observed } from './observe.ts'

/** A scenario with a server. */
export type Drive = Scenario & { readonly server: NonNullable<Scenario['server']> }

/** How a try ended. */
export interface Try {
  readonly result: ScenarioResult
  /** Empty where it was not watched. */
  readonly observed: readonly Observed[]
  /** Requests of the drive that the merchant's server refused, in words. */
  readonly refused: readonly string[]
  /** Operations that the merchant's server asked for, each with how often. */
  readonly operations: ReadonlyMap<OperationName, number>
}

/** A try on a server that ran nothing before, of which each step is observed. */
export interface Watched {
  /** Nothing goes wrong; how long the server may go on after each step. Milliseconds. */
  readonly kindPause?: number
}

/** A sandbox with a server of the merchant, which prepares for its next try while another lane runs one. */
export class Lane {
  /** Undefined where it did not start: the try starts it, and tells why it does not. */
  #server: MerchantServer | undefined
  /** Ids of the orders that the server lists before any try. */
  #seeded: ReadonlySet<string> | undefined
  /** The server ran a try before, and has forgotten its orders since. */
  #isReused = false
  /** What the last try left is not forgotten by a reset alone. */
  #isSpoilt = false
  /** Settles when all that was asked for is done. */
  #ready: Promise<unknown>
  readonly #closed = new AbortController()

  /** `drive`: has the server. */
  constructor(
    readonly sandbox: TestSandbox,
    private readonly drive: Drive,
  ) {
    this.#ready = this.#next(this.#startAnew())
  }

  /** Runs a drive; what it leaves stays until `clear`. */
  run(drive: Drive, watched?: Watched): Promise<Try> {
    return this.#next(this.#ready.then(() => this.#run(drive, watched)))
  }

  /** Empties the sandbox, and makes the server forget its orders, or starts it anew. */
  clear(): void {
    this.#next(
      this.#ready.then(() => {
        if (!this.#closed.signal.aborted) return this.#isSpoilt ? this.#startAnew() : this.#forget()
      }),
    )
  }

  /** Ids of the orders that the server has; undefined where it does not run, or does not tell. */
  async orders(): Promise<ReadonlySet<string> | undefined> {
    await this.#ready
    return this.#listed()
  }

  /** Members of `orders` that no order has that the server lists now. Errors: ServerProblem. */
  async untold(): Promise<ReadonlyMap<OrderMember, string>> {
    await this.#ready
    const { orders } = this.drive.server
    if (this.#server === undefined || orders === undefined) return new Map()
    return untoldMembers(await listOrders(this.#server, orders), orders)
  }

  readonly close = once(async (): Promise<void> => {
    this.#closed.abort()
    await this.#ready.catch(() => undefined) // whoever runs the next try would be told
    await this.#server?.close()
    await this.sandbox.close()
  })

  async #run(drive: Drive, watched: Watched | undefined): Promise<Try> {
    if (watched && this.#isReused) await this.#startAnew()
    this.#closed.signal.throwIfAborted() // it was closed meanwhile
    const { url: baseUrl, apiKey, client, env } = this.sandbox
    const call = makeCaller({ baseUrl, apiKey })
    const observe = watched && (await createObserver(call))
    const observed: Observed[] = []
    const refused: string[] = []
    const pauseMs = watched?.kindPause
    let refusedWith: number | undefined
    const service = { operate: operateWith(client), call, env }
    const result = await runScenario(drive, drive.cases?.[0], service, {
      server: this.#server,
      pauseMs,
      isKind:
        pauseMs !== undefined &&
        ![...drive.setup, ...drive.steps].some(({ action }) => unkind.includes(action)),
      done: ({ step, answer, isExpected }) => {
        const { httpStatus = 0 } = answer as Partial<ServerAnswer>
        refusedWith = httpStatus >= 400 ? httpStatus : undefined
        if (refusedWith !== undefined && !isExpected) refused.push(`${step} is answered with ${refusedWith}`)
      },
      stepped:
        observe &&
        (async (step) => {
          observed.push({ ...(await observe(step)), refusedWith })
          refusedWith = undefined
        }),
    })
    const crashes = drive.steps.some(({ action }) => action === 'server crash')
    this.#isSpoilt = result.failure !== undefined || crashes
    const { requests } = await call('requests', {})
    const operations = new Map<OperationName, number>()
    for (const { operation } of requests as readonly { readonly operation: OperationName | null }[])
      if (operation !== null) operations.set(operation, (operations.get(operation) ?? 0) + 1)
    return { result, observed, refused, operations }
  }

  /** Work that follows what was asked for before. An error is told to whoever waits for it. */
  #next<T>(work: Promise<T>): Promise<T> {
    work.catch(() => undefined)
    this.#ready = work
    return work
  }

  async #listed(): Promise<ReadonlySet<string> | undefined> {
    return this.#server && (await unlessServerProblem(earlierOrders(this.#server)))
  }

  /** The server forgets its orders, where it can: one that lists others than a new one did not. */
  async #forget(): Promise<void> {
    const isDone = (await this.#server?.forget()) ?? false
    this.#isReused = isDone && isSame(await this.#listed(), this.#seeded)
    if (!this.#isReused) return this.#startAnew()
    await this.sandbox.reset({ everything: true })
  }

  async #startAnew(): Promise<void> {
    this.#isReused = false
    await this.#server?.close()
    await this.sandbox.reset({ everything: true })
    const { server, file } = this.drive
    const { signal } = this.#closed
    this.#server = await unlessServerProblem(MerchantServer.open(server, this.sandbox.env, file, signal))
    if (server.reset !== undefined) this.#seeded = await this.#listed()
  }
}

const isSame = (some: ReadonlySet<string> | undefined, others: ReadonlySet<string> | undefined): boolean =>
  some !== undefined && some.size === others?.size && [...some].every((each) => others.has(each))

/** Steps after which others may be impossible. */
const unkind = ['fault', 'server crash']

/** What resolves, or undefined where the merchant's server does not run, or does not tell. */
const unlessServerProblem = <T>(asked: Promise<T>): Promise<T | undefined> =>
  asked.catch((error) => {
    if (error instanceof ServerProblem) return undefined
    throw error
  })
