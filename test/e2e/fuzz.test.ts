import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { StateDiff } from '../../src/contract/control/snapshot-answers.ts'
import { errorTable } from '../../src/contract/errors.ts'
import { launchScript } from '../support/commands/binary.ts'
import { awaitSandbox, type LaunchedSandbox } from '../support/commands/running-sandbox.ts'
import { addFigures, type Findings, printFigures } from '../support/load/figures.ts'
import { fromEnvironment, Random, seedFromEnvironment } from '../support/load/random.ts'
import { FuzzRequests, type WireRequest, wireBytes } from '../support/openapi/fuzz-requests.ts'
import { times } from '../support/runner/counts.ts'
import { AnswerReader, type ServiceAnswer } from './answer-reader.ts'
import { type OpenStore, type SandboxStorage, storesFromEnvironment } from './sandbox-storage.ts'

interface FuzzOptions {
  readonly requests: number
  /** Connections at the same time. */
  readonly lanes: number
  readonly seed: number
  /** Where the sandbox keeps everything. */
  readonly storage: SandboxStorage
}

/** Requests that go over one connection, one after the other, before any answer has come. */
const burst = 16
/** Milliseconds for which a spoilt request may leave its connection without a word. */
const patience = 400
/** Milliseconds after which an answer counts as lost: a machine that is busy with other work is slow, too. */
const tooLong = 120_000
/** After this number of requests the state is reset, or the pages would grow and the test would measure them. */
const forgetAfter = 20_000
/** After this number of requests the views of the request log are read: the log holds a thousand. */
const lookAfter = 2_000

/** Name of the snapshot that is saved before the restart. */
const beforeRestart = 'before-restart'

/** Sends odd requests of every kind to a sandbox of its own, and holds every answer against what was promised. */
async function fuzz(options: FuzzOptions): Promise<Findings> {
  const { storage } = options
  const start = () => awaitSandbox(launchScript(storage.options, storage.cwd))
  const run = new Fuzz(await start(), options)
  await run.go()
  await run.end(start)
  return { figures: run.figures, problems: run.problems }
}

class Fuzz {
  readonly figures: Record<string, number> = { requests: 0 }
  readonly problems: string[] = []
  readonly #random: Random
  readonly #make: FuzzRequests
  readonly #host: string
  readonly #kinds = new Map<string, number>()
  #sent = 0

  constructor(
    readonly sandbox: LaunchedSandbox,
    readonly options: FuzzOptions,
  ) {
    this.#random = new Random(options.seed)
    this.#make = new FuzzRequests(this.#random.fork())
    this.#host = `127.0.0.1:${sandbox.port}`
  }

  async go(): Promise<void> {
    const lane = async () => {
      while (this.#sent < this.options.requests && this.problems.length < 20) await this.#step()
    }
    await Promise.all([...Array.from({ length: this.options.lanes }, lane), this.#look()])
  }

  /** Afterwards it works as before, and a restart finds what was there. */
  async end(start: () => Promise<LaunchedSandbox>): Promise<void> {
    const { sandbox } = this
    const health = await sandbox.send('GET', '/_sandbox/health').catch((error: Error) => error)
    if (health instanceof Error) return void this.#wrong(`health: ${health.message}`)
    await this.#lookOnce()
    await sandbox.send('POST', '/_sandbox/clock', { body: { action: 'freeze' } })
    const before = await this.#count(sandbox)
    await sandbox.send('PUT', `/_sandbox/snapshots/${beforeRestart}`, { body: {} })
    const { code, stderr } = await sandbox.stop()
    if (code !== 0) this.#wrong(`it ended with ${code}`)
    if (stderr !== '') this.#wrong(`standard error says: ${stderr.slice(0, 2_000)}`)
    const again = await start()
    const after = await this.#count(again)
    if (after !== before) this.#wrong(`${before} transactions before the restart, ${after} after it`)
    await this.#compare(again)
    await again.stop()
    Object.assign(this.figures, { 'transactions at the end': before })
  }

  /** Everything is as it was, but for webhooks: those that were on their way may have arrived meanwhile. */
  async #compare(sandbox: LaunchedSandbox): Promise<void> {
    const { envelope } = await sandbox.send('GET', `/_sandbox/snapshots/${beforeRestart}/diff`)
    if (envelope.code !== '0') return this.#wrong(`the comparison was answered ${envelope.code}`)
    const { transactions, batches, terminals, settings } = envelope.data as StateDiff
    const differs = [...transactions, ...batches, ...terminals, ...settings]
    if (differs.length > 0)
      this.#wrong(`${differs.length} differences after the restart: ${JSON.stringify(differs.slice(0, 5))}`)
  }

  async #count(sandbox: LaunchedSandbox): Promise<number> {
    return (await sandbox.send('GET', '/_sandbox/state')).envelope.data.transactions
  }

  /** The same method, path and answer again are the same problem. */
  #wrong(what: string): void {
    const kind = what.replace(/[?{].*?(?=was answered|$)/s, '').replace(/[\da-f-]{9,}/g, '')
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1)
    if (this.#kinds.get(kind) === 1) this.problems.push(`seed ${this.options.seed}: ${what}`)
  }

  #note(kind: string, count: number): void {
    this.#sent += count
    addFigures(this.figures, { requests: count, [kind]: count })
  }

