import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isFinal, parseStatus } from '../../src/contract/statuses.ts'
import { launchBinary, launchScript } from '../support/commands/binary.ts'
import type { Launched } from '../support/commands/launched.ts'
import { awaitSandbox, type LaunchedSandbox } from '../support/commands/running-sandbox.ts'
import { Acknowledged } from '../support/load/acknowledged.ts'
import { addFigures, type Findings, printFigures } from '../support/load/figures.ts'
import { isUnknown, startLoad } from '../support/load/mixed-load.ts'
import { fromEnvironment, Random, seedFromEnvironment } from '../support/load/random.ts'
import { times } from '../support/runner/counts.ts'
import { type Ask, askOver } from '../support/service/ask.ts'
import { signingSecret } from '../support/service/service.ts'
import { storedOver } from '../support/store/stored.ts'
import { openTally, type Tally, tallied, untilSent } from '../support/webhooks/tally.ts'
import { type OpenStore, type SandboxStorage, storesFromEnvironment } from './sandbox-storage.ts'

/** What a sandbox is at when it is killed. */
const phases = ['load', 'start', 'compaction', 'stop', 'reset'] as const
type Phase = (typeof phases)[number]

interface KillOptions {
  readonly rounds: number
  /** Sandboxes side by side. */
  readonly lanes: number
  readonly seed: number
  /** Makes the place where a sandbox keeps everything. */
  readonly makeStorage: () => SandboxStorage
  /** Folder for a copy of what a sandbox kept that failed. */
  readonly keep?: string | undefined
}

/** Rounds at one place at most, before another one is begun. */
const roundsPerStorage = 10

/** Kills sandboxes at random in every phase, starts them again, and holds what is there against what was said. */
async function killMany({ rounds, lanes, seed, makeStorage, keep }: KillOptions): Promise<Findings> {
  const random = new Random(seed)
  const [figures, problems] = [{} as Record<string, number>, [] as string[]]
  let left = rounds
  const lane = async (own: Random) => {
    const refusals = own.fork()
    const webhooks = await openTally(signingSecret, { refuses: () => refusals.happens(0.1) })
    const forwards = await openTally(signingSecret)
    while (left > 0) {
      const count = Math.min(roundsPerStorage, Math.ceil(rounds / lanes), left)
      left -= count
      const life = new Life(makeStorage(), own.fork(), webhooks, own.happens(0.4) ? forwards : null)
      problems.push(...(await life.live(count, keep)))
      addFigures(figures, life.figures)
    }
    addFigures(figures, { POSTs: webhooks.posts() + forwards.posts() })
    problems.push(...webhooks.problems, ...forwards.problems)
  }
  await Promise.all(Array.from({ length: lanes }, () => lane(random.fork())))
  return { figures, problems }
}

/** One place, from the first start to a clean stop, with kills in between. */
class Life {
  readonly figures: Record<string, number> = {}
  readonly #acknowledged = new Acknowledged()
  readonly #phases: Phase[] = []
  readonly #story: string[] = []
  /** The process that was started last. */
  #last: Launched | undefined

  constructor(
    readonly storage: SandboxStorage,
    readonly random: Random,
    readonly webhooks: Tally,
    readonly forwards: Tally | null,
  ) {}

