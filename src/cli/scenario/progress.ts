import { clip } from '../../text/display-width.ts'
import { clean } from '../output/clean.ts'
import { themeOf } from '../output/theme.ts'

/** A line with what is running, on a terminal only. */
export class Progress {
  #ended = 0
  #isShown = false

  constructor(
    private readonly count: number,
    private readonly stream: NodeJS.WriteStream = process.stderr,
  ) {}

  begun(name: string): void {
    if (!this.stream.isTTY) return
    this.clear()
    const { faint, width } = themeOf('stderr')
    this.stream.write(faint(clip(`… ${this.#ended + 1} of ${this.count}  ${clean(name)}`, width - 1)))
    this.#isShown = true
  }

  /** One is done: the line is taken away, so that a report can be written. */
  ended(): void {
    this.#ended += 1
    this.clear()
  }

  clear(): void {
    if (this.#isShown) this.stream.write('\r\u001b[2K')
    this.#isShown = false
  }
}
