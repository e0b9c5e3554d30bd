import { createReadStream, existsSync } from 'node:fs'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { parseJson } from '../read-or.ts'
import { fileProblem } from './file-problem.ts'
import { appending, openState, ownerOnly } from './files.ts'
import { RecordLog } from './record-log.ts'

/** Time for which lines are collected: opening the file costs more than writing a line. Milliseconds. */
const gatherMs = 200

/**
 * A bounded log of JSON objects, one a line, for its owner alone. Lines are written soon after they are added
 * but not made durable: a power loss may take the last ones. A file longer than its limit is renamed to
 * `.old`, which replaces an older one.
 */
export class LineLog<T extends object> {
  readonly #lines: RecordLog<string>

  /**
   * `limit`: bytes after which the file is renamed; `report` gets the errors of writing; `confirm` checks
   * before each write that the file may be written.
   */
  constructor(
    private readonly path: string,
    private readonly limit: number,
    report: (error: Error) => void,
    private readonly confirm: () => void,
  ) {
    this.#lines = new RecordLog({
      write: (lines) => this.#write(lines.join('')),
      gatherMs,
      report: (error: NodeJS.ErrnoException) =>
        report(error.errno ? new Error(`Lines of ${path} were lost: ${fileProblem(error)}`) : error),
    })
  }

  add(entry: T): void {
    this.#lines.add(`${JSON.stringify(entry)}\n`)
  }

  /** Every stored entry, oldest first. `mayBe`: returns false for a line to skip without parsing it. */
  async *all(mayBe: (line: string) => boolean = () => true): AsyncGenerator<T> {
    await this.written()
    for (const path of [this.#old, this.path].filter((each) => existsSync(each)))
      for await (const line of readLines(path)) {
        const entry = mayBe(line) ? (parseJson(line) as T | undefined) : undefined // for one that a crash cut, too
        if (entry !== undefined) yield entry
      }
  }

  /** Deletes every entry. */
  forget(): Promise<void> {
    return this.#lines.written(() => this.#remove())
  }

  /** Resolves when everything that was added is written, or could not be. */
  written(): Promise<void> {
    return this.#lines.written()
  }

  get #old(): string {
    return `${this.path}.old`
  }

  async #remove(): Promise<void> {
    this.confirm()
    for (const path of [this.path, this.#old]) await rm(path, { force: true })
  }

  async #write(text: string): Promise<void> {
    this.confirm()
    const size = existsSync(this.path) ? (await stat(this.path)).size : 0
    if (size > this.limit) await rename(this.path, this.#old)
    const file = await open(this.path, appending, ownerOnly)
    try {
      await file.chmod(ownerOnly)
      await file.appendFile((await isCut(file)) ? `\n${text}` : text)
    } finally {
      await file.close()
    }
  }
}

/** Whether a file ends within a line: a full disk or a power loss leaves such an end. */
async function isCut(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat()
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1))
  return bytesRead > 0 && buffer.toString() !== '\n'
}

const readLines = (path: string): AsyncIterable<string> =>
  createInterface({
    input: createReadStream('', { fd: openState(path, 'read') }),
    crlfDelay: Number.POSITIVE_INFINITY,
  })