  async #step(): Promise<void> {
    const kind = this.#random.next()
    if (kind < 0.45) return this.#burst('operations', () => this.#make.operation())
    if (kind < 0.65) return this.#burst('control interface', () => this.#make.control())
    if (kind < 0.67) return this.#burst('pages', () => this.#make.page())
    if (kind < 0.72) return this.#drop()
    for (let count = 0; count < burst; count++) await this.#spoil()
  }

  /** Requests that are HTTP, so that each has an answer. */
  async #burst(kind: string, make: () => WireRequest): Promise<void> {
    const requests = Array.from({ length: burst }, make)
    this.#note(kind, burst)
    const bytes = Buffer.concat(requests.map((request) => wireBytes(request, this.#host)))
    const { answers, error } = await exchangeBytes(this.sandbox.port, bytes, burst, tooLong)
    for (const [index, answer] of answers.entries()) this.#check(answer, show(requests[index]))
    const last = requests[answers.length]
    if (error !== null) this.#wrong(`${error} after ${show(last)}`)
    else if (answers.length < burst && !mayClose(requests)) this.#wrong(`no answer to ${show(last)}`)
  }

  /** Bytes that are hardly HTTP any more: they may have no answer, but never a wrong one. */
  async #spoil(): Promise<void> {
    this.#note('spoilt', 1)
    const bytes = this.#make.mutated(this.#host)
    const { answers, error } = await exchangeBytes(this.sandbox.port, bytes, null, patience)
    if (/^(HEAD|CONNECT)/m.test(bytes.toString('latin1'))) return // answers without a body, or none at all
    if (error !== null && !/ECONNRESET|EPIPE/.test(error))
      this.#wrong(`${error} after ${JSON.stringify(bytes.toString('latin1'))}`)
    for (const answer of answers) this.#check(answer, JSON.stringify(bytes.toString('latin1')))
  }

  /** Streams that are left after a moment. */
  async #drop(): Promise<void> {
    for (let count = 0; count < burst / 2; count++) {
      this.#note('streams', 1)
      const socket = await openSocket(this.sandbox.port)
      if (socket === null) return this.#wrong('a stream could not be opened')
      socket.write(wireBytes(this.#make.stream(), this.#host))
      await sleep(this.#random.whole(40))
      socket.destroy()
    }
  }

  #check({ status, type, body }: ServiceAnswer, sent: string): void {
    const about = `${sent} was answered ${status} ${body.slice(0, 300)}`
    if (status >= 500) return this.#wrong(about)
    if (!type.startsWith('application/json') || body.startsWith('[')) return // a page, or an export
    const { code, traceId, data } = JSON.parse(body)
    addFigures(this.figures, { [code === '0' ? 'accepted' : 'refused']: 1 })
    if (code !== '0' && !Object.hasOwn(errorTable, code)) this.#wrong(about)
    if (typeof traceId !== 'string') this.#wrong(`without a traceId: ${about}`)
    const id = data?.transactionId ?? data?.sessionId
    const { ids } = this.#make
    if (typeof id === 'string' && /^[\w-]+$/.test(id))
      ids[ids.length < 500 ? ids.length : this.#random.whole(500)] = id
  }

  /** Looks at the request log and tidies up now and then, while the others go on. */
  async #look(): Promise<void> {
    let [looked, forgotten] = [0, 0]
    while (this.#sent < this.options.requests && this.problems.length < 20) {
      await sleep(20)
      if (this.#sent - looked >= lookAfter) {
        looked = this.#sent
        await this.#lookOnce()
      }
      if (this.#sent - forgotten >= forgetAfter) {
        forgotten = this.#sent
        const { envelope } = await this.sandbox.send('POST', '/_sandbox/reset', { body: {} })
        if (envelope.code !== '0') this.#wrong(`the reset was answered ${envelope.code} ${envelope.detail}`)
      }
    }
  }

  /** Every view of the request log, whatever was logged. */
  async #lookOnce(): Promise<void> {
    const see = async (path: string) => {
      const socket = wireBytes(
        { method: 'GET', target: path, headers: { Connection: 'close' }, body: '' },
        this.#host,
      )
      const { answers } = await exchangeBytes(this.sandbox.port, socket, 1, tooLong)
      const [answer] = answers
      if (answer?.status !== 200)
        this.#wrong(`${path} was answered ${answer?.status} ${answer?.body.slice(0, 200)}`)
      return answer
    }
    for (const path of ['/requests', '/coverage', '/_sandbox/coverage']) await see(path)
    const listed = await see('/_sandbox/requests?limit=1000')
    const { requests = [] } = JSON.parse(listed?.body ?? '{}').data ?? {}
    addFigures(this.figures, { 'views of the request log': 4 })
    for (let count = 0; count < 10 && requests.length > 0; count++) {
      const { traceId } = this.#random.pick(requests as { traceId: string }[])
      for (const view of ['', '/why']) {
        const { status, envelope } = await this.sandbox.send('GET', `/_sandbox/requests/${traceId}${view}`)
        if (status !== 200 && envelope.code !== 'SBX_REQ_NONE')
          this.#wrong(`${traceId}${view}: ${status} ${envelope.code}`)
      }
    }
  }
}

