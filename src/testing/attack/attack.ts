import { Unreachable } from '../../client/http.ts'
import type { SituationName } from '../../contract/exam/catalogue.ts'
import type { Law } from '../../contract/exam/situation.ts'
import { elapsedTime, untilAborted } from '../../shared/timers.ts'
import type { Step } from '../scenario/file/read-scenario.ts'
import { uncheckedLaws, type Violation } from '../scenario/merchant/laws.ts'
import { ServerProblem } from '../scenario/merchant/merchant-server.ts'
import type { OrderMember } from '../scenario/merchant/server-schema.ts'
import { failureText } from '../scenario/run.ts'
import type { StartSandbox } from '../scenario/suite.ts'
import { askedFor } from './asked-for.ts'
import { type Drive, Lane, type Try, type Watched } from './lane.ts'
import { type Move, movedBy, movesFor, movesInRecovery } from './moves.ts'
import type { Observed } from './observe.ts'
import { othersLike, schedules } from './schedule.ts'
import { shortest } from './shortest.ts'

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
  /** Called with what the user should know of the drive, a sentence without its full stop. */
  readonly noted: (text: string) => void
}

/** What an attack found. */
export interface AttackResult {
  readonly tries: number
  /** Situations that fit the drive, in the order of the catalogue, each with how often it was tried. */
  readonly situations: readonly TriedSituation[]
  /** Laws about what the merchant does not tell. */
  readonly unchecked: readonly Law[]
  /** True where `signal` ended it before its time. */
  readonly isStopped: boolean
  readonly found: Found | undefined
}

/** A situation that fits the drive. */
interface TriedSituation {
  readonly name: SituationName
  /** Tries in which it was brought about, alone or with others. */
  readonly tries: number
}

/** The shortest way to break a law. */
export interface Found {
  readonly moves: readonly Move[]
  /** The steps of the drive that are needed, which the moves count. */
  readonly steps: readonly Step[]
  /** The steps with the moves, as a scenario has them. */
  readonly scenario: Drive
  /** Empty where the merchant's server does not answer any more. */
  readonly violations: readonly Violation[]
  /** What is wrong, a line for each law. */
  readonly message: string
  /** Empty where the attack was stopped before it was run again. */
  readonly observed: readonly Observed[]
  /** How often the scenario failed of so many runs; of none, where the attack was stopped before. */
  readonly failed: number
  readonly runs: number
}

/** The drive itself fails, while the world is kind. */
export class DriveFailed extends Error {
  override readonly name = 'DriveFailed'
}

/**
 * How long the server may go on after each step while nothing goes wrong: what it asks for is learned then.
 * Milliseconds.
 */
const kindPause = 300

/** Each try needs a server without the orders of the one before. */
const knownFromBefore =
  'its steps lead to other payments the second time, because the server has the orders of the first time. ' +
  'Give it a reset, keep its orders in TILLBOX_RUN_FOLDER, or take new keys each time'

/** Tries side by side: most of the time of one is a wait. */
const mostLanes = 4

/** Moves after which each further operation of a recovery is disturbed. */
const mostRecoveries = 2

/** How often what was found is run again: what fails each time fails in the written scenario, too. */
const confirmations = 10

/** After so many runs, one that passed ends the confirmation: the moment decides, too. */
const fewestConfirmations = 4

/**
 * Runs a drive with one move each, and then with several, until a law is broken; then takes away every move
 * without which the law is broken, too. What is broken each time it is run again ends the attack; what is
 * broken sometimes is kept, and found where nothing else is. `signal` stops it in the middle of a try, which
 * goes on until its requests fail: who aborts ends the process, and the merchant's server with it.
 */
export async function attack(drive: Drive, options: AttackOptions): Promise<AttackResult> {
  const { start: startSandbox, port } = options
  const lanes: Promise<Lane>[] = []
  const open = () => {
    const sandbox = startSandbox({ retries: 'fast', ...drive.sandbox, ...(port > 0 && { port }) })
    const lane = sandbox.then((started) => new Lane(started, drive))
    lanes.push(lane)
    return lane
  }
  try {
    return await new Attack(drive, await open(), open, options).run()
  } finally {
    const opened = await Promise.allSettled(lanes)
    await Promise.all(opened.map((each) => each.status === 'fulfilled' && each.value.close()))
  }
}

class Attack {
  /** Tries that ended, and those that began: they end in their order. */
  #tries = 0
  #begun = 0
  readonly #lanes: Lane[]
  /** What was broken sometimes, and what is being run again. */
  #sometimes: Found | undefined
  #unconfirmed: Found | undefined
  /** How often each situation that fits was tried. */
  readonly #tried = new Map<SituationName, number>()
  /** Members of `orders` that no order has. */
  #untold: ReadonlyMap<OrderMember, string> = new Map()
  #drive: Drive
  /** What the user says of the server. */
  readonly #given: Drive['server']
  #end: number
  readonly #lastEnd: number

