import { formatAmount } from '../../contract/currencies.ts'
import { randomFrom } from '../../shared/seeded-random.ts'
import { elapsedTime, untilAborted } from '../../shared/timers.ts'
import { makeCaller } from '../helpers/caller.ts'
import { operateWith } from '../helpers/service-client.ts'
import type { TestSandbox } from '../helpers/test-sandbox.ts'
import type { Scenario, Step } from '../scenario/file/read-scenario.ts'
import { isGivenBack, orderedIn, type Violation } from '../scenario/merchant/laws.ts'
import { runScenario, type ScenarioResult } from '../scenario/run.ts'
import type { StartSandbox } from '../scenario/suite.ts'
import { type Move, movesFor, withMoves } from './moves.ts'
import { createObserver, type Observed } from './observe.ts'

/** A scenario with a server. */
export type Drive = Scenario & { readonly server: NonNullable<Scenario['server']> }

/** How long, and with which chance. */
export interface AttackOptions {
  readonly start: StartSandbox
  readonly seed: number
  /** Most tries. */
  readonly tries: number
  /** Milliseconds. */
  readonly time: number
  /** Port of the sandbox; 0: any. */
  readonly port: number
  readonly signal: AbortSignal
  /** Called before each try. */
  readonly begun: (tries: number, moves: readonly Move[]) => void
}

/** What an attack found. */
export interface AttackResult {
  readonly tries: number
  /** Of so many moves that fit the drive, so many were tried alone. */
  readonly situations: { readonly tried: number; readonly all: number }
  /** True where `signal` ended it before its time. */
  readonly isStopped: boolean
  readonly found: Found | undefined
}

/** The shortest way to break a law. */
export interface Found {
  readonly moves: readonly Move[]
  /** The steps with the moves, as a scenario has them. */
  readonly scenario: Drive
  /** Empty where the merchant's server does not answer any more. */
  readonly violations: readonly Violation[]
  /** What is wrong, a line for each law. */
  readonly message: string
  readonly observed: readonly Observed[]
  /** How often the scenario failed of so many runs; of none, where the attack was stopped before. */
  readonly failed: number
  readonly runs: number
}

/** The drive itself fails, while the world is kind. */
export class DriveFailed extends Error {
  override readonly name = 'DriveFailed'
}

const mostMoves = 4

/** Pairs that each move is tried in before any are mixed. */
const pairsOfMove = 3

/** How often what was found is run again: what fails each time fails in the written scenario, too. */
const confirmations = 10

/** After so many runs, one that passed ends the confirmation: the moment decides, too. */
const fewestConfirmations = 3

/**
 * Runs a drive with one move each, and then with several, until a law is broken; then takes away every move
 * without which the law is broken, too. What is broken each time it is run again ends the attack; what is
 * broken sometimes is kept, and found where nothing else is. `signal` stops it in the middle of a try, which
 * goes on until its requests fail: who aborts ends the process, and the merchant's server with it.
 */
export async function attack(drive: Drive, options: AttackOptions): Promise<AttackResult> {
  const sandbox = await options.start({
    retries: 'fast',
    ...drive.sandbox,
    ...(options.port > 0 && { port: options.port }),
  })
  try {
    return await new Attack(drive, sandbox, options).run()
  } finally {
    await sandbox.close()
  }
}

interface Try {
  readonly result: ScenarioResult
  readonly observed: readonly Observed[]
}

class Attack {
  #tries = 0
  /** What was broken sometimes, and what is being run again. */
  #sometimes: Found | undefined
  #unconfirmed: Found | undefined
  /** Moves that were tried alone, and how many there are. */
  readonly #alone = new Set<Move>()
  #moves = 0
  #drive: Drive

  constructor(
    drive: Drive,
    private readonly sandbox: TestSandbox,
    private readonly options: AttackOptions,
  ) {
    this.#drive = drive
  }