  /** Resolves to the promises that were broken. */
  async live(rounds: number, keep: string | undefined): Promise<string[]> {
    try {
      for (let round = 0; round < rounds; round++) await this.#round(this.#nextPhase())
      await this.#end()
      return []
    } catch (error) {
      if (keep !== undefined) await this.storage.copyTo(join(keep, String(this.random.seed)))
      return [`seed ${this.random.seed}, ${this.#story.join(', ')}: ${(error as Error).message}`]
    } finally {
      await this.#last?.stop('SIGKILL')
      addFigures(this.figures, { 'operations acknowledged': this.#acknowledged.operations })
      await this.storage.remove()
    }
  }

  /** Each phase comes as often as the others, in an order of its own. */
  #nextPhase(): Phase {
    if (this.#phases.length === 0) this.#phases.push(...phases)
    const [phase] = this.#phases.splice(this.random.whole(this.#phases.length), 1)
    return phase as Phase
  }

  async #round(phase: Phase): Promise<void> {
    const kind = `${phase}${this.forwards ? ' with --forward-to' : ''}`
    this.#story.push(kind)
    addFigures(this.figures, { kills: 1, [kind]: 1 })
    if (phase === 'start') return this.#killAtStart()
    const sandbox = await this.#start(phase === 'compaction')
    const agent = new Agent({ keepAlive: true, maxSockets: 8 })
    try {
      const ask = askOver(sandbox, agent)
      await this.#check(ask)
      await this.#disturb(sandbox, ask, phase)
      expectQuiet(await sandbox.ended())
    } finally {
      agent.destroy()
    }
  }

  /** At any time of a start; most of them have nobody to wait for first. */
  async #killAtStart(): Promise<void> {
    const launched = this.#launch(this.random.happens(0.5))
    await sleep(this.random.whole(this.storage.startTime))
    expectQuiet(await launched.stop('SIGKILL'))
  }

  /** The real binary, or, for events that are folded all the time, the script. */
  #launch(folds: boolean): Launched {
    const { cwd, flags, options } = this.storage
    const forwardTo = this.forwards?.url
    const forward = forwardTo === undefined ? [] : ['--forward-to', forwardTo]
    const args = ['--port', '0', '--json', '--retries', Array(400).fill('20ms').join(), ...flags, ...forward]
    if (folds) {
      const folding = { ...this.storage.foldingOptions(this.random), retries: Array(400).fill(20) }
      this.#last = launchScript({ ...options, ...folding, ...(forwardTo && { forwardTo }) }, cwd)
    } else this.#last = launchBinary(['sandbox', 'start', ...args], { cwd })
    return this.#last
  }

  #start(folds: boolean): Promise<LaunchedSandbox> {
    return awaitSandbox(this.#launch(folds))
  }

  async #check(ask: Ask): Promise<void> {
    const { problems, looked, unansweredStored } = await this.#acknowledged.check(storedOver(ask))
    addFigures(this.figures, { 'looked for': looked, 'unanswered but stored': unansweredStored })
    if (problems.length > 0) throw new Error(problems.slice(0, 10).join('; '))
  }

  async #disturb(sandbox: LaunchedSandbox, ask: Ask, phase: Phase): Promise<void> {
    const load = this.#load(ask)
    await sleep(this.random.between(20, this.storage.longestLoad))
    if (phase === 'stop') {
      sandbox.stop('SIGTERM')
      await sleep(this.random.whole(150))
    }
    if (phase === 'reset') {
      load.stop()
      await load.done
      await this.#reset(sandbox, ask)
    }
    await sandbox.stop('SIGKILL')
    await load.done
  }

  /** Kills it while the reset is on its way, or later, with other payments after the reset. */
  async #reset(sandbox: LaunchedSandbox, ask: Ask): Promise<void> {
    this.#acknowledged.beginReset()
    const answered = ask('POST', '/_sandbox/reset').then((answer) => {
      if (answer?.code === '0') this.#acknowledged.reset()
      else if (answer !== null && !isUnknown(answer)) this.#acknowledged.refuseReset()
    })
    if (this.random.happens(0.6)) await sleep(this.random.whole(12))
    else {
      await answered
      const load = this.#load(ask)
      await sleep(this.random.between(10, 150))
      await sandbox.stop('SIGKILL')
      await load.done
    }
    await sandbox.stop('SIGKILL')
    await answered
  }

  #load(ask: Ask) {
    const notifyUrl = `${this.webhooks.url}/${this.random.seed}`
    const random = this.random.fork()
    const acknowledged = this.#acknowledged
    return startLoad({ ask, random, acknowledged, notifyUrl, connections: 6, most: 400 })
  }

  /** Everything that was told to anybody arrives; then a clean stop, and a start that finds all of it. */
  async #end(): Promise<void> {
    this.#story.push('end')
    const sandbox = await this.#start(false)
    const agent = new Agent({ keepAlive: true, maxSockets: 8 })
    const ask = askOver(sandbox, agent)
    await this.#check(ask)
    await this.#checkNotifications(ask)
    const ended = await sandbox.stop('SIGTERM')
    if (ended.code !== 0) throw new Error(`a clean stop ended with ${ended.code}: ${ended.stderr}`)
    const again = await this.#start(false)
    await this.#check(askOver(again, agent))
    await again.stop('SIGTERM')
    agent.destroy()
  }

  /** At least once: the result of every acknowledged payment that is over has arrived where it was to be told. */
  async #checkNotifications(ask: Ask): Promise<void> {
    const due = await this.#dueNotifications(ask)
    const waiting = await untilSent(ask, 60_000) // afterwards: a payment at a slow terminal may end at any time
    if (waiting > 0) throw new Error(`${waiting} webhooks wait`)
    await sleep(150) // what was counted as sent on is on its way
    const missing = due.filter(({ tally, key }) => !tally.came.has(key)).map(({ shown }) => shown)
    addFigures(this.figures, { 'notifications due': due.length })
    if (missing.length > 0)
      throw new Error(
        `${missing.length} of ${due.length} notifications never came: ${missing.slice(0, 5).join(', ')}`,
      )
  }

  /** The results of acknowledged payments that are over, each where it is to be told. */
  async #dueNotifications(ask: Ask) {
    const stored = storedOver(ask)
    const due: { readonly tally: Tally; readonly key: string; readonly shown: string }[] = []
    for (const { requestId, notifies } of this.#acknowledged.transactions.values()) {
      const story = await stored.story(requestId)
      if (story === undefined || !isFinal(parseStatus(story.record.transactionStatus) ?? 'INITIAL')) continue
      const needs = (tally: Tally, path: string) => {
        const key = tallied(path, story.record.transactionId, null)
        due.push({ tally, key, shown: `${requestId} at ${path}` })
      }
      if (notifies) needs(this.webhooks, `/hook/${this.random.seed}`)
      if (this.forwards) needs(this.forwards, '/hook')
    }
    return due
  }
}

