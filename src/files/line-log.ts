import { createReadStream, existsSync } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { clearTimeout, setTimeout } from '../timers.ts'
import { appending, openState, ownerOnly } from './files.ts'

/** Time for which lines are collected: opening the file costs more than writing a line. Milliseconds. */
const gatherMs = 200

/**
 * A bounded log of JSON objects, one a line, for its owner alone. Lines are written soon after they are added but not
 * made durable: a power loss may take the last ones. A file longer than its limit is renamed to `.old`, which replaces
 * an older one.
 */
export class LineLog<T extends object> {
  readonly #path: string
  readonly #limit: number
  readonly #report: (error: Error) => void
  readonly #confirm: () => void
  #waiting: string[] = []
  /** Set while lines are collected. */
  #gathering: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  /**
   * `limit`: bytes after which the file is renamed; `report` gets the errors of writing; `confirm` checks before each
   * write that the file may be written.
   */
  constructor(path: string, limit: number, report: (error: Error) => void, confirm: () => void = () => {}) {
    this.#path = path
    this.#limit = limit
    this.#report = report
    this.#confirm = confirm
  }

  add(entry: T): void {
    this.#waiting.push(`${JSON.stringify(entry)}\n`)
    this.#gathering ??= setTimeout(() => this.#flush(), gatherMs)
  }

  /** Every stored entry, oldest first. `mayBe`: returns false for a line to skip without parsing it. */
  async *all(mayBe: (line: string) => boolean = () => true): AsyncGenerator<T> {
    await this.written()
    for (const path of [this.#old, this.#path].filter((each) => existsSync(each)))
      for await (const line of linesOf(path)) {
        const entry = mayBe(line) ? parse<T>(line) : undefined
        if (entry !== undefined) yield entry
      }
  }

  /** Deletes every entry. */
  async forget(): Promise<void> {
    this.#flush()
    this.#writing = this.#writing.then(() => this.#remove()).catch(this.#report)
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

  async #remove(): Promise<void> {
    this.#confirm()
    for (const path of [this.#path, this.#old]) await rm(path, { force: true })
  }

  async #write(text: string): Promise<void> {
    this.#confirm()
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

const linesOf = (path: string): AsyncIterable<string> =>
  createInterface({
    input: createReadStream('', { fd: openState(path, 'read') }),
    crlfDelay: Number.POSITIVE_INFINITY,
  })

/** Undefined for a line that a crash cut short. */
function parse<T>(line: string): T | undefined {
  try {
    return JSON.parse(line) as T
  } catch {
    return undefined
  }
}