  constructor(
    drive: Drive,
    lane: Lane,
    private readonly openLane: () => Promise<Lane>,
    private readonly options: AttackOptions,
  ) {
    this.#drive = drive
    this.#given = drive.server
    this.#lanes = [lane]
    this.#end = elapsedTime() + options.time
    this.#lastEnd = this.#end + options.time
  }

  /** Looks until something is found, the time is over, or the signal aborts. */
  run(): Promise<AttackResult> {
    return Promise.race([
      this.#look().then((found) => this.#attackResult(found)),
      untilAborted(this.options.signal).then(() => this.#attackResult(this.#sometimes ?? this.#unconfirmed)),
    ])
  }

  #attackResult(found: Found | undefined): AttackResult {
    const situations = [...this.#tried].map(([name, tries]) => ({ name, tries }))
    const unchecked = uncheckedLaws(this.#drive.server, this.#untold)
    return { tries: this.#tries, situations, unchecked, isStopped: this.options.signal.aborted, found }
  }

  get #isOver(): boolean {
    return elapsedTime() > this.#end
  }

  async #look(): Promise<Found | undefined> {
    const kind = await this.#runKindly()
    this.#drive = this.#asking(this.#drive, kind.observed)
    const driven = kind.observed.filter(({ step }) => step.path[0] === 'steps') // not setup and teardown
    const all = movesFor(driven, this.#drive.server)
    for (const { situation } of all) this.#tried.set(situation, 0)
    const schedule = schedules(all, this.options.seed)
    /** Others that bring the same about at the same step: what broke a law once may break it each time so. */
    const soon: (readonly Move[])[] = []
    /** For when each move was tried alone. */
    const later: (readonly Move[])[] = []
    /** Operations that are asked for more often once something went wrong: after how many moves of a step. */
    const recoveries = new Map<string, number>()
    const next = (): readonly Move[] => {
      const planned = soon.shift() ?? schedule.next().value
      const [waiting] = later
      if (planned.length === 1 || waiting === undefined) return planned
      soon.unshift(planned)
      later.shift()
      return waiting
    }
    const underWay: { readonly moves: readonly Move[]; readonly trying: Promise<Try> }[] = []
    for (;;) {
      while (underWay.length < this.#lanes.length && !this.#isOver && this.#begun < this.options.tries) {
        const moves = next()
        underWay.push({ moves, trying: this.#begin(this.#drive, moves) })
      }
      const { moves, trying } = underWay.shift() ?? {}
      if (moves === undefined || trying === undefined) return this.#sometimes
      const tried = this.#ended(moves, await trying)
      const [only, ...others] = moves
      if (tried.result.failure === undefined) {
        if (only === undefined || others.length > 0) continue
        for (const [operation, times] of tried.operations) {
          const usual = kind.operations.get(operation) ?? 0
          const seen = `${operation}${usual === 0 ? '' : ` ${only.at}`}`
          const count = recoveries.get(seen) ?? 0
          if (times <= usual || count >= mostRecoveries) continue
          recoveries.set(seen, count + 1)
          const queue = usual === 0 ? soon : later // a client that polls asks more often by chance
          queue.push(...movesInRecovery(driven, this.#drive.server, only, operation))
        }
        continue
      }
      this.#unconfirmed = foundIn(this.#drive, moves, tried, 0, 0)
      const end = this.#end
      this.#end = this.#lastEnd // to shorten and to confirm it
      const found = await this.#shrunk(moves, tried)
      this.#end = end
      this.#unconfirmed = undefined
      if (found.failed === found.runs) return found
      if (found.failed === 0) continue // what never happens again is no finding
      this.#sometimes ??= found
      if (only !== undefined && others.length === 0) soon.push(...othersLike(only, all))
    }
  }

  /**
   * Runs the drive while nothing goes wrong, and opens more lanes: none where only one server of the merchant
   * can run, or where they share their orders, which tries side by side would mix up. Errors: DriveFailed.
   */
  async #runKindly(): Promise<Try> {
    const [lane] = this.#lanes as [Lane]
    const kind = await this.#tryKindly(lane)
    const payments = kind.observed.at(-1)?.payments ?? []
    const refused = [...kind.refused, ...refusalsIn(kind.observed)]
    if (payments.length === 0) throw new DriveFailed(['its steps lead to no payment', ...refused].join('\n'))
    for (const text of refused) this.options.noted(`Without faults, ${text}`)
    await this.#learnUntold(lane)
    // a server with an address of its own cannot run twice
    if (this.options.port === 0 && this.#drive.server.url === undefined) {
      const more = await Promise.all(Array.from({ length: mostLanes - 1 }, this.openLane))
      const others = await Promise.all(more.map((each) => each.orders()))
      const isListed = (orders: ReadonlySet<string> | undefined) =>
        payments.some(({ referenceOrderId }) => orders?.has(referenceOrderId ?? ''))
      const areOwn = others.every((each) => each !== undefined && !isListed(each))
      // a server that started may have emptied the place that all of them share
      const areApart = areOwn && isListed(await lane.orders())
      if (areApart) this.#lanes.push(...more)
      else await Promise.all(more.map((each) => each.close())) // it would go on in what they share
    }
    lane.clear()
    const last = this.#lanes.at(-1) as Lane // lanes may share what they know of keys
    const { observed } = await this.#tryKindly(last)
    if (observed.at(-1)?.payments.length !== payments.length) throw new DriveFailed(knownFromBefore)
    last.clear()
    return kind
  }

  async #tryKindly(lane: Lane): Promise<Try> {
    this.#countBegun([])
    const kind = this.#ended([], await lane.run(this.#drive, { kindPause }))
    const { failure } = kind.result
    if (failure === undefined) return kind
    const untold = await lane.untold().catch(() => new Map<OrderMember, string>()) // the failure says why
    const reasons = [failureText(failure), ...untoldIn(untold), ...kind.refused, ...refusalsIn(kind.observed)]
    throw new DriveFailed(reasons.join('\n'))
  }

  /** Errors: DriveFailed. */
  async #learnUntold(lane: Lane): Promise<void> {
    this.#untold = await lane.untold().catch((error) => {
      throw [ServerProblem, Unreachable].some((kind) => error instanceof kind)
        ? new DriveFailed(error.message)
        : error
    })
    for (const text of untoldIn(this.#untold)) this.options.noted(`Without faults, ${text}`)
  }

  /** Begins a try on the next lane. */
  #begin(drive: Drive, moves: readonly Move[], watched?: Watched): Promise<Try> {
    const lane = this.#lanes[this.#begun % this.#lanes.length] as Lane
    this.#countBegun(moves)
    const trying = lane.run(movedBy(drive, moves), watched)
    lane.clear()
    return trying
  }

  #countBegun(moves: readonly Move[]): void {
    this.#begun += 1
    this.options.begun(this.#begun, moves)
  }

  #ended(moves: readonly Move[], tried: Try): Try {
    this.#tries += 1
    for (const { situation } of moves) this.#tried.set(situation, (this.#tried.get(situation) ?? 0) + 1)
    return tried
  }

  /** A try as the written scenario will run it. */
  async #tryAgain(drive: Drive, moves: readonly Move[]): Promise<Try> {
    return this.#ended(moves, await this.#begin(drive, moves, {}))
  }