/** A stack or talk of damage on standard error is a mistake, whatever the state is. */
function expectQuiet({ stderr }: { readonly stderr: string }): void {
  if (/\n\s+at |damaged|bug in tillbox/.test(stderr)) throw new Error(`standard error says: ${stderr}`)
}

// TILLBOX_STORES  files, postgres, or files,postgres, one after the other
// TILLBOX_ROUNDS  kills over each of them
// TILLBOX_LANES   sandboxes side by side; 2
// TILLBOX_SEED    the seed of a run before; the moments of the kills are those of this machine all the same
// TILLBOX_KEEP    folder for a copy of what failed: the state folder, or the schema as SQL

describe.each(storesFromEnvironment())('a sandbox over $name', ({ name, isSkipped, lanes, open }) => {
  let store: OpenStore
  beforeAll(async () => {
    if (!isSkipped) store = await open()
  })
  afterAll(() => store?.close())

  test.skipIf(isSkipped)(
    'after kill -9 under load, at the start, in compaction, stop and reset everything acknowledged is there and every notification arrives',
    async () => {
      const rounds = fromEnvironment('TILLBOX_ROUNDS', times(6, 1_000))
      let acknowledged = 0
      for (let run = 0; run < 5 && acknowledged <= 15; run++) {
        // A busy machine does less in the time that is left to it, and is given more.
        const seed = seedFromEnvironment() + run
        const { figures, problems } = await killMany({
          rounds,
          lanes: fromEnvironment('TILLBOX_LANES', lanes),
          seed,
          makeStorage: store.makeStorage,
          keep: process.env.TILLBOX_KEEP,
        })
        printFigures(`kill -9 over ${name}`, { ...figures, problems: problems.length, seed })
        expect(problems.join('\n'), `TILLBOX_SEED=${seed}`).toBe('')
        expect(figures.kills).toBe(rounds)
        acknowledged += figures['operations acknowledged'] ?? 0
      }
      expect(acknowledged).toBeGreaterThan(15)
    },
  )
})