const show = (request: WireRequest | undefined): string =>
  request === undefined
    ? 'the last one'
    : `${request.method} ${request.target.slice(0, 300)} ${JSON.stringify(request.headers)} ${request.body.slice(0, 500)}`

/** Some headers end the connection, an invalid Host among them. */
const mayClose = (requests: readonly WireRequest[]): boolean =>
  requests.some(({ headers }) =>
    Object.keys(headers).some((name) => /^(connection|upgrade|expect|host)$/i.test(name)),
  )

function openSocket(port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.on('error', () => resolve(null))
  })
}

/** Sends bytes and takes answers: `wanted` of them, or until nothing comes for a while or the connection closes. */
async function exchangeBytes(
  port: number,
  bytes: Buffer,
  wanted: number | null,
  quiet: number,
): Promise<{ answers: ServiceAnswer[]; error: string | null }> {
  const socket = await openSocket(port)
  if (socket === null) return { answers: [], error: 'the connection was refused' }
  const [reader, answers] = [new AnswerReader(), [] as ServiceAnswer[]]
  return new Promise((resolve) => {
    const end = (error: string | null) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ answers, error })
    }
    const timer = setTimeout(() => end(wanted === null ? null : 'no answer came in time'), quiet)
    socket.on('data', (chunk) => {
      try {
        answers.push(...reader.take(chunk))
      } catch (error) {
        return end(wanted === null ? null : (error as Error).message)
      }
      if (wanted !== null && answers.length >= wanted) end(null)
    })
    socket.on('error', (error) => end(wanted === null ? null : error.message))
    socket.on('close', () => end(null))
    socket.write(bytes)
    if (wanted === null) socket.end()
  })
}

// TILLBOX_STORES    files, postgres, or files,postgres, one after the other
// TILLBOX_REQUESTS  requests over each of them
// TILLBOX_LANES     connections at the same time
// TILLBOX_SEED      the seed of a run before: the requests are the same, the order in which they arrive is not

describe.each(storesFromEnvironment())('a sandbox over $name', ({ name, isSkipped, open }) => {
  let store: OpenStore
  beforeAll(async () => {
    if (!isSkipped) store = await open()
  })
  afterAll(() => store?.close())

  test.skipIf(isSkipped)(
    'whatever is sent, the sandbox lives, answers with known codes, and a restart finds what was there',
    async () => {
      const seed = seedFromEnvironment()
      const requests = fromEnvironment('TILLBOX_REQUESTS', times(300, 1_000_000))
      const lanes = fromEnvironment('TILLBOX_LANES', times(16, 48))
      const begun = performance.now()
      const { figures, problems } = await fuzz({ requests, lanes, seed, storage: store.makeStorage() })
      const perSecond = Math.round((1000 * (figures.requests ?? 0)) / (performance.now() - begun))
      const all = { ...figures, 'requests a second': perSecond, problems: problems.length, seed }
      printFigures(`fuzz over ${name}`, all)
      expect(problems.join('\n'), `TILLBOX_SEED=${seed}`).toBe('')
      expect(figures.accepted).toBeGreaterThan(5)
    },
  )
})