  /** A drive with what it asks for; undefined where it fails while nothing goes wrong, or pays nothing. */
  async #driveKindly(drive: Drive): Promise<Drive | undefined> {
    const { result, observed } = this.#ended([], await this.#begin(drive, [], { kindPause }))
    const pays = (observed.at(-1)?.payments ?? []).length > 0
    return result.failure === undefined && pays ? this.#asking(drive, observed) : undefined
  }

  /** A drive whose server section says what it asks for, unless the user did. */
  #asking = (drive: Drive, observed: readonly Observed[]): Drive => ({
    ...drive,
    server: { ...askedFor(observed), ...this.#given },
  })

  /** Takes away what is not needed, and runs what is left again, as long as there is time. */
  async #shrunk(allMoves: readonly Move[], first: Try): Promise<Found> {
    const broken = { drive: this.#drive, moves: allMoves, last: first }
    let { drive, moves, last } = await shortest(broken, {
      isOver: () => this.#isOver,
      again: (...fewer) => this.#tryAgain(...fewer),
      kindly: (fewer) => this.#driveKindly(fewer),
    })
    let [failed, runs] = [0, 0]
    // each lane runs it: most of the time of a try that breaks a law is a wait
    while (!this.#isOver && (runs < fewestConfirmations || (failed === runs && runs < confirmations))) {
      const side = this.#lanes.slice(0, confirmations - runs)
      const again = await Promise.all(side.map(() => this.#tryAgain(drive, moves)))
      const broken = again.filter(({ result }) => result.failure !== undefined)
      runs += again.length
      failed += broken.length
      last = broken.at(-1) ?? last
    }
    return foundIn(drive, moves, last, failed, runs)
  }
}

function foundIn(drive: Drive, moves: readonly Move[], tried: Try, failed: number, runs: number): Found {
  const { result, observed } = tried
  const { violations = [], failure } = result
  const message = failure?.message ?? ''
  return {
    moves,
    steps: drive.steps,
    scenario: movedBy(drive, moves),
    violations,
    message,
    observed,
    failed,
    runs,
  }
}

/** Members that no order has, in words; a price need not be told. */
const untoldIn = (untold: ReadonlyMap<OrderMember, string>): string[] =>
  [...untold]
    .filter(([member]) => member !== 'amount')
    .map(([member, path]) => `no order has ${path}, which orders.${member} names`)

/** Requests of the merchant's server that the service refused, in words, each once. */
const refusalsIn = (observed: readonly Observed[]): string[] => {
  const refused = observed.flatMap(({ requests }) => requests.filter(({ code }) => code !== '0'))
  return [
    ...new Set(refused.map(({ operation, code }) => `your server's ${operation} is refused with ${code}`)),
  ]
}
