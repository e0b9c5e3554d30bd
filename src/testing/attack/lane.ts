import { makeCaller } from '../helpers/caller.ts'
import { operateWith } from '../helpers/service-client.ts'
import type { TestSandbox } from '../helpers/test-sandbox.ts'
import type { Scenario } from '../scenario/file/read-scenario.ts'
import { MerchantServer, ServerProblem } from '../scenario/merchant/merchant-server.ts'
import { runScenario, type ScenarioResult } from '../scenario/run.ts'
import { createObserver, type Observed } from './observe.ts'

/** A scenario with a server. */
export type Drive = Scenario & { readonly server: NonNullable<Scenario['server']> }

/** How a try ended. */
export interface Try {
  readonly result: ScenarioResult
  readonly observed: readonly Observed[]
}

/** A sandbox with a server of the merchant, which prepares for its next try while another lane runs one. */
export class Lane {
  /** Undefined where it did not start: the try starts it, and tells why it does not. */
  #server: MerchantServer | undefined
  /** The server ran a try before, and has forgotten its orders since. */
  #isReused = false
  #ready: Promise<void>
  readonly #closed = new AbortController()

  /** `drive`: has the server. */
  constructor(
    readonly sandbox: TestSandbox,
    private readonly drive: Drive,
  ) {
    this.#ready = this.#preparing(this.#startAnew())
  }

  /** Runs a drive in an empty sandbox. `isFresh`: on a server that ran nothing before. */
  async run(drive: Drive, isFresh: boolean): Promise<Try> {
    await this.#ready
    if (isFresh && this.#isReused) this.#ready = this.#preparing(this.#startAnew())
    await this.#ready
    this.#closed.signal.throwIfAborted() // it was closed meanwhile
    const { url: baseUrl, apiKey, client, env } = this.sandbox
    const call = makeCaller({ baseUrl, apiKey })
    const observe = await createObserver(call)
    const observed: Observed[] = []
    const service = { operate: operateWith(client), call, env }
    const result = await runScenario(drive, drive.cases?.[0], service, {
      server: this.#server,
      stepped: async (step) => {
        observed.push(await observe(step))
      },
    })
    const isSpoilt =
      isFresh || result.failure !== undefined || drive.steps.some(({ action }) => action === 'server crash')
    if (!this.#closed.signal.aborted)
      this.#ready = this.#preparing(isSpoilt ? this.#startAnew() : this.#forget())
    return { result, observed }
  }

  async close(): Promise<void> {
    this.#closed.abort()
    await this.#ready.catch(() => undefined) // whoever runs the next try would be told
    await this.#server?.close()
    await this.sandbox.close()
  }

  /** An error is told to whoever waits for it, and no earlier. */
  #preparing(work: Promise<void>): Promise<void> {
    work.catch(() => undefined)
    return work
  }

  /** The server forgets its orders, where it can. */
  async #forget(): Promise<void> {
    this.#isReused = (await this.#server?.forget()) ?? false
    if (!this.#isReused) return this.#startAnew()
    await this.sandbox.reset({ everything: true })
  }

  async #startAnew(): Promise<void> {
    this.#isReused = false
    await this.#server?.close()
    await this.sandbox.reset({ everything: true })
    const { server, file } = this.drive
    const { signal } = this.#closed
    this.#server = await MerchantServer.open(server, this.sandbox.env, file, signal).catch((error) => {
      if (error instanceof ServerProblem) return undefined
      throw error
    })
  }
}
