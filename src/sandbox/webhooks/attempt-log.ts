import { createReadStream, existsSync } from 'node:fs'
import { appendFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ownerOnly } from '../store/files.ts'
import type { Attempt } from './post.ts'

/** An attempt of one delivery of one merchant. */
export interface LoggedAttempt extends Attempt {
  readonly merchantId: string
  readonly number: number
  /** What was done wrong on purpose. */
  readonly fault: string | null
}

/** Bytes after which a file is put aside; the one before it is kept, older ones are not. */
const longest = 64 * 1024 * 1024

/**
 * Every attempt with its request and its response, in a file beside the state. It is a record to look at; what is
 * delivered and what is not stands in the journal. assumption: webhook-delivery
 */
export class AttemptLog {
  readonly #path: string
  #waiting: string[] = []
  #writing: Promise<void> = Promise.resolve()
  #report: (error: Error) => void

  constructor(folder: string, report: (error: Error) => void) {
    this.#path = join(folder, 'attempts.jsonl')
    this.#report = report
  }

  add(attempt: LoggedAttempt): void {
    this.#waiting.push(`${JSON.stringify(attempt)}\n`)
    if (this.#waiting.length === 1)
      this.#writing = this.#writing.then(() => this.#write()).catch(this.#report)
  }

  /** Attempts of a delivery, oldest first. */
  async of(merchantId: string, number: number): Promise<LoggedAttempt[]> {
    await this.written()
    const found: LoggedAttempt[] = []
    for (const path of [this.#old, this.#path].filter((each) => existsSync(each)))
      for await (const line of createInterface({
        input: createReadStream(path),
        crlfDelay: Number.POSITIVE_INFINITY,
      })) {
        const attempt = parse(line)
        if (attempt?.merchantId === merchantId && attempt.number === number) found.push(attempt)
      }
    return found
  }

  /** Resolves when everything that was added is written. */
  async written(): Promise<void> {
    await this.#writing
  }

  get #old(): string {
    return `${this.#path}.old`
  }

  async #write(): Promise<void> {
    const text = this.#waiting.join('')
    this.#waiting = []
    const size = existsSync(this.#path) ? (await stat(this.#path)).size : 0
    if (size > longest) await rename(this.#path, this.#old)
    await appendFile(this.#path, text, { mode: ownerOnly })
  }
}

/** A line that a crash cut off tells nothing. */
function parse(line: string): LoggedAttempt | undefined {
  try {
    return JSON.parse(line) as LoggedAttempt
  } catch {
    return undefined
  }
}
