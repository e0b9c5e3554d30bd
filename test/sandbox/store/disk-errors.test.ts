import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { operations } from '../../../src/contract/operations.ts'
import { type RunningSandbox, type ServerOptions, startSandbox } from '../../../src/server/server.ts'
import { Acknowledged } from '../../support/load/acknowledged.ts'
import { addFigures, type Findings, printFigures } from '../../support/load/figures.ts'
import { startLoad } from '../../support/load/mixed-load.ts'
import { fromEnvironment, Random, seedFromEnvironment } from '../../support/load/random.ts'
import { times } from '../../support/runner/counts.ts'
import { askIn } from '../../support/service/ask.ts'
import { newId } from '../../support/service/new-id.ts'
import { crashCopy, sale, temporaryFolder } from '../../support/service/service.ts'
import { disk, unwatched, useTestDisk } from '../../support/store/disk.ts'
import { storedIn } from '../../support/store/stored.ts'

/** Which call of a run fails, in which way, and whether all that follow do, too, until the disk works again. */
interface DiskFault {
  readonly call: number
  readonly code: 'ENOSPC' | 'EIO'
  readonly lasts: boolean
}

/** Takes note of what would have ended the process, in place of whoever else listens. */
async function withoutEnding<T>(act: (deaths: string[]) => Promise<T>): Promise<T> {
  const deaths: string[] = []
  const note = (error: unknown) => deaths.push(`the process would have ended: ${(error as Error).stack}`)
  const events = ['unhandledRejection', 'uncaughtException'] as const
  const others = events.map((event) => process.rawListeners(event) as ((error: unknown) => void)[])
  for (const event of events) process.removeAllListeners(event).on(event, note)
  try {
    return await act(deaths)
  } finally {
    for (const [index, event] of events.entries()) {
      process.removeAllListeners(event)
      for (const other of others[index] ?? []) process.on(event, other)
    }
  }
}

/**
 * Lets calls of a run on a state folder fail, once and for a while, and holds what is there against what was said. `most`:
 * operations of each part of a run; `runs`: at most, spread over all calls of one.
 */
async function failCalls(seed: number, most: number, runs: number, deaths: string[]): Promise<Findings> {
  const whole = new FaultyRun(null, new Random(seed), most)
  const problems = await whole.go()
  const figures: Record<string, number> = { 'calls of a run': whole.calls }
  const random = new Random(seed)
  for (const fault of random.spread(everyFault(whole.calls), runs)) {
    const run = new FaultyRun(fault, new Random(seed), most)
    const broken = [...(await run.go()), ...deaths.splice(0)]
    problems.push(...broken.map((problem) => `seed ${seed}, ${run.failure}: ${problem}`))
    addFigures(figures, {
      runs: 1,
      'calls that failed': run.failed,
      'operations acknowledged': run.operations,
      'opens that failed and wrote files again': run.rewritten,
    })
  }
  return { figures, problems }
}

/** One after the other by their ways, so that a few that are spread over the list have each way. */
const everyFault = (calls: number): DiskFault[] =>
  (['EIO', 'ENOSPC'] as const).flatMap((code) =>
    [true, false].flatMap((lasts) =>
      Array.from({ length: calls }, (_, before) => ({ call: before + 1, code, lasts })),
    ),
  )

/** Calls that a full disk lets pass. */
const needsNoSpace = new Set([
  'open to read',
  'read',
  'readdir',
  'stat',
  'access',
  'close',
  'unlink',
  'rmdir',
])

/** A run whose disk fails at one place. */
class FaultyRun {
  calls = 0
  failed = 0
  /** Opens that failed and wrote files again: one that fails late ends as a stop does. */
  rewritten = 0
  /** What failed first. */
  failure = 'no call failed'
  readonly #folder = temporaryFolder()
  readonly #acknowledged = new Acknowledged()
  readonly #problems: string[] = []
  #running: RunningSandbox | null = null
  #isOver = false

  constructor(
    readonly fault: DiskFault | null,
    readonly random: Random,
    readonly most: number,
  ) {}

  get operations(): number {
    return this.#acknowledged.operations
  }