  /** Looks until something is found, the time is over, or the signal aborts. */
  run(): Promise<AttackResult> {
    return Promise.race([
      this.#look().then((found) => this.#attackResult(found)),
      untilAborted(this.options.signal).then(() => this.#attackResult(this.#sometimes ?? this.#unconfirmed)),
    ])
  }

  #attackResult(found: Found | undefined): AttackResult {
    const situations = { tried: this.#alone.size, all: this.#moves }
    return { tries: this.#tries, situations, isStopped: this.options.signal.aborted, found }
  }

  async #look(): Promise<Found | undefined> {
    const { seed, tries, time } = this.options
    const end = elapsedTime() + time
    const kind = await this.#try([])
    if (kind.result.failure !== undefined) throw new DriveFailed(kind.result.failure.message)
    this.#drive = { ...this.#drive, server: { ...(await this.#expected()), ...this.#drive.server } }
    const driven = kind.observed.filter(({ step }) => step.path[0] === 'steps') // not setup and teardown
    const all = movesFor(driven, this.#drive.server)
    this.#moves = all.length
    for (const moves of schedules(all, seed)) {
      if (this.#tries >= tries || elapsedTime() > end) break
      if (moves.length === 1) this.#alone.add(moves[0] as Move)
      const tried = await this.#try(moves)
      const { failure, violations = [] } = tried.result
      if (failure === undefined) continue
      const what = { moves, scenario: this.#with(moves), violations, message: failure.message }
      this.#unconfirmed = { ...what, observed: tried.observed, failed: 0, runs: 0 }
      const found = await this.#shrunk(moves, tried)
      this.#unconfirmed = undefined
      if (found.failed === found.runs) return found
      if (found.failed > 0) this.#sometimes ??= found // what never happens again is no finding
    }
    return this.#sometimes
  }

  async #try(moves: readonly Move[]): Promise<Try> {
    this.#tries += 1
    this.options.begun(this.#tries, moves)
    const { sandbox } = this
    await sandbox.reset({ everything: true })
    const { url: baseUrl, apiKey, client, env } = sandbox
    const call = makeCaller({ baseUrl, apiKey })
    const service = { operate: operateWith(client), call, env }
    const observe = createObserver(call)
    const observed: Observed[] = []
    const stepped = async (step: Step) => {
      observed.push(await observe(step))
    }
    const scenario = this.#with(moves)
    const result = await runScenario(scenario, scenario.cases?.[0], service, { stepped })
    return { result, observed }
  }

  #with(moves: readonly Move[]): Drive {
    return moves.length === 0 ? this.#drive : { ...this.#drive, steps: withMoves(this.#drive.steps, moves) }
  }

  /**
   * What the drive asks for: orders, and what is given back by refunds and voids of the kind run, in one
   * currency.
   */
  async #expected(): Promise<{ purchases?: number; refunds?: string }> {
    const opened = await this.sandbox.payments.list()
    const approved = opened.filter(({ status }) => status === 'SUCCESS')
    const purchases = orderedIn(opened)
    const asked = purchases === 0 ? {} : { purchases }
    const [currency, ...more] = [...new Set(approved.map((each) => each.currency))]
    if (currency === undefined || more.length > 0) return asked
    const back = approved.filter(isGivenBack)
    const total = back.reduce((sum, { amount }) => sum + amount, 0)
    return { ...asked, refunds: `${formatAmount(total, currency)} ${currency}` }
  }

  /** Takes moves away one by one, and runs what is left again. */
  async #shrunk(allMoves: readonly Move[], first: Try): Promise<Found> {
    let [moves, shortest] = [allMoves, first]
    for (const move of allMoves) {
      const fewer = moves.filter((each) => each !== move)
      if (fewer.length === 0) break
      const tried = await this.#try(fewer)
      if (tried.result.failure !== undefined) [moves, shortest] = [fewer, tried]
    }
    let [failed, runs, last] = [0, 0, shortest]
    while (runs < fewestConfirmations || (failed === runs && runs < confirmations)) {
      runs += 1
      const again = await this.#try(moves)
      if (again.result.failure === undefined) continue
      failed += 1
      last = again
    }
    const { result, observed } = last
    const { violations = [], failure } = result
    const message = failure?.message ?? ''
    return { moves, scenario: this.#with(moves), violations, message, observed, failed, runs }
  }
}

/**
 * First each move alone, in an order by chance; then pairs around one step, which touch the same payment,
 * three for each move; then ever more of two to `mostMoves` together.
 */
function* schedules(moves: readonly Move[], seed: number): Generator<readonly Move[]> {
  const next = randomFrom(seed)
  const pick = (count: number) => Math.floor(next() * count)
  const order = moves.map((move) => ({ move, at: next() })).sort((one, other) => one.at - other.at)
  for (const { move } of order) yield [move]
  if (moves.length < 2) return
  for (const { move } of order)
    for (let times = 0; times < pairsOfMove; times++) {
      const others = moves.filter((other) => other.at === move.at && other !== move)
      const other = others[pick(others.length)]
      if (other !== undefined) yield [move, other]
    }
  for (;;) {
    const count = Math.min(2 + pick(mostMoves - 1), moves.length)
    const chosen = new Set<Move>()
    while (chosen.size < count) chosen.add(moves[pick(moves.length)] as Move)
    yield [...chosen].sort((one, other) => one.at - other.at)
  }
}
