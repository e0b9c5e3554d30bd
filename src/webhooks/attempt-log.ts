import { createReadStream, existsSync } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { appending, openState, ownerOnly, reading } from '../files/files.ts'
import { clearTimeout, setTimeout } from '../timers.ts'
import type { Attempt } from './post.ts'

/** An attempt of one delivery of one merchant. */
export interface LoggedAttempt extends Attempt {
  readonly merchantId: string
  readonly number: number
  /** Injected faults, by name; null without one. */
  readonly fault: string | null
  /** Sandbox time at which it began; left out by a listener, and by earlier versions. */
  readonly sandboxAt?: number
}

/** Bytes after which a file is put aside; the one before it is kept, older ones are not. */
const usualLimit = 16 * 1024 * 1024

/** Lines are gathered for so long: opening and closing the file costs more than writing a line. Milliseconds. */
const gatherMs = 50

/** So much of the end of the file are the latest attempts. */
const latestBytes = 256 * 1024

/**
 * The last attempts with request and response, in a file beside the state. It is a record to look at, read only when
 * somebody looks; what is delivered and what is not stands in the journal. assumption: attempt-log
 */
export class AttemptLog<T extends LoggedAttempt = LoggedAttempt> {
  readonly #path: string
  readonly #limit: number
  #waiting: string[] = []
  /** Set while lines are gathered. */
  #gathering: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  #report: (error: Error) => void
  /** What was read of a file of that size. */
  #latest: { readonly size: number; readonly attempts: readonly T[] } | null = null

  constructor(
    folder: string,
    report: (error: Error) => void,
    limit = usualLimit,
    file: 'attempts.jsonl' | 'listened.jsonl' = 'attempts.jsonl',
  ) {
    this.#path = join(folder, file)
    this.#limit = limit
    this.#report = report
  }

  add(attempt: T): void {
    const { merchantId, number, ...rest } = attempt
    this.#waiting.push(`${JSON.stringify({ merchantId, number, ...rest })}\n`)
    this.#gathering ??= setTimeout(() => this.#flush(), gatherMs)
  }

  /** Attempts of these deliveries of a merchant as far as they are still there, oldest first. */
  async of(merchantId: string, numbers: ReadonlySet<number>): Promise<T[]> {
    await this.written()
    const mark = markOf(merchantId)
    const found: T[] = []
    for (const path of [this.#old, this.#path].filter((each) => existsSync(each)))
      for await (const line of linesOf(path)) {
        const attempt = line.startsWith(mark) && isOf(numbers, line, mark.length) ? parse<T>(line) : undefined
        if (attempt !== undefined) found.push(attempt)
      }
    return found
  }

  /** Every attempt that is still there, oldest first. */
  async *all(): AsyncGenerator<T> {
    await this.written()
    for (const path of [this.#old, this.#path].filter((each) => existsSync(each)))
      for await (const line of linesOf(path)) {
        const attempt = parse<T>(line)
        if (attempt !== undefined) yield attempt
      }
  }

  /** The latest attempts, oldest first: what the end of the file holds, and no more is read of it. */
  async latest(): Promise<readonly T[]> {
    await this.written()
    if (!existsSync(this.#path)) return []
    const file = await open(this.#path, reading)
    try {
      const { size } = await file.stat()
      if (this.#latest?.size === size) return this.#latest.attempts
      const start = Math.max(0, size - latestBytes)
      const { buffer } = await file.read(Buffer.alloc(size - start), 0, size - start, start)
      const lines = buffer.toString().split('\n')
      if (start > 0) lines.shift() // cut off
      const attempts = lines.flatMap((line) => parse<T>(line) ?? [])
      this.#latest = { size, attempts }
      return attempts
    } finally {
      await file.close()
    }
  }

  /** Forgets every attempt: they are of deliveries that another state has no more. */
  async forget(): Promise<void> {
    this.#flush()
    this.#writing = this.#writing
      .then(() => Promise.all([rm(this.#path, { force: true }), rm(this.#old, { force: true })]))
      .then(() => undefined, this.#report)
    await this.#writing
  }

  /** Resolves when everything that was added is written. */
  async written(): Promise<void> {
    this.#flush()
    await this.#writing
  }

  get #old(): string {
    return `${this.#path}.old`
  }

  #flush(): void {
    if (this.#gathering === undefined) return
    clearTimeout(this.#gathering)
    this.#gathering = undefined
    const text = this.#waiting.join('')
    this.#waiting = []
    this.#writing = this.#writing.then(() => this.#write(text)).catch(this.#report)
  }

  async #write(text: string): Promise<void> {
    const size = existsSync(this.#path) ? (await stat(this.#path)).size : 0
    if (size > this.#limit) await rename(this.#path, this.#old)
    const file = await open(this.#path, appending, ownerOnly)
    try {
      await file.chmod(ownerOnly)
      await file.appendFile(text)
    } finally {
      await file.close()
    }
  }
}

/** How a line of a merchant begins: most lines are passed over without being parsed. */
const markOf = (merchantId: string): string => `${JSON.stringify({ merchantId }).slice(0, -1)},"number":`

const isOf = (numbers: ReadonlySet<number>, line: string, from: number): boolean =>
  numbers.has(Number.parseInt(line.slice(from, from + 16), 10))

const linesOf = (path: string): AsyncIterable<string> =>
  createInterface({
    input: createReadStream('', { fd: openState(path, 'read') }),
    crlfDelay: Number.POSITIVE_INFINITY,
  })

/** A line that a crash cut off tells nothing. */
function parse<T extends LoggedAttempt>(line: string): T | undefined {
  try {
    return JSON.parse(line) as T
  } catch {
    return undefined
  }
}