  /** Resolves to the promises that were broken. */
  async go(): Promise<string[]> {
    disk.watcher = { folder: this.#folder, gate: (call, path) => this.#gate(call, path) }
    try {
      for (const part of [
        this.#open,
        this.#work,
        this.#reset,
        this.#work,
        this.#close,
        this.#open,
        this.#work,
        this.#close,
      ]) {
        await part.call(this)
        await this.#heal()
        if (this.#problems.length > 0) break
      }
      disk.watcher = null
      if (this.#problems.length === 0) await this.#checkCopy(this.#folder, 'at the end')
    } finally {
      disk.watcher = null
      await this.#running?.close().catch(() => undefined)
      rmSync(this.#folder, { recursive: true, force: true })
    }
    return this.#problems
  }

  #gate(call: string, path: string): void {
    this.calls += 1
    const { fault } = this
    if (fault === null || this.#isOver) return
    if (fault.code === 'ENOSPC' && needsNoSpace.has(call)) return
    if (fault.lasts ? this.calls < fault.call : this.calls !== fault.call) return
    if (this.failed === 0)
      this.failure = `call ${fault.call} ${fault.lasts ? 'and all that followed' : 'alone'}, ${call} of ${relative(this.#folder, path) || 'the folder'}, ${fault.code}`
    this.failed += 1
    throw Object.assign(new Error(`${fault.code}: the test disk fails, ${call} '${path}'`), {
      code: fault.code,
      path,
    })
  }

  get #isFailing(): boolean {
    return this.failed > 0 && !this.#isOver
  }

  #options(): ServerOptions {
    return { state: this.#folder, retries: [20, 20] }
  }

  /** An open that fails says what the disk said; the next one finds everything. */
  async #open(): Promise<void> {
    const before = unwatched(() => unlockedFiles(this.#folder))
    const running = await startSandbox(this.#options()).catch((error: Error) => error)
    if (!(running instanceof Error)) {
      this.#running = running
      return
    }
    if (!this.#isFailing) return void this.#problems.push(`does not open: ${running.message}`)
    if (!running.message.includes(this.fault?.code as string))
      this.#problems.push(`does not say why it does not open: ${running.message}`)
    if (
      wasRewritten(
        before,
        unwatched(() => unlockedFiles(this.#folder)),
      )
    )
      this.rewritten += 1
    this.#isOver = true
    await this.#open()
    await this.#checkLive()
  }

  async #work(): Promise<void> {
    if (this.#running === null) return
    const { random, most } = this
    const ask = askIn(this.#running.sandbox)
    const acknowledged = this.#acknowledged
    await startLoad({ ask, random: random.fork(), acknowledged, notifyUrl: null, connections: 4, most }).done
  }

  async #reset(): Promise<void> {
    if (this.#running === null) return
    this.#acknowledged.beginReset()
    const answer = await askIn(this.#running.sandbox)('POST', '/_sandbox/reset')
    if (answer?.code === '0') this.#acknowledged.reset()
    else if (answer?.code === 'SBX_STORE_FAIL') this.#acknowledged.refuseReset()
    else this.#problems.push(`the reset was answered ${answer?.status} ${answer?.code}`)
  }

  async #close(): Promise<void> {
    const running = this.#running
    this.#running = null
    await running?.close().catch((error: Error) => {
      if (!this.#isFailing) this.#problems.push(`does not stop: ${error.message}`)
    })
  }

  /** The disk works again: so does the sandbox, without a restart, and everything is as it was said. */
  async #heal(): Promise<void> {
    if (!this.#isFailing) return
    this.#isOver = true
    if (this.#running === null) return
    if (!(await this.#sells())) return
    await this.#checkLive()
    await this.#checkCopy(
      unwatched(() => crashCopy(this.#folder)),
      'after a crash now',
    )
  }

  async #checkLive(): Promise<void> {
    if (this.#running === null) return
    const { problems } = await this.#acknowledged.check(storedIn(this.#running.sandbox))
    this.#problems.push(...problems.slice(0, 5))
  }

  /** True when a sale is accepted within some seconds. */
  async #sells(): Promise<boolean> {
    if (this.#running === null) return false
    const ask = askIn(this.#running.sandbox)
    const end = Date.now() + 6_000
    for (;;) {
      const requestId = newId()
      this.#acknowledged.sent({
        requestId,
        type: 'SALE',
        amount: 100,
        originalId: null,
        online: false,
        notifies: false,
      })
      const answer = await ask('POST', operations.sale.path, sale(100, { transactionRequestId: requestId }))
      if (answer?.code === '0') {
        this.#acknowledged.accepted(requestId, answer.data.transactionId)
        return true
      }
      this.#acknowledged.refuse(requestId)
      if (Date.now() > end) {
        this.#problems.push(`does not work again: ${answer?.code} ${answer?.detail}`)
        return false
      }
      await sleep(100)
    }
  }

  async #checkCopy(folder: string, when: string): Promise<void> {
    const opened = await startSandbox({ ...this.#options(), state: folder }).catch((error: Error) => error)
    if (opened instanceof Error)
      return void this.#problems.push(`${when} it does not open: ${opened.message}`)
    const { problems } = await this.#acknowledged.copy().check(storedIn(opened.sandbox))
    this.#problems.push(...problems.slice(0, 5).map((problem) => `${when}: ${problem}`))
    await opened.close()
  }
}

const wasRewritten = (before: ReadonlyMap<string, Buffer>, after: ReadonlyMap<string, Buffer>): boolean =>
  [...before].some(([name, bytes]) => after.get(name)?.equals(bytes) !== true)

/** The files of a folder but for the lock. */
const unlockedFiles = (folder: string): Map<string, Buffer> =>
  new Map(
    readdirSync(folder)
      .filter((name) => !name.startsWith('lock') && statSync(join(folder, name)).isFile())
      .map((name) => [name, readFileSync(join(folder, name))]),
  )

// TILLBOX_OPERATIONS  operations of each of the three parts of a run
// TILLBOX_ERRORS      runs at most, each with an error at another call or of another kind
// TILLBOX_SEED        the seed of a run before

beforeEach(useTestDisk)

test('a disk error at a call loses nothing that was acknowledged, and is over when the disk works again', async () => {
  const seed = seedFromEnvironment()
  const most = fromEnvironment('TILLBOX_OPERATIONS', times(20, 40))
  const runs = fromEnvironment('TILLBOX_ERRORS', times(10, 3_000))
  const { figures, problems } = await withoutEnding((deaths) => failCalls(seed, most, runs, deaths))
  printFigures('disk errors', { ...figures, problems: problems.length, seed })
  expect(problems.join('\n'), `TILLBOX_SEED=${seed}`).toBe('')
  expect(figures['calls that failed']).toBeGreaterThan(2) // those with EIO early in the run always do
})
